"""Convert the texts that rouge-score accepts: strings and UTF-8 bytes."""

from __future__ import annotations

from refscore.errors import InputError, Location
from refscore.inputs import describe


class NotTextError(InputError, AttributeError):
    """Raised for a value that is not text. rouge-score raises an AttributeError."""


def as_text(value: object, side: str, reference: int | None = None) -> str:
    """Return the value as a string."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError as error:
            problem, reason = "is not UTF-8", f"{error.reason} at byte {error.start}"
            raise InputError(Location(side, reference=reference), problem, reason) from None
    raise NotTextError(Location(side, reference=reference), f"is {describe(value)}", "pass a string")
