"""mteval-v13a's tokenizer."""

from __future__ import annotations

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, tokens_of_whole


class Tokenizer13a(BaseTokenizer):
    """mteval-v13a's tokenizer, for Western languages.

    Example:
        >>> from refscore.compat.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
        >>> Tokenizer13a()("Hello, world.")
        'Hello , world .'
    """

    def signature(self) -> str:
        """The tokenizer's name in signatures."""
        return "13a"

    def __call__(self, line: str) -> str:
        """The tokens of a line, separated by spaces."""
        return " ".join(tokens_of_whole(line, "13a"))
