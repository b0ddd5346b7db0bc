"""Characters as tokens."""

from __future__ import annotations

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer


class TokenizerChar(BaseTokenizer):
    """Each character on its own; white space stays among them and separates more.

    Example:
        >>> from refscore.compat.sacrebleu.tokenizers.tokenizer_char import TokenizerChar
        >>> TokenizerChar()("abc")
        'a b c'
    """

    def signature(self) -> str:
        """The tokenizer's name in signatures."""
        return "char"

    def __call__(self, line: str) -> str:
        """The tokens of a line, separated by spaces."""
        return " ".join(line)
