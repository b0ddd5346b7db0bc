"""rouge-score's `rouge_score.tokenize`: words of A to Z and digits."""

from __future__ import annotations

import re
from typing import Any

from refscore.compat.error_types import InputAttributeError
from refscore.errors import InputError, Location
from refscore.inputs.arrays import describe
from refscore.tokenizers import get

__all__ = ["tokenize"]

_split: Any = get("rouge").tokenize
_WORD = re.compile(r"^[a-z0-9]+$")
_LONGEST_UNSTEMMED = 3


def tokenize(text: str, stemmer: Any) -> list[str]:
    """Return lowercase words: runs of A to Z and digits.

    Example:
        >>> tokenize("It's 3 o'clock!", None)
        ['it', 's', '3', 'o', 'clock']
    """
    words: list[str] = _split((text if type(text) is str else as_text(text, "text")).lower())
    if not stemmer:
        return words
    stemmed = (stemmer.stem(word) if len(word) > _LONGEST_UNSTEMMED else word for word in words)
    return [word for word in stemmed if _WORD.match(word)]


def as_text(value: object, side: str, reference: int | None = None) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError as error:
            problem, reason = "is not UTF-8", f"{error.reason} at byte {error.start}"
            raise InputError(Location(side, reference=reference), problem, reason) from None
    raise InputAttributeError(Location(side, reference=reference), f"is {describe(value)}", "pass a string")
