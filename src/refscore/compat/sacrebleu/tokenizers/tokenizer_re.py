"""The punctuation rules shared by 13a and zh."""

from __future__ import annotations

import re

from refscore.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, cached_line

_PUNCTUATION = re.compile(r"([!-&(-+/:-@\[-`{-~])")  # ASCII punctuation except ' , - .
_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
_DASH_AFTER_DIGIT = re.compile(r"([0-9])(-)")


class TokenizerRegexp(BaseTokenizer):
    """Separate punctuation, except full stops and commas within numbers or at either end.

    Example:
        >>> TokenizerRegexp()("(it costs 5.50, or 6.)")
        '( it costs 5.50 , or 6 . )'
    """

    def signature(self) -> str:
        return "re"

    @cached_line
    def __call__(self, line: str) -> str:
        line = _PUNCTUATION.sub(r" \1 ", line)
        line = _AFTER_NO_DIGIT.sub(r"\1 \2 ", line)
        line = _BEFORE_NO_DIGIT.sub(r" \1 \2", line)
        return " ".join(_DASH_AFTER_DIGIT.sub(r"\1 \2 ", line).split())
