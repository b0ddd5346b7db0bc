"""The variants of ROUGE, such as "2", "L", "W-1.2" and "SU4"."""

from __future__ import annotations

import re
from typing import NamedTuple

from refscore.settings import MOST_ORDERS

# ROUGE-1.5.5 applies the power twice to the length of a reference. Up to 5, the result is finite.
MOST_POWER = 5

# The power of "W" without a number, as in the paper and in most publications.
DEFAULT_POWER = 1.2


class Variant(NamedTuple):
    """A variant: its name with the number, its kind, and its number.

    Attributes:
        text: The name, such as "SU4".
        kind: "N", "L", "Lsum", "W", "S" or "SU".
        order: The order of n-grams, for "N".
        skip: The most words between the two of a pair, for "S" and "SU"; None for any number.
        power: The power of the length of a run of words, for "W".
    """

    text: str
    kind: str
    order: int | None = None
    skip: int | None = None
    power: float | None = None


def parse_variant(text: str) -> Variant | None:
    """Return the variant with this name; None if there is none. A "W" without a number is "W-1.2", an "S" is "S*".

    Example:
        >>> parse_variant("SU4")
        Variant(text='SU4', kind='SU', order=None, skip=4, power=None)
        >>> parse_variant("W").text, parse_variant("S").text, parse_variant("x")
        ('W-1.2', 'S*', None)
    """
    if text in ("L", "Lsum"):
        return Variant(text, text)
    if order := _whole_number(text):
        return Variant(text, "N", order=order)
    match = re.fullmatch(r"(SU?)(\*|[0-9]+)?", text)
    if match is not None:
        kind, number = match[1], match[2] or "*"
        skip = None if number == "*" else _whole_number(number)
        return None if skip is None and number != "*" else Variant(kind + number, kind, skip=skip)
    match = re.fullmatch(r"W(?:-?([0-9]{1,2}(?:\.[0-9]{1,17})?))?", text)
    power = float(match[1] or DEFAULT_POWER) if match is not None else 0.0
    if not 1 <= power <= MOST_POWER:
        return None
    return Variant(f"W-{repr(power).removesuffix('.0')}", "W", power=power)


def _whole_number(text: str) -> int | None:
    """Return a number without leading zeros, of at most MOST_ORDERS; None if the text is not one."""
    if not re.fullmatch("0|[1-9][0-9]{0,6}", text) or int(text) > MOST_ORDERS:
        return None
    return int(text)
