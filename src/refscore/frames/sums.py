"""Rows of statistics summed by groups, some segments at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Rows, Values

Codes = NDArray[np.intp]

# Segments whose rows are there at a time: few enough that they take some megabytes.
STEP = 65_536


@dataclass(frozen=True)
class Sums:
    """Of each group the number of segments, and by each metric the sum of their rows."""

    segments: NDArray[np.int64]
    rows: Mapping[str, Rows]

    def values(self, metrics: Mapping[str, Metric[Any]]) -> dict[str, Values]:
        """The score of each group by each metric."""
        return {label: metric.values(self.rows[label]) for label, metric in metrics.items()}


def sums_of(
    metrics: Mapping[str, Metric[Any]], hypotheses: Any, references: Any, codes: Codes, groups: int, threads: int | None
) -> Sums:
    """The sums of some segments.

    Args:
        metrics: By label.
        hypotheses: As metrics take them.
        references: Likewise.
        codes: Of each segment, the group that it belongs to.
        groups: How many there are.
        threads: How many to use; all cores by default.

    >>> import refscore
    >>> sums = sums_of({"wer": refscore.WER()}, ["a b", "a", "c"], ["a b", "b", "c"], np.array([0, 1, 0]), 2, None)
    >>> sums.segments.tolist(), sums.values({"wer": refscore.WER()})["wer"].tolist()
    ([2, 1], [0.0, 1.0])
    """
    rows = {label: metric.stats(hypotheses, references, threads=threads) for label, metric in metrics.items()}
    return Sums(
        np.bincount(codes, minlength=groups), {label: _added(part, codes, groups) for label, part in rows.items()}
    )


def merged(parts: Sequence[Sums], codes: Codes, groups: int) -> Sums:
    """The sums of several parts together.

    Args:
        parts: At least one.
        codes: Of each group of each part, one part after the other, the group of the whole.
        groups: How many the whole has.

    >>> one = Sums(np.array([2, 1]), {"wer": np.array([[1, 2], [3, 4]])})
    >>> merged([one, one], np.array([0, 1, 1, 0]), 2).rows["wer"].tolist()
    [[4, 6], [4, 6]]
    """
    return Sums(
        _added(np.concatenate([part.segments for part in parts]), codes, groups),
        {label: _added(np.concatenate([part.rows[label] for part in parts]), codes, groups) for label in parts[0].rows},
    )


def _added(rows: Rows, codes: Codes, groups: int) -> Rows:
    """Rows summed by group, each in the order that the rows have: fractions then add up as they do for a corpus."""
    sums = np.zeros((groups, *rows.shape[1:]), dtype=rows.dtype)
    if groups == 1 and rows.dtype.kind == "i":
        sums[0] = rows.sum(axis=0)
    else:
        np.add.at(sums, codes, rows)
    return sums


def steps(size: int) -> Iterator[slice]:
    """Slices that together cover as many segments.

    >>> list(steps(3))
    [slice(0, 3, None)]
    """
    for begin in range(0, size, STEP):
        yield slice(begin, min(begin + STEP, size))


@contextmanager
def within(begin: int, end: int) -> Iterator[None]:
    """Within it, errors about segments say which part of the frame they count from."""
    try:
        yield
    except InputError as error:
        if begin == 0:
            raise
        raise InputError(None, f"in rows {begin} to {end - 1}, counted from there: {error}") from None


def check_some(segments: int) -> None:
    """An error for a corpus without segments."""
    if segments == 0:
        raise InputError(None, "the frame is empty: an empty corpus has no score")
