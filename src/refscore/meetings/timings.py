from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from decimal import Decimal
from itertools import accumulate, pairwise
from typing import Any

from refscore.errors import InputError, Location

Interval = tuple[Any, Any]
"""A start and an end: floats, or decimal numbers for exact times from files, in which sums and quotients are exact."""


def _equal_intervals(start: Any, end: Any, words: Sequence[Hashable]) -> list[Interval]:
    if len(words) == 1:
        return [(start, end)]
    step = (end - start) / len(words)
    return [(start + index * step, start + (index + 1) * step) for index in range(len(words))]


def _equal_points(start: Any, end: Any, words: Sequence[Hashable]) -> list[Interval]:
    if len(words) == 1:
        return [((start + end) / 2,) * 2]
    step = (end - start) / len(words)
    return [(start + index * step + step / 2,) * 2 for index in range(len(words))]


def _by_characters(start: Any, end: Any, words: Sequence[Hashable]) -> list[Interval]:
    if len(words) == 1:
        return [(start, end)]
    ends = [*accumulate(len(word) if isinstance(word, str) else 1 for word in words)]
    step = (end - start) / ends[-1]
    return [*pairwise(start + step * count for count in (0, *ends))]


def _points_by_characters(start: Any, end: Any, words: Sequence[Hashable]) -> list[Interval]:
    return [((last + first) / 2,) * 2 for first, last in _by_characters(start, end, words)]


def _whole(start: Any, end: Any, words: Sequence[Hashable]) -> list[Interval]:
    return [(start, end)] * len(words)


STRATEGIES: Mapping[str, Callable[[Any, Any, Sequence[Hashable]], list[Interval]]] = {
    "character_based": _by_characters,
    "character_based_points": _points_by_characters,
    "equidistant_intervals": _equal_intervals,
    "equidistant_points": _equal_points,
    "full_segment": _whole,
    "none": _whole,
}
"""By name: a function from the times of an utterance and its words, at least one, to the times of each word."""


def word_times(strategy: str, start: Any, end: Any, words: Sequence[Hashable], location: Location) -> list[Interval]:
    """Return each word's times in an utterance. "none" allows only one word."""
    if strategy == "none" and len(words) != 1:
        fix = "timing='none' needs utterances of one word: choose a different timing"
        raise InputError(location, f"has {len(words)} words", fix)
    return STRATEGIES[strategy](start, end, words)


def with_collar(intervals: Sequence[Interval], collar: float | Decimal) -> list[Interval]:
    if not collar or not intervals:
        return [*intervals]
    collar = Decimal(str(collar)) if isinstance(intervals[0][0], Decimal) else float(collar)
    return [(start - collar, end + collar) for start, end in intervals]
