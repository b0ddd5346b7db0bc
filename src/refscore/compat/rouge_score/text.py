"""What rouge-score takes for text: strings, and bytes of UTF-8."""

from __future__ import annotations

from refscore.errors import InputError


class NotTextError(InputError, AttributeError):
    """Raised for what is no text, where rouge-score has an AttributeError."""


def as_text(value: object, where: str) -> str:
    r"""Return the value as a string.

    >>> as_text(b"caf\xc3\xa9", "target")
    'café'
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(None, f"{where} is not UTF-8: {error.reason} at byte {error.start}") from None
    text = repr(value)
    raise NotTextError(f"{where} is {text if len(text) <= 40 else text[:37] + '...'}: expected a string")
