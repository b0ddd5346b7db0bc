"""Common subsequences of lines of words, as positions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from refscore import _native

Line = Sequence[Hashable]


def _number_tokens(*sides: Sequence[Line]) -> tuple[list[list[list[int]]], int]:
    """Return the lines of each side with their tokens numbered, and the number of different tokens."""
    numbers: dict[Hashable, int] = {}
    numbered = [[[numbers.setdefault(token, len(numbers)) for token in line] for line in side] for side in sides]
    return numbered, len(numbers)


def common_subsequence(hypothesis: Line, reference: Line) -> list[tuple[int, int]]:
    """Return the positions of a longest common subsequence in the hypothesis and the reference."""
    ((numbers,), (target_numbers,)), vocabulary = _number_tokens([hypothesis], [reference])
    return _native.common_subsequence(numbers, target_numbers, vocabulary)


def common_to_any_line(
    hypothesis: Sequence[Line], reference: Sequence[Line], power: float | None = None
) -> list[list[int]]:
    """Return the positions of each reference line that are in a common subsequence with any hypothesis line.

    With a power, subsequences are weighted.
    """
    (numbers, target_numbers), vocabulary = _number_tokens(hypothesis, reference)
    return _native.common_to_any_line(numbers, target_numbers, vocabulary, power)
