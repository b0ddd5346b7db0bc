"""Scores of drawn samples: what all tests share."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore.metrics.core.metric import Metric
from refscore.metrics.core.runner import kernel_threads
from refscore.metrics.core.score import Rows, Score, Values
from refscore.significance.draws import Matrix
from refscore.significance.inputs import Progress, Runs, summed_units
from refscore.significance.sums import Group, Stack

# Scores nearer than this to each other, relative to the largest, are equal: machines' logarithms differ by less.
_TIE = 1e-12

# Weights and sums that exist at a time, of all threads together: 32 MiB.
_BLOCK_CELLS = 2**22
# Fewer draws in a block are not worth a thread: rows are made ready anew for each block where there are many.
_LEAST_ROWS = 16
# How often a sum exists while it is made: as tiles, as a whole, and put together.
_COPIES = 3


@dataclass(frozen=True)
class Block:
    """Some draws, and how to make them: the weight of each unit in each of them."""

    begin: int
    end: int
    weights: Callable[[], Rows]


Draw: TypeAlias = Callable[[int, int], Callable[[], Rows]]
"""From the beginning and the end of a block to the making of its weights; called for one block after the other."""


def in_blocks(
    draw: Draw,
    count: int,
    width: int,
    work: Callable[[Block], object],
    threads: int | None,
    progress: Progress | None,
    multiple: int = 1,
) -> None:
    """Does the work of all draws, block by block on several threads.

    Args:
        draw: Makes weights.
        count: How many draws there are.
        width: How many numbers each takes.
        work: What to do with a block; it may run beside others.
        threads: How many to use; all cores by default.
        progress: Called with the number of draws done.
        multiple: What the length of blocks has to be a multiple of.
    """
    room = max(1, _BLOCK_CELLS // width)
    workers = max(1, min(kernel_threads(threads) or _cores(), room // _LEAST_ROWS))
    step = -(-max(1, min(room, count) // workers) // multiple) * multiple
    waiting: deque[tuple[int, Future[object]]] = deque()

    def finish() -> None:
        end, result = waiting.popleft()
        result.result()
        if progress is not None:
            progress(end, count)

    with ThreadPoolExecutor(workers) as pool:
        for begin in range(0, count, step):
            end = min(count, begin + step)
            waiting.append((end, pool.submit(work, Block(begin, end, draw(begin, end)))))
            if len(waiting) > workers:
                finish()
        while waiting:
            finish()


def _cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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

    def resampled(self, draw: Draw, count: int, threads: int | None, progress: Progress | None) -> dict[str, Matrix]:
        """For each metric the score of each resample, one column for each run of each system."""
        stack = Stack(list(self.groups.values()))
        values = {label: np.empty((count, sum(self.runs))) for label in self.metrics}

        def score(block: Block) -> None:
            here = slice(block.begin, block.end)
            for (label, metric), tables in zip(self.metrics.items(), stack.sums(block.weights()), strict=True):
                for column, sums in enumerate(tables):
                    values[label][here, column] = metric.values(sums, threads=1)

        in_blocks(draw, count, self.units + _COPIES * stack.width, score, threads, progress)
        return values

    def swapped(
        self,
        tables: Sequence[int],
        draw: Draw,
        keep: Callable[[str, slice, int, Values, Values], None],
        count: int,
        threads: int | None,
        progress: Progress | None,
        multiple: int = 1,
    ) -> None:
        """Scores of trials in which some units of the first table are swapped with those of others.

        Args:
            tables: The others.
            draw: Makes weights of 1, for what is swapped, and 0.
            keep: Called with a metric's label, a slice of trials, a place in `tables`, and the scores of both.
            count: How many trials there are.
            threads: How many to use; all cores by default.
            progress: Called with the number of trials done.
            multiple: What the length of blocks has to be a multiple of.
        """
        groups = list(self.groups.values())
        stack = Stack(groups, tables=tables, against=0)
        everything = Stack(groups, tables=[0, *tables]).parts(np.ones((1, self.units)))

        def score(block: Block) -> None:
            here = slice(block.begin, block.end)
            moved = stack.parts(block.weights())
            for (label, metric), group, totals, found in zip(
                self.metrics.items(), groups, everything, moved, strict=True
            ):
                for place, (own, parts) in enumerate(zip(totals[1:], found, strict=True)):
                    baseline = metric.values(group.joined(totals[0] + parts), threads=1)
                    other = metric.values(group.joined(own - parts), threads=1)
                    keep(label, here, place, baseline, other)

        in_blocks(draw, count, self.units + _COPIES * stack.width, score, threads, progress, multiple)


def tie(*values: Values) -> float:
    """How near to each other scores are equal."""
    return _TIE * max(float(np.abs(array).max()) for array in values)


def share_as_large(found: Values, real: float, near: float) -> float:
    """The p-value: the share of draws at least as far from 0 as the real difference, itself counted as one of them."""
    return (int(np.count_nonzero(np.abs(found) >= abs(real) - near)) + 1) / (len(found) + 1)
