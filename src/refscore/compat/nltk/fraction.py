"""Fractions that remember the counts they were made of."""

from __future__ import annotations

import fractions
from typing import Any


class Fraction(fractions.Fraction):
    """A fraction that is not reduced: `numerator` and `denominator` are the counts; its value is that of any other.

    With `_normalize`, NLTK's name for it, which smoothing functions use, it is reduced, as Python's own are.

    Example:
        >>> from refscore.compat.nltk.fraction import Fraction
        >>> half = Fraction(2, 4)
        >>> half, half.numerator, half.denominator, half == 0.5
        (Fraction(2, 4), 2, 4, True)
    """

    __slots__ = ("_part", "_whole")

    _part: int
    _whole: int

    def __new__(cls, numerator: int = 0, denominator: int | None = None, _normalize: bool = False) -> Fraction:
        """Store both numbers."""
        whole = 1 if denominator is None else denominator
        self = super().__new__(cls, numerator, whole)
        if not _normalize:
            self._part, self._whole = numerator, whole
        return self

    # The base class makes objects of this one without calling __new__, when it compares with a float.
    @property
    def numerator(self) -> int:
        """The count above the line."""
        try:
            return self._part
        except AttributeError:
            return super().numerator

    @property
    def denominator(self) -> int:
        """The count below the line."""
        try:
            return self._whole
        except AttributeError:
            return super().denominator

    def reduced(self) -> fractions.Fraction:
        """Return Python's own fraction of the same value."""
        return fractions.Fraction(self.numerator, self.denominator)

    def __eq__(self, other: object) -> bool:
        return self.reduced() == (other.reduced() if isinstance(other, Fraction) else other)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self.reduced())

    def __reduce__(self) -> tuple[Any, ...]:
        return Fraction, (self.numerator, self.denominator)

    def __copy__(self) -> Fraction:
        return self

    def __deepcopy__(self, memo: Any) -> Fraction:
        return self

    def __repr__(self) -> str:
        return f"Fraction({self.numerator}, {self.denominator})"

    def __str__(self) -> str:
        return f"{self.numerator}/{self.denominator}"
