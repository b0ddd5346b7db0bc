"""Scores of drawn samples: what all tests share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.metrics.base import Metric, Score, Values
from refscore.significance.draws import Block, Matrix
from refscore.significance.inputs import Progress, Runs, summed_units
from refscore.significance.sums import Group, Stack

# Scores nearer than this to each other, relative to the largest, are equal: machines' logarithms differ by less.
_TIE = 1e-12


class Field:
    """Metrics and systems as groups of tables, one row for each unit that is drawn.

    Args:
        metrics: The metrics by label.
        systems: For each label, the systems' runs.
        numbers: The unit of each segment, if several segments are drawn together.
    """

    def __init__(
        self,
        metrics: Mapping[str, Metric[Any]],
        systems: Mapping[str, Mapping[str, Runs]],
        numbers: NDArray[np.int64] | None,
    ) -> None:
        self.metrics = metrics
        self.names = list(next(iter(systems.values())))
        self.runs = [len(runs) for runs in next(iter(systems.values())).values()]
        self.segments = len(next(iter(next(iter(systems.values())).values()))[0])
        self.groups = {
            label: Group([summed_units(rows, numbers) for runs in systems[label].values() for rows in runs])
            for label in metrics
        }
        self.units = len(next(iter(self.groups.values())).tables[0])
        # The number of units where they are not the segments themselves.
        self.grouped = None if numbers is None else self.units

    def columns(self) -> list[slice]:
        """Where each system's runs are among all runs."""
        ends = np.cumsum(self.runs).tolist()
        return [slice(end - runs, end) for end, runs in zip(ends, self.runs, strict=True)]

    def scores(self) -> dict[str, list[tuple[Score, ...]]]:
        """For each metric and system, the score of each run."""
        found = {}
        for label, group in self.groups.items():
            metric = self.metrics[label]
            (sums,) = Stack([group]).sums(np.ones((1, self.units)))
            scores = [
                metric.score(table.sum(0) if table.dtype.kind in "iu" else total[0])
                for table, total in zip(group.tables, sums, strict=True)
            ]
            found[label] = [tuple(scores[here]) for here in self.columns()]
        return found

    def resampled(
        self, blocks: Iterable[Block], count: int, threads: int | None, progress: Progress | None
    ) -> dict[str, Matrix]:
        """For each metric the score of each resample, one column for each run of each system."""
        stack = Stack(list(self.groups.values()))
        values = {label: np.empty((count, sum(self.runs))) for label in self.metrics}
        for block in blocks:
            end = block.begin + len(block.weights)
            for (label, metric), tables in zip(self.metrics.items(), stack.sums(block.weights), strict=True):
                for column, sums in enumerate(tables):
                    values[label][block.begin : end, column] = metric.values(sums, threads=threads)
            if progress is not None:
                progress(end, count)
        return values


def tie(*values: Values) -> float:
    """How near to each other scores are equal."""
    return _TIE * max((float(np.abs(array).max()) for array in values), default=0.0)


def share_as_large(found: Values, real: float, near: float) -> float:
    """The p-value: the share of draws at least as far from 0 as the real difference, itself counted as one of them."""
    return (int(np.count_nonzero(np.abs(found) >= abs(real) - near)) + 1) / (len(found) + 1)
