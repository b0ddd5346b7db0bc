"""Scoring on a cluster, shared by all engines. An engine defines how to map a function over a frame's parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from refscore._version import __version__
from refscore.data_warnings import KINDS
from refscore.errors import Location, SettingError, relocated
from refscore.evaluation import Evaluation
from refscore.evaluation.evaluation import UNNAMED
from refscore.frames.columns import present_segments
from refscore.frames.job import GroupBy, Job, Names, Options
from refscore.frames.parts import frame_parts
from refscore.frames.scoring import add_scores, check_not_empty
from refscore.frames.sums import merge, score_totals, sum_table
from refscore.metrics import MetricChoices

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import Unpack

F = TypeVar("F")
T = TypeVar("T")


class Engine(ABC, Generic[F]):
    """Functions that score frames on a cluster.

    They take the same arguments as `refscore.frames`' functions with the same names. Tasks score Arrow batches
    and return exact sums, so the scores equal one process' scores to the last bit.

    `threads` is the thread count per task (1 by default), and the CPUs that Ray reserves for it. With None, a Ray
    task reserves one CPU and uses all its node's cores. Spark runs one task per core by default.

    In the examples, `frame` has the hypotheses "a cat" and "a dog", and the references "the cat" and "a dog".
    """

    @abstractmethod
    def column_names(self, frame: Any) -> list[str] | None:
        """Return a frame's column names, or None if unknown yet. Raise an error if it is not a frame."""

    @abstractmethod
    def empty_table(self, frame: Any, job: Job) -> pa.Table | None:
        """Return a table with a job's columns and no rows, or None if they must be computed first."""

    @abstractmethod
    def add_scores(self, frame: Any, job: Job) -> F:
        """Return the frame with a lazily computed column per metric."""

    @abstractmethod
    def map_parts(self, frame: Any, job: Job, work: Callable[[Iterator[Any]], T]) -> Iterator[T]:
        """Call `work` with each part's batches, and return the results in any order. Raise tasks' errors."""

    def map_totals(self, frame: Any, job: Job, start: pa.Table | None) -> Iterator[pa.Table]:
        """Return totals by part. `start` has the totals without rows, if the columns are known."""
        return self.map_parts(frame, job, in_this_version(sum_table, job))

    def with_scores(
        self, frame: F, hypotheses: str, references: Names, metrics: MetricChoices = "bleu", **options: Unpack[Options]
    ) -> F:
        """Return the frame with a lazily computed column per metric: segment scores as doubles.

        Errors in the data are raised when the columns are computed.

        Example:
            >>> scored = engine.with_scores(frame, "hyp", "ref", ["bleu", "wer"])
        """
        job = _parse(hypotheses, references, metrics, by=None, for_segments=True, **options)
        self._check(frame, job, add_scores)
        return self.add_scores(frame, job)

    def totals(
        self, frame: F, hypotheses: str, references: Names, metrics: MetricChoices = "bleu", **options: Unpack[GroupBy]
    ) -> pa.Table:
        """Return summed rows by group: a table for `merge` and `score_totals` in `refscore.frames`.

        Groups are sorted, null last. If a metric takes weights from references, call `metric.fit(references)` on the
        driver first.

        Example:
            >>> engine.totals(frame, "hyp", "ref", "wer").to_pydict()["wer"]
            [[3, 1, 0, 0]]
        """
        return self._totals(frame, _parse(hypotheses, references, metrics, **options))

    def corpus(
        self, frame: F, hypotheses: str, references: Names, metrics: MetricChoices = "bleu", **options: Unpack[GroupBy]
    ) -> pa.Table:
        """Return corpus scores for all segments, or for each group, as an Arrow table. Sorts groups like `totals`.

        Example:
            >>> engine.corpus(frame, "hyp", "ref", "wer").to_pydict()
            {'segments': [2], 'wer': [0.25]}
            >>> engine.corpus(frame, "hyp", "ref", "wer", by="ref").to_pydict()
            {'ref': ['a dog', 'the cat'], 'segments': [1, 1], 'wer': [0.0, 0.5]}
        """
        job = _parse(hypotheses, references, metrics, **options)
        totals = self._totals(frame, job)
        if not job.by:
            check_not_empty(totals.num_rows)
        return score_totals(totals, job.metrics)

    def evaluate(
        self,
        frame: F,
        hypotheses: str,
        references: Names,
        metrics: MetricChoices = "bleu",
        *,
        system: str = UNNAMED,
        **options: Unpack[Options],
    ) -> Evaluation:
        """Return a `refscore.Evaluation` with summed rows, which can be saved and merged.

        `system` is the system's name.

        Example:
            >>> engine.evaluate(frame, "hyp", "ref", "wer").score()
            <WER = 25.00 (hits = 3 substitutions = 1 deletions = 0 insertions = 0 ref_len = 4)>
        """
        job = _parse(hypotheses, references, metrics, by=None, **options)
        work = partial(evaluate_batches, system)
        self._check(frame, job, work)
        evaluation = Evaluation(job.metrics, [system], choices=metrics)
        for part in self.map_parts(frame, job, in_this_version(work, job)):
            evaluation.merge(Evaluation.from_bytes(part, metrics=job.metrics))
        evaluation.ignored_warnings = KINDS  # workers see only parts of the data
        return evaluation

    def _totals(self, frame: Any, job: Job) -> pa.Table:
        start = self._check(frame, job, sum_table)
        parts = self.map_totals(frame, job, start)
        first = next(parts, None) if start is None else start
        check_not_empty(first is not None)
        totals = merge(chain([first], parts))
        keys = [(name, "ascending") for name in job.by]
        return totals.sort_by(keys) if keys else totals

    def _check(self, frame: Any, job: Job, work: Callable[[Job, Any], T]) -> T | None:
        """Raise errors that can be found before scoring. Return the result without rows, if the columns are known."""
        known = self.column_names(frame)
        if known is None:
            return None
        job.check_columns(known, adds_scores=work is add_scores)
        empty = self.empty_table(frame, job)
        return None if empty is None else work(job, empty)


def _parse(*arguments: Any, threads: int | None = 1, **options: Any) -> Job:
    return Job.parse(*arguments, threads=threads, **options)


def evaluate_batches(system: str, job: Job, batches: Any) -> bytes:
    """Return an evaluation as bytes."""
    job.check_sums()
    evaluation = Evaluation(job.metrics, [system])
    begin = 0
    for part in frame_parts(batches, job):
        with present_segments(job, part, begin) as (sides, _):
            evaluation.add(*sides, threads=job.threads)
        begin += len(part)
    return evaluation.to_bytes()


def in_this_version(work: Callable[[Job, Any], T], job: Job) -> Callable[[Any], T]:
    """Return a function for workers that raises an error if their refscore version differs from this one."""
    return partial(_run, __version__, work, job)


def _run(version: str, work: Callable[[Job, Any], T], job: Job, batches: Any) -> T:
    if version != __version__:
        raise SettingError(
            f"a worker has refscore {__version__}, but the driver has {version}: install the same version everywhere"
        )
    return work(job, batches)


def in_part(name: str) -> AbstractContextManager[None]:
    """Return a context in which errors name the frame's part, as in "hyp in line 3 of partition 3"."""

    def move(location: Location) -> Location:
        line = None if location.segment is None else location.segment + 1
        return replace(location, file=name, line=line, field=location.side)

    return relocated(move)
