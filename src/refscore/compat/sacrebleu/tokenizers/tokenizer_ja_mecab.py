"""sacrebleu's tokenizer for Japanese."""

from __future__ import annotations

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, needed
from refscore.tokenizers import tokenize


class TokenizerJaMecab(BaseTokenizer):
    """The words of Japanese that MeCab finds, by the dictionary that sacrebleu uses too.

    Example:
        >>> from refscore.compat.sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
        >>> TokenizerJaMecab()("これはテストです。")  # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._signature = needed("ja-mecab").name

    def signature(self) -> str:
        """The tokenizer's name in signatures, with MeCab's version."""
        return self._signature

    def __call__(self, line: str) -> str:
        """The tokens of a line, separated by spaces."""
        return " ".join(tokenize(line, "ja-mecab"))
