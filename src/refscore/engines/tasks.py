"""What a task of an engine does, wherever it runs: batches of Arrow in, scores or sums of rows out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from refscore._version import __version__
from refscore.accumulation import Accumulator
from refscore.errors import NotInstalledError, SettingError
from refscore.frames.columns import check_columns, check_new_columns, names_of
from refscore.frames.metrics import Metrics, corpus_metrics, segment_metrics
from refscore.frames.sums import check_some, within
from refscore.metrics.core.metric import Metric

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ModuleNotFoundError:
    raise NotInstalledError("engines need a package: pip install 'refscore[arrow]'") from None

from refscore.frames import arrow


@dataclass(frozen=True)
class Task:
    """What is the same for all tasks of a job; the columns and metrics are checked, and the workers get them so.

    Example:
        >>> import pyarrow as pa
        >>> task = Task.of_corpus("hyp", "ref", "wer", score_by="lang")
        >>> batch = pa.record_batch({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> task.columns, task.totals([batch]).to_pydict()["segments"], task.accumulator([batch]).score().value
        (['hyp', 'ref', 'lang'], [1, 1], 0.25)
    """

    hypotheses: str
    references: tuple[str, ...]
    metrics: Mapping[str, Metric[Any]]
    score_by: tuple[str, ...] = ()
    threads: int | None = 1
    version: str = __version__

    @classmethod
    def of_segments(
        cls, hypotheses: str, references: str | Iterable[str], metrics: Metrics, threads: int | None = 1
    ) -> Task:
        """A task that scores single segments."""
        return cls(
            hypotheses, tuple(names_of(references, "references")), segment_metrics(metrics), threads=threads
        )._checked()

    @classmethod
    def of_corpus(
        cls,
        hypotheses: str,
        references: str | Iterable[str],
        metrics: Metrics,
        score_by: str | Iterable[str] | None = None,
        threads: int | None = 1,
    ) -> Task:
        """A task that sums rows."""
        by = tuple(names_of(score_by, "score_by"))
        return cls(
            hypotheses, tuple(names_of(references, "references")), corpus_metrics(metrics), by, threads
        )._checked()

    def _checked(self) -> Task:
        # NIST has to be fitted, which shows without any segment.
        for metric in self.metrics.values():
            metric.stats([], [])
        return self

    @property
    def columns(self) -> list[str]:
        """The columns that are needed."""
        return [*dict.fromkeys([self.hypotheses, *self.references, *self.score_by])]

    def check_names(self, known: list[str], *, new: bool = False) -> None:
        """An error for columns that are not there, or, if new ones are made, for those that are."""
        check_columns(known, self.hypotheses, list(self.references), list(self.score_by))
        if new:
            check_new_columns(known, self.metrics)

    def check_types(self, empty: pa.Table) -> pa.Schema:
        """An error for columns whose types cannot be scored; the schema of totals.

        Args:
            empty: The columns, without a row.
        """
        self.accumulator(empty.to_batches() or [pa.RecordBatch.from_pylist([], empty.schema)])
        return self.totals(empty).schema

    def scores(self, batch: Any) -> pa.RecordBatch:
        """The scores of the segments of a batch, as `arrow.scores` gives them."""
        self.check_version()
        return arrow.scores(batch, self.hypotheses, self.references, self.metrics, threads=self.threads)

    def totals(self, batches: Any) -> pa.Table:
        """The totals of batches, as `arrow.totals` gives them."""
        self.check_version()
        return arrow.totals(
            batches, self.hypotheses, self.references, self.metrics, score_by=self.score_by, threads=self.threads
        )

    def accumulator(self, batches: Iterable[Any]) -> Accumulator:
        """The sums of batches."""
        self.check_version()
        sums = Accumulator(self.metrics)
        done = 0
        for batch in batches:
            with within(done, done + batch.num_rows):
                sums.update(*arrow.sides(batch, self.hypotheses, self.references), threads=self.threads)
            done += batch.num_rows
        return sums

    def check_version(self) -> None:
        """An error on a machine with another refscore, whose scores might be others."""
        if self.version != __version__:
            raise SettingError(
                f"a worker has refscore {__version__} and the driver {self.version}: install the same everywhere"
            )


def corpus_table(sums: Accumulator) -> pa.Table:
    """The scores of all segments together, as `arrow.corpus` gives them.

    >>> sums = Accumulator("wer")
    >>> sums.update(["a cat", "a dog"], ["the cat", "a dog"])
    >>> corpus_table(sums).to_pydict()
    {'segments': [2], 'wer': [0.25]}
    """
    check_some(sums.segments)
    return pa.table({"segments": [sums.segments], **{label: [score.value] for label, score in sums.scores().items()}})


def in_order(totals: pa.Table, score_by: Iterable[str]) -> pa.Table:
    """Totals or scores in the order of their groups, null last: tasks end in any order.

    >>> import pyarrow as pa
    >>> in_order(pa.table({"lang": ["fr", None, "de"], "segments": [1, 2, 3]}), ["lang"])["segments"].to_pylist()
    [3, 1, 2]
    """
    keys = [(name, "ascending") for name in score_by]
    return totals.take(pc.sort_indices(totals, sort_keys=keys)) if keys else totals
