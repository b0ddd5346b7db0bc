from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import accumulate
from typing import Any, Protocol, TypeAlias, TypeVar, cast, overload

import numpy as np

from refscore.cached import cached_property
from refscore.errors import InputError
from refscore.metrics import MetricChoice, RowMetric, Values, kernel_threads, sum_rows, sum_rows_by
from refscore.progress import Progress
from refscore.significance.draws import Matrix, Weights
from refscore.significance.inputs import MetricByLabel, Numbers, Runs, Systems, check_labelled
from refscore.significance.results import Comparison, Outcome, TestName, with_holm
from refscore.significance.settings import Sampling, Tests, Units
from refscore.significance.sums import SplitTables, StackedTables

T = TypeVar("T")

# Scores with a smaller relative difference are equal: the logarithms of different machines differ by less.
_TIE = 1e-12

# Weights and sums in memory at a time, over all threads: 32 MiB.
_BLOCK_CELLS = 2**22
# Fewer draws per block are not worth a thread, since every block splits large tables again.
_LEAST_ROWS = 16
# Copies of a sum during its computation: as tiles, as a whole, and joined.
_COPIES = 3


Draw: TypeAlias = Callable[[int, int], Weights]
"""A function from the begin and end of a block to its weights. Blocks are drawn in order."""


def in_blocks(
    draw: Draw,
    width: int,
    work: Callable[[slice, Weights], None],
    sampling: Sampling,
    *,
    multiple: int = 1,
    workers: int = 1,
    parts: int = 1,
) -> None:
    """Call `work` with each block and its weights.

    Each draw has `width` values in memory. Each block's length is divisible by `multiple`. There are at least as many
    blocks as `workers` and `parts`. If one is above 1, `workers` threads call `work`, while this thread draws.
    """
    count = sampling.count
    most = max(1, _BLOCK_CELLS // width)
    workers = max(1, min(workers, most // _LEAST_ROWS))
    step = -(-max(1, min(most, count) // max(workers, parts)) // multiple) * multiple

    def report(end: int) -> None:
        if sampling.progress is not None:
            sampling.progress(sampling.step, end, count)

    blocks = [(begin, min(count, begin + step)) for begin in range(0, count, step)]
    if max(workers, parts) == 1:
        for begin, end in blocks:
            work(slice(begin, end), draw(begin, end))
            report(end)
        return
    waiting: deque[tuple[int, Future[None]]] = deque()

    def finish() -> None:
        end, result = waiting.popleft()
        result.result()
        report(end)

    with ThreadPoolExecutor(workers) as pool:
        for begin, end in blocks:
            waiting.append((end, pool.submit(work, slice(begin, end), draw(begin, end))))
            if len(waiting) > workers:
                finish()
        while waiting:
            finish()


class ComparedSystems:
    """Each system's rows by several metrics.

    Args:
        metrics: The metrics by label.
        systems: The rows of each run, by label and system.
        numbers: Each segment's unit as an index.
        scores: The score of each run by label, if they are known.
    """

    def __init__(
        self,
        metrics: Mapping[str, RowMetric[Any]],
        systems: Mapping[str, Mapping[str, Runs]],
        numbers: Numbers | None,
        scores: Mapping[str, Sequence[float]] | None = None,
    ) -> None:
        first = next(iter(systems.values()))
        self.metrics = metrics
        self.runs = {name: len(runs) for name, runs in first.items()}
        self.segments = len(next(iter(first.values()))[0])
        # The columns of a system's runs, among the runs of all systems.
        ends = accumulate(self.runs.values())
        self.columns = {name: slice(end - self.runs[name], end) for name, end in zip(first, ends, strict=True)}
        self._rows = {label: [rows for runs in systems[label].values() for rows in runs] for label in metrics}
        self._numbers, self._scores = numbers, scores
        # The number of units, or None if units are segments.
        self.grouped = None if numbers is None else int(numbers.max()) + 1
        self.units = self.segments if self.grouped is None else self.grouped

    @cached_property
    def tables(self) -> dict[str, SplitTables]:
        numbers = self._numbers
        return {
            label: SplitTables(
                tables if numbers is None else [sum_rows_by(rows, numbers, self.units) for rows in tables]
            )
            for label, tables in self._rows.items()
        }

    def segment_values(self, label: str) -> list[Values]:
        """Return each run's scores of segments by a metric, NaN for segments without a score."""
        return [self.metrics[label].values(rows) for rows in self._rows[label]]

    @cached_property
    def outcomes(self) -> Mapping[str, Sequence[Outcome]]:
        """Each system's outcome with only its scores, by metric."""
        scores = self._scores or {
            label: [metric.score(sum_rows(rows)).value for rows in self._rows[label]]
            for label, metric in self.metrics.items()
        }
        return {
            label: [Outcome(name, tuple(runs[columns])) for name, columns in self.columns.items()]
            for label, runs in scores.items()
        }

    def resampled(self, draw: Draw, sampling: Sampling, *, parts: int = 1) -> dict[str, Matrix]:
        """Return each resample's scores, by metric, with one column per run. `in_blocks` takes `parts`."""
        threads = kernel_threads(sampling.threads)
        stack = StackedTables(list(self.tables.values()), threads=threads)
        values = {label: np.empty((sampling.count, sum(self.runs.values()))) for label in self.metrics}

        def score(block: slice, weights: Weights) -> None:
            for (label, metric), sums in zip(self.metrics.items(), stack.sums(weights, threads), strict=True):
                values[label][block] = _values(metric, sums, sampling).T

        in_blocks(draw, self.units + _COPIES * stack.width, score, sampling, parts=parts)
        return values

    def swapped(
        self, tables: Sequence[int], draw: Draw, sampling: Sampling, *, multiple: int = 1, parts: int = 1
    ) -> dict[str, Values]:
        """Return scores from trials that swap units between the first table and other tables, by metric.

        `draw` returns weight 1 for swapped units and 0 for others. The scores have the shape (len(tables), trials, 2):
        the first table's score and the other's. `in_blocks` takes `multiple` and `parts`.
        """
        split = list(self.tables.values())
        threads = kernel_threads(sampling.threads)
        stack = StackedTables(split, tables=tables, minus=0, threads=threads)
        whole = StackedTables(split, tables=[0, *tables], threads=threads)
        everything = whole.part_sums(np.ones((1, self.units)), threads)
        scores = {label: np.empty((len(tables), sampling.count, 2)) for label in self.metrics}

        def score(block: slice, weights: Weights) -> None:
            by_metric = zip(self.metrics.items(), split, everything, stack.part_sums(weights, threads), strict=True)
            for (label, metric), metric_tables, totals, moved in by_metric:
                trials = scores[label][:, block]
                trials[..., 0] = _values(metric, metric_tables.join(totals[:1] + moved), sampling)
                trials[..., 1] = _values(metric, metric_tables.join(totals[1:] - moved), sampling)

        in_blocks(draw, self.units + _COPIES * stack.width, score, sampling, multiple=multiple, parts=parts)
        return scores

    def comparisons(
        self,
        outcomes: Mapping[str, Sequence[Outcome]],
        tests: Tests,
        *,
        resamples: int | None,
        trials: int | None = None,
        test: TestName = "paired-bootstrap",
    ) -> dict[str, Comparison]:
        """Return each metric's comparison from its outcomes. Without draws, they have no p-values."""
        return {
            label: Comparison(
                label=label or metric.title,
                metric=metric,
                test=test,
                systems=tuple(with_holm(outcomes[label]) if tests.holm else outcomes[label]),
                segments=self.segments,
                seed=tests.seed,
                resamples=resamples,
                trials=trials,
                confidence=None if resamples is None else tests.confidence,
                units=self.grouped,
                holm=tests.holm,
                formulas=tests.formulas,
            )
            for label, metric in self.metrics.items()
        }


class PairedTest(Protocol[T]):
    """The type of functions that return one result for one metric, and results by label for several metrics."""

    @overload
    def __call__(
        self,
        metric: MetricChoice,
        systems: Systems,
        tests: Tests | None = ...,
        *,
        units: Units | None = ...,
        threads: int | None = ...,
        progress: Progress | None = ...,
        **settings: object,
    ) -> T: ...
    @overload
    def __call__(
        self,
        metric: MetricByLabel,
        systems: Mapping[str, Systems],
        tests: Tests | None = ...,
        *,
        units: Units | None = ...,
        threads: int | None = ...,
        progress: Progress | None = ...,
        **settings: object,
    ) -> dict[str, T]: ...


def of_one_or_several(function: Callable[..., T | dict[str, T]]) -> PairedTest[T]:
    """Declare a function that takes a metric and its systems, or several metrics and their systems by label."""
    return cast("PairedTest[T]", function)


def compare(
    metric: MetricChoice | MetricByLabel,
    systems: Any,
    units: Units | None,
    run: Callable[[ComparedSystems], dict[str, T]],
) -> T | dict[str, T]:
    """Check a test's arguments and return what `run` returns, for one metric or by label."""
    results = run(ComparedSystems(*check_labelled(metric, systems, units)))
    return results if isinstance(metric, (Mapping, list)) else results[""]


def _values(metric: RowMetric[Any], sums: Matrix, sampling: Sampling) -> Matrix:
    values: Matrix = metric.values(sums.reshape(-1, sums.shape[2]), threads=sampling.threads)
    if np.isnan(values).any():  # intervals and p-values would be wrong
        raise InputError(None, f"a resample has no score by {metric.title}", "score more of the segments")
    return values.reshape(sums.shape[:2])


def tie(*values: Values) -> float:
    return _TIE * max(float(np.abs(array).max()) for array in values)


def share_as_large(differences: Values, observed: float, near: float) -> float:
    """Return the p-value: the fraction of draws at least as far from 0 as the observed difference, itself included."""
    return (int(np.count_nonzero(np.abs(differences) >= abs(observed) - near)) + 1) / (len(differences) + 1)
