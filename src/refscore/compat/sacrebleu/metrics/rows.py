"""The base class for BLEU, chrF and TER: sacrebleu's methods on refscore's rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore import metrics
from refscore.cached import cached_property
from refscore.compat.sacrebleu import inputs
from refscore.compat.sacrebleu.metrics.base import Metric, S
from refscore.compat.sacrebleu.metrics.private_names import original_metric
from refscore.errors import NotInstalledError

# With NumPy 1, the formulas compute some intermediate results in float64, but only for single numbers.
_ARRAYS_ROUND_LIKE_NUMBERS = (np.float32(1) * 1.0).dtype == np.float32

# If a subclass overrides one of these methods, segments are scored one by one.
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
    """Tokenized references and their texts. A pickle has only the texts and tokenizes them again."""

    def __init__(self, metric: RowsMetric[Any], segments: inputs.Segments) -> None:
        self._arguments = metric, segments
        self._information: dict[int, dict[str, Any]] = {}
        if not {*map(type, segments.references)} <= {str}:
            len(self.prepared)  # raises errors for invalid references now

    @cached_property
    def prepared(self) -> metrics.PreparedReferences:
        metric, segments = self._arguments
        return metric._metric().prepare(segments.references)

    def __len__(self) -> int:
        return len(self._arguments[1].references)

    def __getitem__(self, index: int | slice) -> Any:
        metric, segments = self._arguments
        if isinstance(index, slice):
            return CachedReferences(metric, segments._replace(references=segments.references[index]))
        known = self._information.get(index)
        if known is None:
            texts = segments._replace(references=[segments.references[index]]).lists()[0]
            known = metric._extract_reference_info([metric._preprocess_segment(text) for text in texts])
            self._information[index] = known
        return known

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments


class RowsMetric(Metric[S]):
    """A metric whose statistics are a refscore metric's rows.

    All segments are scored at once, unless a subclass overrides the processing of segments or the tokenizer is not
    refscore's. In these cases, `Metric`'s methods score segments one by one.
    """

    @abstractmethod
    def _metric(self) -> metrics.Metric[Any]:
        """Return refscore's metric with the current settings."""

    @abstractmethod
    def _score(self, metric: Any, value: float, row: Sequence[Any]) -> S:
        """Return sacrebleu's score for a row and its value."""

    def _metric_of_sums(self) -> metrics.Metric[Any]:
        """Return a metric with the same formula. Its tokenizer may differ."""
        return self._metric()

    def _scores_rows(self) -> bool:
        return not overrides_segment_methods(type(self))

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> Any:
        if not self._scores_rows():
            return super()._cache_references(references)
        segments = inputs.segments(references)
        settings = copy(self)  # without its cached references
        settings._ref_cache = None
        cached = CachedReferences(settings, segments)
        self.num_refs = segments.number
        return cached

    def _pairs(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> tuple[Sequence[str], Any]:
        """Return hypotheses and references in refscore's form. Without given references, use the cached ones."""
        if references is not None:
            segments = inputs.segments(references)
            self.num_refs = segments.number
            hypotheses, known = inputs.paired(hypotheses, segments.references)
        else:
            hypotheses, cached = inputs.paired(hypotheses, self._known_references(None))
            known = cached.prepared
        self._warn_if_tokenized(hypotheses)
        return hypotheses, known

    def __getattr__(self, name: str) -> Any:
        """Return a private attribute from the installed sacrebleu's metric, which some clients use."""
        if not name.startswith("_") or name.startswith("__"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        try:
            return getattr(original_metric(self), name)
        except NotInstalledError as error:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}: {error}") from None

    def _table(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None) -> NDArray[Any]:
        if not self._scores_rows():
            return super()._table(hypotheses, references)
        return self._metric().stats(*self._pairs(hypotheses, references))

    def _metric_of_rows(self, width: int) -> metrics.Metric[Any]:
        if overrides_segment_methods(type(self)):
            return super()._metric_of_rows(width)
        return self._metric_of_sums()

    def _values_of_sums(self, sums: NDArray[np.float32]) -> NDArray[Any]:
        values = None
        if _ARRAYS_ROUND_LIKE_NUMBERS and not overrides_segment_methods(type(self)):
            with np.errstate(divide="ignore", invalid="ignore"):
                values = self._values_of_arrays(sums)
        return super()._values_of_sums(sums) if values is None else values

    @abstractmethod
    def _values_of_arrays(self, sums: NDArray[np.float32]) -> NDArray[Any] | None:
        """Return the scores of all sums at once; None if sacrebleu's numbers are not all of the same type."""

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> Any:
        if not self._scores_rows():
            return super()._extract_corpus_statistics(hypotheses, references)
        return self._table(hypotheses, references).tolist()

    def _aggregate_and_compute(self, stats: Any) -> S:
        return self._compute_score_from_stats(metrics.sum_rows(stats).tolist())

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> S:
        if not self._scores_rows():
            return super().sentence_score(hypothesis, references)
        inputs.check_sentence(hypothesis, references)
        self.num_refs = len(references) - references.count(None)
        metric = self._metric()
        return self._score(metric, *metric.value_and_row(hypothesis, references))

    def corpus_score(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None, n_bootstrap: int = 1
    ) -> S:
        if n_bootstrap > 1 or not self._scores_rows():
            return super().corpus_score(hypotheses, references, n_bootstrap)
        texts, known = self._pairs(inputs.checked_hypotheses(hypotheses), references)
        metric = self._metric()
        if len(texts) == 1 and references is not None:  # many programs score one segment per call
            return self._score(metric, *metric.value_and_row(texts[0], known[0]))
        score = metric.corpus(texts, known)
        return self._score(metric, score.value, score.row.tolist())


@cache
def overrides_segment_methods(kind: type[RowsMetric[Any]]) -> bool:
    ours = next(base for base in kind.__mro__ if base.__module__.startswith(__package__))
    return any(getattr(kind, name) is not getattr(ours, name) for name in _SEGMENT_METHODS)
