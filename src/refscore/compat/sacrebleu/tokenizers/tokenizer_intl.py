"""mteval-v14's tokenizer."""

from __future__ import annotations

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, tokens_of_whole


class TokenizerV14International(BaseTokenizer):
    """mteval-v14's tokenizer, by Unicode categories.

    Example:
        >>> from refscore.compat.sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
        >>> TokenizerV14International()("«Hello»")
        '« Hello »'
    """

    def signature(self) -> str:
        """The tokenizer's name in signatures."""
        return "intl"

    def __call__(self, line: str) -> str:
        """The tokens of a line, separated by spaces."""
        return " ".join(tokens_of_whole(line, "intl"))
