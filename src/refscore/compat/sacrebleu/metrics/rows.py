"""What BLEU, chrF and TER share: refscore's rows behind sacrebleu's methods."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import Any

from numpy.typing import NDArray

from refscore import metrics
from refscore.compat.sacrebleu import inputs
from refscore.compat.sacrebleu.metrics.base import Formula, Metric

# The methods that a subclass may override; the metric is then computed segment by segment.
_SEGMENT_METHODS = (
    "_aggregate_and_compute",
    "_cache_references",
    "_compute_score_from_stats",
    "_compute_segment_statistics",
    "_extract_corpus_statistics",
    "_extract_reference_info",
    "_preprocess_segment",
)


class CachedReferences:
    """References that were tokenized once, with their texts, from which a pickle tokenizes them again."""

    def __init__(self, metric: metrics.Metric[Any], references: list[Any]) -> None:
        self.prepared = metric.prepare(references)
        self._arguments = metric, references

    def __len__(self) -> int:
        return len(self.prepared)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments


class RowsMetric(Metric):
    """A metric whose statistics are the rows of one of refscore's metrics.

    If a subclass overrides how segments are processed, or the tokenizer is not one of refscore's, texts go one by one
    through the methods of `Metric`; otherwise all at once.
    """

    @abstractmethod
    def _metric(self) -> metrics.Metric[Any]:
        """Return refscore's metric with the settings that the attributes now have."""

    @abstractmethod
    def _score(self, metric: Any, value: float, row: Sequence[Any]) -> Any:
        """Return sacrebleu's score for the value of a row."""

    def _metric_of_sums(self) -> metrics.Metric[Any]:
        """Return a metric with the same formula, which need not tokenize in the same way."""
        return self._metric()

    def _scores_rows(self) -> bool:
        """Return whether texts are scored all at once."""
        return not overrides_segment_methods(type(self))

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> Any:
        if not self._scores_rows():
            return super()._cache_references(references)
        segments = inputs.segments(references)
        cached = CachedReferences(self._metric(), segments.references)
        self.num_refs = segments.number
        return cached

    def _references(self, references: Sequence[Sequence[str | None]] | None, hypotheses: Sequence[str]) -> Any:
        """Return the references in refscore's form: those given, which are not cached, or those cached."""
        if references is not None:
            segments = inputs.segments(references)
            inputs.check_counts(len(hypotheses), len(segments.references))
            self.num_refs = segments.number
            return segments.references
        cached = self._known_references(None)
        inputs.check_counts(len(hypotheses), len(cached))
        return cached.prepared

    def _table(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None) -> NDArray[Any]:
        if not self._scores_rows():
            return super()._table(hypotheses, references)
        known = self._references(references, hypotheses)
        self._warn_if_tokenized(hypotheses)
        return self._metric().stats(hypotheses, known)

    def _formula(self, width: int) -> Formula:
        if overrides_segment_methods(type(self)):
            return super()._formula(width)
        return Formula(self._metric_of_sums(), 100.0)

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> Any:
        if not self._scores_rows():
            return super()._extract_corpus_statistics(hypotheses, references)
        return self._table(hypotheses, references).tolist()

    def _aggregate_and_compute(self, stats: Any) -> Any:
        return self._compute_score_from_stats(metrics.sum_rows(stats).tolist())

    def _compute_score_from_stats(self, stats: Any) -> Any:
        metric = self._metric()
        return self._score(metric, metric.score(stats).value, stats)

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        """Return the score of one segment, a text with a list of references; None is one that is missing."""
        if not self._scores_rows():
            return super().sentence_score(hypothesis, references)
        inputs.check_sentence(hypothesis, references)
        self.num_refs = len(references) - references.count(None)
        metric = self._metric()
        return self._score(metric, *metric.value_and_row(hypothesis, references))

    def corpus_score(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None, n_bootstrap: int = 1
    ) -> Any:
        """Return the score of a corpus, as `Metric.corpus_score` does."""
        if n_bootstrap > 1 or not self._scores_rows():
            return super().corpus_score(hypotheses, references, n_bootstrap)
        inputs.check_hypotheses(hypotheses)
        known = self._references(references, hypotheses)
        self._warn_if_tokenized(hypotheses)
        metric = self._metric()
        score = metric.corpus(hypotheses, known)
        return self._score(metric, score.value, score.row.tolist())


@cache
def overrides_segment_methods(kind: type[RowsMetric]) -> bool:
    """Return whether a subclass of one of the metrics processes segments or statistics in a different way."""
    ours = next(base for base in kind.__mro__ if base.__module__.startswith(__package__))
    return any(getattr(kind, name) is not getattr(ours, name) for name in _SEGMENT_METHODS)
