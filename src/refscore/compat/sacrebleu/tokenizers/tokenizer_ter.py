"""TER's tokenizer."""

from __future__ import annotations

from functools import cache

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, cached_line
from refscore.metrics.ter.metric import tercom_tokenizer
from refscore.tokenizers import tokenize


@cache
def _name(normalized: bool, no_punct: bool, asian_support: bool) -> str:
    return tercom_tokenizer(normalized=normalized, no_punct=no_punct, asian_support=asian_support)


class TercomTokenizer(BaseTokenizer):
    """Tercom's tokenizer, which lowercases and can normalize or remove punctuation.

    Example:
        >>> TercomTokenizer(normalized=True)("It's Bob's book, I think.")
        "it 's bob 's book , i think ."
    """

    ASIAN_PUNCT = r"([\u3001\u3002\u3008-\u3011\u3014-\u301f\uff61-\uff65\u30fb])"
    FULL_WIDTH_PUNCT = r"([\uff0e\uff0c\uff1f\uff1a\uff1b\uff01\uff02\uff08\uff09])"

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        self.name = _name(bool(normalized), bool(no_punct), bool(asian_support))
        self._case_sensitive = case_sensitive

    def signature(self) -> str:
        return "tercom"

    @cached_line
    def __call__(self, sent: str) -> str:
        return " ".join(tokenize(sent if self._case_sensitive else sent.lower(), self.name))
