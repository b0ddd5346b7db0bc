"""NLTK's `nltk.metrics.distance`: the edit distance of two sequences."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from refscore.compat.metric_cache import cached_metric
from refscore.metrics import CER, ROUGE, check_limits

__all__ = ["edit_distance"]


def edit_distance(
    s1: Sequence[Hashable], s2: Sequence[Hashable], substitution_cost: float = 1, transpositions: bool = False
) -> Any:
    """Return the least cost of turning a text or sequence into another. Deletions and insertions cost 1.

    Example:
        >>> from refscore.compat.nltk import edit_distance
        >>> edit_distance("rain", "shine"), edit_distance("rain", "shine", substitution_cost=2)
        (3, 5)
        >>> edit_distance("abcdef", "acbdef", transpositions=True)
        1
    """
    first, second = list(s1), list(s2)
    if not transpositions and substitution_cost == 1:
        return sum(cached_metric(CER).counts(first, second)[1:])
    if not transpositions and substitution_cost >= 2:  # a deletion and an insertion cost no more
        metric = cached_metric(ROUGE, variant="L", tokenizer="none", lowercase=False)
        _, (precision, *_) = metric.value_and_row(first, [second])
        return len(first) + len(second) - 2 * round(precision * len(first))
    return _general_distance(first, second, substitution_cost, transpositions)


def _general_distance(s1: Sequence[Any], s2: Sequence[Any], substitution_cost: float, transpositions: bool) -> Any:
    """Return the distance by a table of the costs of all pairs of prefixes."""
    check_limits([s1], [[s2]])
    width = len(s2)
    costs: list[list[float]] = [list(range(width + 1))]
    last_rows = dict.fromkeys(s2, 0)  # where each item occurred last in s1, from 1
    for i, item in enumerate(s1, 1):
        above = costs[-1]
        row: list[float] = [i]
        last_column = 0  # where the item occurred last in s2, from 1
        for j, other in enumerate(s2, 1):
            is_equal = item == other
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (0 if is_equal else substitution_cost))
            if transpositions and last_column and (last_row := last_rows[other]):
                cost = min(cost, costs[last_row - 1][last_column - 1] + i - last_row + j - last_column - 1)
            if is_equal:
                last_column = j
            row.append(cost)
        costs.append(row)
        last_rows[item] = i
    return costs[-1][width]
