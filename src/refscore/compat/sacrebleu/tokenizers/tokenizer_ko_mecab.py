"""sacrebleu's tokenizer for Korean."""

from __future__ import annotations

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, needed
from refscore.tokenizers import tokenize


class TokenizerKoMecab(BaseTokenizer):
    """The words of Korean that MeCab finds, by the dictionary that sacrebleu uses too.

    Example:
        >>> from refscore.compat.sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
        >>> TokenizerKoMecab()("이것은")  # doctest: +SKIP
    """

    def __init__(self) -> None:
        self._signature = needed("ko-mecab").name

    def signature(self) -> str:
        """The tokenizer's name in signatures, with MeCab's version."""
        return self._signature

    def __call__(self, line: str) -> str:
        """The tokens of a line, separated by spaces."""
        return " ".join(tokenize(line, "ko-mecab"))
