"""rouge-score's `rouge_score.tokenize`: words of A to Z and digits."""

from __future__ import annotations

import re
from typing import Any

from refscore.errors import InputError, Location
from refscore.inputs.arrays import describe
from refscore.tokenizers import tokenize as split

__all__ = [
    "NON_ALPHANUM_PATTERN",
    "NON_ALPHANUM_RE",
    "SPACES_PATTERN",
    "SPACES_RE",
    "VALID_TOKEN_PATTERN",
    "VALID_TOKEN_RE",
    "tokenize",
]

NON_ALPHANUM_PATTERN = r"[^a-z0-9]+"
NON_ALPHANUM_RE = re.compile(NON_ALPHANUM_PATTERN)
SPACES_PATTERN = r"\s+"
SPACES_RE = re.compile(SPACES_PATTERN)
VALID_TOKEN_PATTERN = r"^[a-z0-9]+$"
VALID_TOKEN_RE = re.compile(VALID_TOKEN_PATTERN)

_LONGEST_UNSTEMMED = 3


def tokenize(text: str, stemmer: Any) -> list[str]:
    """Return lowercase words: runs of A to Z and digits.

    Example:
        >>> tokenize("It's 3 o'clock!", None)
        ['it', 's', '3', 'o', 'clock']
    """
    words = split(as_text(text, "text").lower(), "rouge")
    if not stemmer:
        return words
    stemmed = (stemmer.stem(word) if len(word) > _LONGEST_UNSTEMMED else word for word in words)
    return [word for word in stemmed if VALID_TOKEN_RE.match(word)]


class NotTextError(InputError, AttributeError):
    """Raised for a value that is not text. rouge-score raises an AttributeError."""


def as_text(value: object, side: str, reference: int | None = None) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError as error:
            problem, reason = "is not UTF-8", f"{error.reason} at byte {error.start}"
            raise InputError(Location(side, reference=reference), problem, reason) from None
    raise NotTextError(Location(side, reference=reference), f"is {describe(value)}", "pass a string")
