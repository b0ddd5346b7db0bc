"""What BLEU, chrF and TER have in common here: refscore's rows under sacrebleu's methods."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore import metrics
from refscore.compat.sacrebleu import streams
from refscore.compat.sacrebleu.metrics.base import Formula, Metric

# What a subclass may have written anew; one that has is not computed all at once.
_METHODS = (
    "_aggregate_and_compute",
    "_cache_references",
    "_compute_score_from_stats",
    "_compute_segment_statistics",
    "_extract_corpus_statistics",
    "_extract_reference_info",
    "_preprocess_segment",
)


class CachedReferences:
    """References that were read once, with the texts to read them again from where that is needed: after pickling."""

    def __init__(self, metric: metrics.Metric[Any], references: list[Any]) -> None:
        self.prepared = metric.prepare(references)
        self._arguments = metric, references

    def __len__(self) -> int:
        return len(self.prepared)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments


class RowsMetric(Metric):
    """A metric whose statistics are the rows of one of refscore's.

    Where a subclass has a way of its own with segments, or the tokenizer is not one of refscore's, texts go one by one
    through the methods of `Metric`; else all at once.
    """

    @abstractmethod
    def _metric(self) -> metrics.Metric[Any]:
        """The metric of refscore's with the settings that the attributes now have."""

    @abstractmethod
    def _score(self, metric: Any, row: NDArray[Any]) -> Any:
        """The score of a row, as sacrebleu has it."""

    def _metric_of_sums(self) -> metrics.Metric[Any]:
        """One that has the same formula, whatever it does to text."""
        return self._metric()

    def _is_plain(self) -> bool:
        return not has_own_way(type(self))

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> Any:
        if not self._is_plain():
            return super()._cache_references(references)
        segments = streams.segments(references, type(self).__name__)
        cached = CachedReferences(self._metric(), segments.references)
        self.num_refs = segments.number
        return cached

    def _references(self, references: Sequence[Sequence[str | None]] | None, hypotheses: Sequence[str]) -> Any:
        """The references as refscore takes them: those given, which are not kept, or those cached."""
        if references:
            segments = streams.segments(references, type(self).__name__)
            streams.check_counts(len(hypotheses), len(segments.references))
            self.num_refs = segments.number
            return segments.references
        cached = self._known_references(None)
        streams.check_counts(len(hypotheses), len(cached))
        return cached.prepared

    def _table(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None) -> NDArray[Any]:
        if not self._is_plain():
            return super()._table(hypotheses, references)
        known = self._references(references, hypotheses)
        self._warn_if_tokenized(hypotheses)
        return self._metric().stats(hypotheses, known)

    def _formula(self, width: int) -> Formula:
        return super()._formula(width) if has_own_way(type(self)) else Formula(self._metric_of_sums(), 100.0)

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> list[list[Any]]:
        if not self._is_plain():
            rows: list[list[Any]] = super()._extract_corpus_statistics(hypotheses, references)
        else:
            rows = self._table(hypotheses, references).tolist()
        return rows

    def _aggregate_and_compute(self, stats: Any) -> Any:
        return self._compute_score_from_stats(np.asarray(stats).sum(0).tolist())

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        """The score of one segment.

        Args:
            hypothesis: A text.
            references: Its references, None for one that is missing.

        Returns:
            The score.
        """
        if not self._is_plain():
            return super().sentence_score(hypothesis, references)
        streams.check_sentence(hypothesis, references, type(self).__name__)
        self.num_refs = len(references) - references.count(None)
        metric = self._metric()
        if metric.pipeline.prepare is not None:
            return self._score(metric, metric.segment(hypothesis, references).row)
        try:
            row = metric.kernel.total((hypothesis,), (references,), 1)[0]
        except Exception:  # what the kernel cannot read as it is, or what nothing can read
            row = metric.segment(hypothesis, references).row
        return self._score(metric, row)

    def corpus_score(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None, n_bootstrap: int = 1
    ) -> Any:
        """The score of a corpus.

        Args:
            hypotheses: The texts, one for each segment.
            references: Streams of references: lists with one text for each segment, None where a segment has none; or
                None for those that were cached.
            n_bootstrap: If more than 1, so many resamples for an interval around the score.

        Returns:
            The score.
        """
        if n_bootstrap > 1 or not self._is_plain():
            return super().corpus_score(hypotheses, references, n_bootstrap)
        streams.check_corpus(hypotheses, references, type(self).__name__)
        known = self._references(references, hypotheses)
        self._warn_if_tokenized(hypotheses)
        metric = self._metric()
        return self._score(metric, metric.corpus(hypotheses, known).row)


@cache
def has_own_way(kind: type[RowsMetric]) -> bool:
    """Whether a subclass of a metric of ours has methods of its own for segments or statistics."""
    ours = next(base for base in kind.__mro__ if base.__module__.startswith(__package__))
    return any(getattr(kind, name) is not getattr(ours, name) for name in _METHODS)
