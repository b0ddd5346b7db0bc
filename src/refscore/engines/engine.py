"""Scoring on a cluster, the same for every engine. An engine says how to map a function over the parts of a frame."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, Generic, TypeVar

from refscore._version import __version__
from refscore.accumulation import Accumulator
from refscore.errors import Location, NotInstalledError, SettingError, relocated
from refscore.frames.job import ColumnNames, Job
from refscore.frames.scoring import check_not_empty
from refscore.metrics import MetricChoices

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ModuleNotFoundError:
    raise NotInstalledError("engines need a package: pip install 'refscore[arrow]'") from None

from refscore.frames import arrow

F = TypeVar("F")
T = TypeVar("T")


class Engine(ABC, Generic[F]):
    """Functions of frames on a cluster.

    Tasks score Arrow batches and return exact sums of rows, so the scores are those of one process to the last bit. In
    the examples, `frame` has the segments "a cat" and "a dog", and the references "the cat" and "a dog".
    """

    @abstractmethod
    def column_names(self, frame: Any) -> list[str] | None:
        """Return the columns of a frame, or None if they are not known yet; raise an error for other objects."""

    @abstractmethod
    def empty_table(self, frame: Any, job: Job) -> pa.Table | None:
        """Return the columns of a job without rows, or None if they have to be computed first."""

    @abstractmethod
    def add_scores(self, frame: Any, job: Job) -> F:
        """Return the frame with a column for each metric, computed lazily."""

    @abstractmethod
    def map_parts(self, frame: Any, job: Job, work: Callable[[Iterator[Any]], T]) -> Iterator[T]:
        """Return the results of a function of the batches of each part, in any order; raise the errors of tasks."""

    def map_totals(self, frame: Any, job: Job, start: pa.Table | None) -> Iterator[pa.Table]:
        """Return the totals of parts; `start` has those of no rows, if the columns are known."""
        return self.map_parts(frame, job, in_this_version(total_batches, job))

    def with_scores(
        self,
        frame: Any,
        hypotheses: str,
        references: ColumnNames,
        metrics: MetricChoices = "bleu",
        *,
        threads: int | None = 1,
    ) -> F:
        """Return the frame with a column of segment scores for each metric, computed lazily.

        The arguments are those of `refscore.frames.arrow.with_scores`, with a frame of the engine. Each task uses
        `threads`. Ray reserves as many CPUs; with None, a task uses all cores of its node and reserves one CPU. Spark
        has a task for each core by default.

        Returns:
            The frame with columns of doubles at its end. Errors in the data are raised when they are computed.

        Example:
            >>> scored = engine.with_scores(frame, "hyp", "ref", ["bleu", "wer"])
        """
        job = Job.parse(hypotheses, references, metrics, threads=threads, for_segments=True)
        self._check(frame, job, adds_scores=True)
        return self.add_scores(frame, job)

    def totals(
        self,
        frame: Any,
        hypotheses: str,
        references: ColumnNames,
        metrics: MetricChoices = "bleu",
        *,
        score_by: ColumnNames | None = None,
        threads: int | None = 1,
    ) -> pa.Table:
        """Return the sums of the segments' rows by groups, as `refscore.frames.arrow.totals` does.

        The arguments are those of that function, with a frame of the engine, and `threads` as for `with_scores`. A
        metric that takes weights from references is fitted first, on the driver: `metric.fit(references)`.

        Returns:
            A table for `arrow.merge` and `arrow.score`, with a row for each group, sorted, null last.

        Example:
            >>> engine.totals(frame, "hyp", "ref", "wer").to_pydict()["wer"]
            [[3, 1, 0, 0]]
        """
        return self._totals(frame, Job.parse(hypotheses, references, metrics, score_by=score_by, threads=threads))

    def corpus(
        self,
        frame: Any,
        hypotheses: str,
        references: ColumnNames,
        metrics: MetricChoices = "bleu",
        *,
        score_by: ColumnNames | None = None,
        threads: int | None = 1,
    ) -> pa.Table:
        """Return the scores of all segments together, or of each group; the arguments are those of `totals`.

        The result is that of `refscore.frames.arrow.corpus`, sorted by group, null last.

        Example:
            >>> engine.corpus(frame, "hyp", "ref", "wer").to_pydict()
            {'segments': [2], 'wer': [0.25]}
            >>> engine.corpus(frame, "hyp", "ref", "wer", score_by="ref").to_pydict()
            {'ref': ['a dog', 'the cat'], 'segments': [1, 1], 'wer': [0.0, 0.5]}
        """
        job = Job.parse(hypotheses, references, metrics, score_by=score_by, threads=threads)
        totals = self._totals(frame, job)
        if not job.score_by:
            check_not_empty(totals.num_rows)
        return arrow.score(totals, job.metrics)

    def accumulate(
        self,
        frame: Any,
        hypotheses: str,
        references: ColumnNames,
        metrics: MetricChoices = "bleu",
        *,
        threads: int | None = 1,
    ) -> Accumulator:
        """Return a `refscore.Accumulator` of all segments: scores with all their parts, which can be saved and merged.

        The arguments are those of `totals`.

        Example:
            >>> engine.accumulate(frame, "hyp", "ref", "wer").score()
            <WER = 25.00 (hits = 3 substitutions = 1 deletions = 0 insertions = 0 ref_len = 4)>
        """
        job = Job.parse(hypotheses, references, metrics, threads=threads)
        self._check(frame, job)
        accumulator = Accumulator(job.metrics)
        for part in self.map_parts(frame, job, in_this_version(accumulate_batches, job)):
            accumulator.merge(Accumulator.from_bytes(part, metrics=job.metrics))
        return accumulator

    def _totals(self, frame: Any, job: Job) -> pa.Table:
        empty = self._check(frame, job)
        start = None if empty is None else total_batches(job, empty)
        parts = self.map_totals(frame, job, start)
        first = next(parts, None) if start is None else start
        check_not_empty(first is not None)
        totals = arrow.merge(chain([first], parts))
        keys = [(name, "ascending") for name in job.score_by]
        return totals.take(pc.sort_indices(totals, sort_keys=keys)) if keys else totals

    def _check(self, frame: Any, job: Job, *, adds_scores: bool = False) -> pa.Table | None:
        """Raise an error that can be found before anything is scored; return the columns without rows, if known."""
        known = self.column_names(frame)
        if known is None:
            return None
        job.check_columns(known, adds_scores=adds_scores)
        empty = self.empty_table(frame, job)
        if empty is not None:
            arrow.scores(empty, job.hypotheses, job.references, job.metrics)
        return empty


def total_batches(job: Job, batches: Any) -> pa.Table:
    """Return the totals of batches, or of a table."""
    columns = job.hypotheses, job.references
    return arrow.totals(batches, *columns, job.metrics, score_by=job.score_by, threads=job.threads)


def accumulate_batches(job: Job, batches: Iterable[Any]) -> bytes:
    """Return the bytes of an accumulator of batches."""
    accumulator = Accumulator(job.metrics)
    for batch in batches:
        job.check_columns(batch.schema.names)
        with job.located(accumulator.segments):
            accumulator.update(*arrow.ARROW.sides(batch, job), threads=job.threads)
    return accumulator.to_bytes()


def score_batch(job: Job, batch: Any, begin: int = 0) -> Any:
    """Return a batch or a table with a column for each metric; `begin` rows of the part come before."""
    with relocated(lambda location: location.after(begin)):
        return arrow.with_scores(batch, job.hypotheses, job.references, job.metrics, threads=job.threads)


def in_this_version(work: Callable[[Job, Any], T], job: Job) -> Callable[[Any], T]:
    """Return a function of batches for workers, which refuses to run in a different version of refscore."""
    return partial(_run, __version__, work, job)


def _run(version: str, work: Callable[[Job, Any], T], job: Job, batches: Any) -> T:
    if version != __version__:
        raise SettingError(
            f"a worker has refscore {__version__} and the driver {version}: install the same version everywhere"
        )
    return work(job, batches)


def in_part(name: str) -> AbstractContextManager[None]:
    """Within it, errors name the part of the frame that rows are counted in: "hyp in line 3 of partition 3"."""

    def move(location: Location) -> Location:
        line = None if location.segment is None else location.segment + 1
        return replace(location, file=name, line=line, field=location.side)

    return relocated(move)
