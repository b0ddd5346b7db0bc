"""Unreduced fractions, which preserve the counts."""

from __future__ import annotations

import fractions
from typing import Any


class Fraction(fractions.Fraction):
    """An unreduced fraction with counts as its `numerator` and `denominator`. It compares like any other fraction.

    With `_normalize`, NLTK's argument that smoothing functions use, it is reduced like Python's fractions.

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
        """Return a fraction with both numbers."""
        whole = 1 if denominator is None else denominator
        self = super().__new__(cls, numerator, whole)
        if not _normalize:
            self._part, self._whole = numerator, whole
        return self

    # Comparisons with floats in the base class create objects without calling __new__.
    @property
    def numerator(self) -> int:
        """The numerator."""
        try:
            return self._part
        except AttributeError:
            return super().numerator

    @property
    def denominator(self) -> int:
        """The denominator."""
        try:
            return self._whole
        except AttributeError:
            return super().denominator

    def reduced(self) -> fractions.Fraction:
        """Return Python's reduced fraction with the same value."""
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
