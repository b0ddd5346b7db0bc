"""No tokenizing."""

from __future__ import annotations

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class NoneTokenizer(BaseTokenizer):
    """The line as it is.

    Example:
        >>> from refscore.compat.sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
        >>> NoneTokenizer()("Hello, world.")
        'Hello, world.'
    """

    def signature(self) -> str:
        """The tokenizer's name in signatures."""
        return "none"

    def __call__(self, line: str) -> str:
        """The line."""
        return line
