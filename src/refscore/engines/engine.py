"""Scoring on a cluster, shared by all engines. An engine defines how to map a function over the parts of a frame."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, Generic, TypeVar

from refscore._version import __version__
from refscore.errors import Location, NotInstalledError, SettingError, relocated
from refscore.evaluation import Evaluation
from refscore.evaluation.evaluation import UNNAMED
from refscore.frames.job import ColumnNames, Job
from refscore.frames.scoring import check_not_empty
from refscore.metrics import MetricChoices

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ModuleNotFoundError:
    raise NotInstalledError("engines need pyarrow: pip install 'refscore[arrow]'") from None

from refscore.frames import arrow

F = TypeVar("F")
T = TypeVar("T")


class Engine(ABC, Generic[F]):
    """Functions that score frames on a cluster.

    Tasks score Arrow batches and return exact sums of rows, so the scores equal those of one process to the last bit.
    In the examples, `frame` has the hypotheses "a cat" and "a dog", and the references "the cat" and "a dog".
    """

    @abstractmethod
    def column_names(self, frame: Any) -> list[str] | None:
        """Return the names of a frame's columns, or None if unknown yet. Raise an error if it is not a frame."""

    @abstractmethod
    def empty_table(self, frame: Any, job: Job) -> pa.Table | None:
        """Return a table with the columns of a job and no rows, or None if they must be computed first."""

    @abstractmethod
    def add_scores(self, frame: Any, job: Job) -> F:
        """Return the frame with a lazily computed column per metric."""

    @abstractmethod
    def map_parts(self, frame: Any, job: Job, work: Callable[[Iterator[Any]], T]) -> Iterator[T]:
        """Call `work` with the batches of each part, and return the results in any order. Raise errors of tasks."""

    def map_totals(self, frame: Any, job: Job, start: pa.Table | None) -> Iterator[pa.Table]:
        """Return the totals of parts. `start` has the totals of no rows, if the columns are known."""
        return self.map_parts(frame, job, in_this_version(total_batches, job))

    def with_scores(
        self,
        frame: Any,
        hypotheses: str,
        references: ColumnNames,
        metrics: MetricChoices = "bleu",
        *,
        sources: str | None = None,
        threads: int | None = 1,
    ) -> F:
        """Return the frame with a lazily computed column of segment scores per metric.

        The arguments are those of `refscore.frames.arrow.with_scores`, with a frame of the engine. `threads` is the
        number of threads per task, and of CPUs that Ray reserves for it. With None, a Ray task reserves one CPU and
        uses all cores of its node. Spark runs one task per core by default.

        Returns:
            The frame with columns of doubles appended. Errors in the data are raised when the columns are computed.

        Example:
            >>> scored = engine.with_scores(frame, "hyp", "ref", ["bleu", "wer"])
        """
        job = Job.parse(hypotheses, references, metrics, sources=sources, threads=threads, for_segments=True)
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
        sources: str | None = None,
        threads: int | None = 1,
    ) -> pa.Table:
        """Return the sums of the segments' rows by group, like `refscore.frames.arrow.totals`.

        The arguments are those of that function, with a frame of the engine, and `threads` as for `with_scores`. If a
        metric takes weights from references, call `metric.fit(references)` on the driver first.

        Returns:
            A table for `arrow.merge` and `arrow.score` with one row per group, sorted, null last.

        Example:
            >>> engine.totals(frame, "hyp", "ref", "wer").to_pydict()["wer"]
            [[3, 1, 0, 0]]
        """
        return self._totals(
            frame, Job.parse(hypotheses, references, metrics, score_by=score_by, sources=sources, threads=threads)
        )

    def corpus(
        self,
        frame: Any,
        hypotheses: str,
        references: ColumnNames,
        metrics: MetricChoices = "bleu",
        *,
        score_by: ColumnNames | None = None,
        sources: str | None = None,
        threads: int | None = 1,
    ) -> pa.Table:
        """Return the corpus scores of all segments, or of each group. The arguments are those of `totals`.

        The result is that of `refscore.frames.arrow.corpus`, sorted by group, null last.

        Example:
            >>> engine.corpus(frame, "hyp", "ref", "wer").to_pydict()
            {'segments': [2], 'wer': [0.25]}
            >>> engine.corpus(frame, "hyp", "ref", "wer", score_by="ref").to_pydict()
            {'ref': ['a dog', 'the cat'], 'segments': [1, 1], 'wer': [0.0, 0.5]}
        """
        job = Job.parse(hypotheses, references, metrics, score_by=score_by, sources=sources, threads=threads)
        totals = self._totals(frame, job)
        if not job.score_by:
            check_not_empty(totals.num_rows)
        return arrow.score(totals, job.metrics)

    def evaluate(
        self,
        frame: Any,
        hypotheses: str,
        references: ColumnNames,
        metrics: MetricChoices = "bleu",
        *,
        system: str = UNNAMED,
        sources: str | None = None,
        threads: int | None = 1,
    ) -> Evaluation:
        """Return the `refscore.Evaluation` of all segments, with sums of rows, which can be saved and merged.

        The arguments are those of `totals`. `system` is the name of the system.

        Example:
            >>> engine.evaluate(frame, "hyp", "ref", "wer").score()
            <WER = 25.00 (hits = 3 substitutions = 1 deletions = 0 insertions = 0 ref_len = 4)>
        """
        job = Job.parse(hypotheses, references, metrics, sources=sources, threads=threads)
        self._check(frame, job)
        evaluation = Evaluation(job.metrics, [system])
        for part in self.map_parts(frame, job, in_this_version(partial(evaluate_batches, system), job)):
            evaluation.merge(Evaluation.from_bytes(part, metrics=job.metrics))
        return evaluation

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
        """Raise errors that can be found before scoring. Return the columns without rows, if known."""
        known = self.column_names(frame)
        if known is None:
            return None
        job.check_columns(known, adds_scores=adds_scores)
        empty = self.empty_table(frame, job)
        if empty is not None:
            arrow.scores(empty, job.hypotheses, job.references, job.metrics, sources=job.sources)
        return empty


def total_batches(job: Job, batches: Any) -> pa.Table:
    """Return the totals of batches or of a table."""
    columns = job.hypotheses, job.references
    return arrow.totals(batches, *columns, job.metrics, score_by=job.score_by, sources=job.sources, threads=job.threads)


def evaluate_batches(system: str, job: Job, batches: Iterable[Any]) -> bytes:
    """Return the evaluation of batches as bytes."""
    evaluation = Evaluation(job.metrics, [system])
    for batch in batches:
        job.check_columns(batch.schema.names)
        with job.located(evaluation.segments):
            evaluation.add(*arrow.ARROW.sides(batch, job), threads=job.threads)
    return evaluation.to_bytes()


def score_batch(job: Job, batch: Any, begin: int = 0) -> Any:
    """Return a batch or table with a column of scores per metric. Errors count rows from `begin`."""
    with relocated(lambda location: location.after(begin)):
        columns = job.hypotheses, job.references
        return arrow.with_scores(batch, *columns, job.metrics, sources=job.sources, threads=job.threads)


def in_this_version(work: Callable[[Job, Any], T], job: Job) -> Callable[[Any], T]:
    """Return a function for workers that raises an error if their version of refscore differs from this one."""
    return partial(_run, __version__, work, job)


def _run(version: str, work: Callable[[Job, Any], T], job: Job, batches: Any) -> T:
    if version != __version__:
        raise SettingError(
            f"a worker has refscore {__version__}, but the driver has {version}: install the same version everywhere"
        )
    return work(job, batches)


def in_part(name: str) -> AbstractContextManager[None]:
    """Return a context in which errors name the part of the frame, as in "hyp in line 3 of partition 3"."""

    def move(location: Location) -> Location:
        line = None if location.segment is None else location.segment + 1
        return replace(location, file=name, line=line, field=location.side)

    return relocated(move)
