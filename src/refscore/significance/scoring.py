"""Scores of drawn samples: what all tests share."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import SupportsFloat, TypeAlias

import numpy as np

from refscore.metrics.core.row_sums import sum_rows
from refscore.metrics.core.runner import kernel_threads
from refscore.metrics.core.score import Rows, Values
from refscore.significance.draws import Matrix
from refscore.significance.inputs import RowScorer, Runs, Sampling, Units, sum_units, unit_numbers
from refscore.significance.sums import SplitTables, StackedTables

# Scores nearer than this to each other, relative to the largest, are equal: machines' logarithms differ by less.
_TIE = 1e-12

# Weights and sums that exist at a time, of all threads together: 32 MiB.
_BLOCK_CELLS = 2**22
# Fewer draws in a block are not worth a thread: large tables are split again for each block.
_LEAST_ROWS = 16
# How often a sum exists while it is computed: as tiles, as a whole, and joined.
_COPIES = 3


@dataclass(frozen=True)
class Block:
    """Some draws, and the function that makes them: the weight of each unit in each of them."""

    begin: int
    end: int
    weights: Callable[[], Rows]


Draw: TypeAlias = Callable[[int, int], Callable[[], Rows]]
"""From the begin and the end of a block to the function that makes its weights; called in the order of blocks."""


def in_blocks(draw: Draw, width: int, work: Callable[[Block], object], sampling: Sampling, multiple: int = 1) -> None:
    """Do the work of all draws, block by block on several threads.

    Args:
        draw: Makes weights.
        width: How many numbers each draw takes.
        work: What to do with a block; it may run beside others.
        sampling: The number of draws, threads, and where progress is reported.
        multiple: What the length of blocks has to be a multiple of.
    """
    count = sampling.count
    most = max(1, _BLOCK_CELLS // width)
    workers = max(1, min(kernel_threads(sampling.threads) or _cores(), most // _LEAST_ROWS))
    step = -(-max(1, min(most, count) // workers) // multiple) * multiple
    waiting: deque[tuple[int, Future[object]]] = deque()

    def finish() -> None:
        end, result = waiting.popleft()
        result.result()
        if sampling.progress is not None:
            sampling.progress(end, count)

    with ThreadPoolExecutor(workers) as pool:
        for begin in range(0, count, step):
            end = min(count, begin + step)
            waiting.append((end, pool.submit(work, Block(begin, end, draw(begin, end)))))
            if len(waiting) > workers:
                finish()
        while waiting:
            finish()


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class ComparedSystems:
    """The rows of systems by several metrics, one row for each unit that is drawn.

    Args:
        metrics: The metrics by label.
        systems: For each label, the systems' runs.
        units: A label for each segment, if several segments are drawn together.
    """

    def __init__(
        self, metrics: Mapping[str, RowScorer], systems: Mapping[str, Mapping[str, Runs]], units: Units | None
    ) -> None:
        first = next(iter(systems.values()))
        self.metrics = metrics
        self.names = list(first)
        self.runs = [len(runs) for runs in first.values()]
        self.segments = len(next(iter(first.values()))[0])
        self._rows = {label: [rows for runs in systems[label].values() for rows in runs] for label in metrics}
        numbers = unit_numbers(units, self.segments)
        self.tables = {
            label: SplitTables([sum_units(rows, numbers) for rows in tables]) for label, tables in self._rows.items()
        }
        self.units = len(next(iter(self.tables.values())).tables[0])
        # The number of units if they are not the segments themselves.
        self.grouped = None if numbers is None else self.units

    def columns(self) -> list[slice]:
        """Return the places of each system's runs among all runs."""
        ends = np.cumsum(self.runs).tolist()
        return [slice(end - runs, end) for end, runs in zip(ends, self.runs, strict=True)]

    def scores(self) -> dict[str, list[tuple[SupportsFloat, ...]]]:
        """Return, for each metric and system, the score of each run."""
        scores = {}
        for label, metric in self.metrics.items():
            runs = [metric.score(sum_rows(rows)) for rows in self._rows[label]]
            scores[label] = [tuple(runs[columns]) for columns in self.columns()]
        return scores

    def resampled(self, draw: Draw, sampling: Sampling) -> dict[str, Matrix]:
        """Return, for each metric, the score of each resample, one column for each run of each system."""
        stack = StackedTables(list(self.tables.values()))
        values = {label: np.empty((sampling.count, sum(self.runs))) for label in self.metrics}

        def score(block: Block) -> None:
            for (label, metric), tables in zip(self.metrics.items(), stack.sums(block.weights()), strict=True):
                for column, sums in enumerate(tables):
                    values[label][block.begin : block.end, column] = metric.values(sums, threads=1)

        in_blocks(draw, self.units + _COPIES * stack.width, score, sampling)
        return values

    def swapped(self, tables: Sequence[int], draw: Draw, sampling: Sampling, multiple: int = 1) -> dict[str, Values]:
        """Return, for each metric, the scores of trials in which some units of the first table are swapped with others.

        Args:
            tables: The other tables.
            draw: Makes weights of 1, for units that are swapped, and 0.
            sampling: The number of trials, threads, and where progress is reported.
            multiple: What the length of blocks has to be a multiple of.

        Returns:
            Arrays of shape (len(tables), trials, 2): the scores of the first table, and of the other.
        """
        split = list(self.tables.values())
        stack = StackedTables(split, tables=tables, minus=0)
        everything = StackedTables(split, tables=[0, *tables]).part_sums(np.ones((1, self.units)))
        scores = {label: np.empty((len(tables), sampling.count, 2)) for label in self.metrics}

        def score(block: Block) -> None:
            by_metric = zip(self.metrics.items(), split, everything, stack.part_sums(block.weights()), strict=True)
            for (label, metric), metric_tables, totals, moved in by_metric:
                for index, (total, parts) in enumerate(zip(totals[1:], moved, strict=True)):
                    trials = scores[label][index, block.begin : block.end]
                    trials[:, 0] = metric.values(metric_tables.join(totals[0] + parts), threads=1)
                    trials[:, 1] = metric.values(metric_tables.join(total - parts), threads=1)

        in_blocks(draw, self.units + _COPIES * stack.width, score, sampling, multiple)
        return scores


def tie(*values: Values) -> float:
    """Return the largest distance of equal scores."""
    return _TIE * max(float(np.abs(array).max()) for array in values)


def share_as_large(differences: Values, observed: float, near: float) -> float:
    """Return the p-value: the share of draws at least as far from 0 as the observed difference, itself counted too."""
    return (int(np.count_nonzero(np.abs(differences) >= abs(observed) - near)) + 1) / (len(differences) + 1)
