"""The parts of NLTK's BLEU: n-gram precisions as unreduced fractions, reference lengths and the brevity penalty."""

from __future__ import annotations

import fractions
import math
from collections.abc import Iterable, Sequence
from typing import Any

from refscore.compat.metric_cache import cached_metric
from refscore.compat.nltk import inputs
from refscore.errors import InputError, Location
from refscore.metrics import BLEU


class Fraction(fractions.Fraction):
    """An unreduced fraction with counts as its `numerator` and `denominator`. It compares like any other fraction.

    With `_normalize`, NLTK's argument that smoothing functions use, it is reduced like Python's fractions.

    Example:
        >>> from refscore.compat.nltk import Fraction
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


def counting(max_order: int) -> BLEU:
    """Return the metric with NLTK's counts in its rows."""
    return cached_metric(BLEU, preset="nltk", max_order=max_order)


def matches_and_ngrams(metric: BLEU, row: Sequence[int]) -> list[tuple[int, int]]:
    """Return the matches and n-grams of each order. Like NLTK, count one n-gram if a segment is too short for any."""
    orders, counts = metric.max_order, row[2:]  # the first two columns are lengths
    return [(counts[n], counts[orders + n] + counts[2 * orders + n]) for n in range(orders)]


def modified_precision(references: Any, hypothesis: Any, n: int) -> Fraction:
    """Return the clipped n-gram precision of order `n` as an unreduced fraction: matches over n-grams.

    Without n-grams of that order, it is 0/1. `references` is a list of token lists, and `hypothesis` a token list.

    Example:
        >>> from refscore.compat.nltk import modified_precision
        >>> modified_precision([["a", "b", "c", "d"]], ["a", "b", "x", "a"], 1)
        Fraction(2, 4)
    """
    inputs.check_order("n", n)
    references, hypothesis = inputs.segment(references, hypothesis)
    if len(hypothesis) < n:
        return Fraction(0, 1)
    metric = counting(int(n))
    return Fraction(*matches_and_ngrams(metric, metric.value_and_row(hypothesis, references)[1])[-1])


def closest_ref_length(references: Iterable[Any], hyp_len: int) -> int:
    """Return the length of the reference that is closest to `hyp_len`, the shorter one in a tie.

    `references` is a list of token lists.

    Example:
        >>> from refscore.compat.nltk import closest_ref_length
        >>> closest_ref_length([["a"] * 13, ["a"] * 11, ["a"] * 2], 12)
        11
    """
    lengths = {len(reference) for reference in inputs.references_of_one(references)}
    if not lengths:
        raise InputError(Location("references"), "is empty", "pass at least one reference")
    return min(lengths, key=lambda length: (abs(length - hyp_len), length))


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """Return the penalty for hypotheses shorter than their references, exp(1 - closest_ref_len / hyp_len).

    It is 1 for longer hypotheses and 0 for empty ones. Lengths are of one segment, or summed over a corpus.

    Example:
        >>> from refscore.compat.nltk import brevity_penalty
        >>> round(brevity_penalty(28, 12), 6)
        0.263597
    """
    if closest_ref_len < 0 or hyp_len < 0:
        raise InputError(None, f"lengths must be at least 0, not {closest_ref_len!r} and {hyp_len!r}")
    if hyp_len > closest_ref_len:
        return 1
    return math.exp(1 - closest_ref_len / hyp_len) if hyp_len else 0
