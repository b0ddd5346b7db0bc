"""sacrebleu's tokenizer for Chinese."""

from __future__ import annotations

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from refscore.tokenizers import tokenize


class TokenizerZh(BaseTokenizer):
    """Each Chinese character on its own, the rest by the rules of 13a; what is Chinese is what sacrebleu takes for it.

    Example:
        >>> from refscore.compat.sacrebleu.tokenizers.tokenizer_zh import TokenizerZh
        >>> TokenizerZh()("你好, world")
        '你 好 , world'
    """

    def signature(self) -> str:
        """The tokenizer's name in signatures."""
        return "zh"

    def __call__(self, line: str) -> str:
        """The tokens of a line, separated by spaces."""
        return " ".join(tokenize(line.strip(), "zh-sacrebleu"))
