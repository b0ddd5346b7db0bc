"""sacrebleu's `metrics.base`: scores, signatures and the base class for metrics."""

from __future__ import annotations

import json
import logging
import statistics
from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from refscore import metrics
from refscore.compat.error_types import InputRuntimeError
from refscore.compat.sacrebleu import inputs
from refscore.compat.sacrebleu.inputs import Streams
from refscore.compat.sacrebleu.metrics.references import CachedReferences, original_metric, own_kind
from refscore.compat.sacrebleu.version import __version__
from refscore.errors import InputError, NotInstalledError

sacrelogger = logging.getLogger("sacrebleu")

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

# With this many lines that end in a separate full stop, the text is probably tokenized.
_TOKENIZED_LINES = 100


_ABBREVIATIONS = {
    **{"version": "v", "nrefs": "#", "test": "t", "lang": "l", "subset": "S", "origlang": "o"},
    **{"bs": "bs", "ar": "ar", "seed": "rs"},
}


class Score:
    """A score from 0 to 100 with its metric's name."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        number = f"{self.score:.{width}f}"
        shown = number
        interval: dict[str, Any] = {}
        if self._mean > 0:
            mean, half = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            interval = {
                "confidence_mean": float(mean),
                "confidence_var": float(half),
                "confidence": f"μ = {mean} ± {half}",
            }
            shown += f" ({interval['confidence']})"
        if score_only:
            return shown
        if is_json:
            verbose = {"verbose_score": self._verbose} if self._verbose else {}
            pairs = dict(pair.split(":") for pair in signature.split("|"))
            items = {"name": self.name, "score": float(number), "signature": signature, **interval, **verbose, **pairs}
            return json.dumps(items, indent=1, ensure_ascii=False)
        title = f"{self.name}|{signature}" if signature else self.name
        return f"{title} = {shown} {self._verbose}" if self._verbose else f"{title} = {shown}"

    def estimate_ci(self, scores: Sequence[Score]) -> None:
        """Store the resampled scores' mean, and half the width of their 95 % interval."""
        self._estimate_ci([score.score for score in scores])

    def _estimate_ci(self, scores: Iterable[float]) -> None:
        values = sorted(scores)
        outside = len(values) // 40
        self._ci = 0.5 * (values[len(values) - outside - 1] - values[outside])
        self._mean = statistics.mean(values)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """A metric's settings as text. `args` has the attributes of a metric that has computed a score."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        if "num_refs" not in args:
            raise InputError(None, "the number of references is not known yet", "compute a score first")
        self._abbr = {**_ABBREVIATIONS}
        self.info: dict[str, Any] = {
            "version": __version__,
            "nrefs": "var" if args["num_refs"] == -1 else args["num_refs"],
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def _add(self, key: str, abbreviation: str, value: Any) -> None:
        self._abbr[key] = abbreviation
        self.info[key] = value

    def format(self, short: bool = False) -> str:
        items = {**self.info}
        items["version"] = items.pop("version")  # it comes last
        pairs = []
        for name, value in items.items():
            if value is not None:
                shown = ("yes" if value else "no") if isinstance(value, bool) else value
                pairs.append(f"{self._abbr[name] if short else name}:{shown}")
        return "|".join(pairs)

    def update(self, key: str, value: Any) -> None:
        self.info[key] = value

    def __repr__(self) -> str:
        return self.format()


S = TypeVar("S", bound=Score)


class Metric(Generic[S], metaclass=ABCMeta):
    """The base class for metrics. A subclass implements the abstract methods, which score segments one by one.

    BLEU, chrF and TER also have a refscore metric. It scores all segments at once, unless a subclass of them overrides
    the processing of segments or the tokenizer is not refscore's.
    """

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = Signature
    # Whether the corpus score is computed from refscore's sum of rows.
    _adds_like_refscore: ClassVar[bool] = True

    num_refs: int

    def __init__(self) -> None:
        self._ref_cache: Any = None
        self._force = True
        self.n_bootstrap: int | None = None
        self.seed: str | None = None

    @abstractmethod
    def _compute_score_from_stats(self, stats: Any) -> S:
        """Return the score for summed statistics."""

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str:
        """Return the preprocessed text."""

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> Any:
        """Return the information about one segment's references that scoring needs."""

    @abstractmethod
    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Mapping[str, Any]) -> list[Any]:
        """Return one segment's statistics."""

    def _aggregate_and_compute(self, stats: Any) -> S:
        """Return the score for segments' statistics."""
        return self._compute_score_from_stats(metrics.sum_rows(stats).tolist())

    def _metric(self) -> metrics.Metric[Any]:
        """Return refscore's metric with the current settings."""
        raise NotImplementedError

    def _metric_of_sums(self) -> metrics.Metric[Any]:
        """Return a metric with the same formula, for preprocessed text."""
        return self._metric()

    def _score(self, metric: Any, value: float, row: Sequence[Any]) -> S:
        """Return sacrebleu's score for a row and its value."""
        raise NotImplementedError

    def _values_of_arrays(self, sums: NDArray[np.float32]) -> NDArray[Any] | None:
        """Return the scores of all sums at once, or None if sacrebleu's numbers are not all of the same type."""
        raise NotImplementedError

    def _scores_rows(self) -> bool:
        return not overrides_segment_methods(type(self))

    def _cache_references(self, references: Streams) -> Any:
        """Return the information about all segments' references that scoring needs, and store their number."""
        segments = inputs.segments(references)
        known: Any
        if self._scores_rows():
            settings = copy(self)  # without its cached references
            settings._ref_cache = None
            known = CachedReferences(settings, segments)
        else:
            known = [
                self._extract_reference_info([self._preprocess_segment(text) for text in texts])
                for texts in segments.lists()
            ]
        self.num_refs = segments.number
        return known

    def _known_references(self, references: Streams | None) -> Any:
        """Return the information about the given references, or about the cached ones."""
        if references is not None:
            return self._cache_references(references)
        if self._ref_cache is None:
            raise InputRuntimeError(None, "there are no references", "pass references here, or to the metric")
        return self._ref_cache

    def _pairs(self, hypotheses: Sequence[str], references: Streams | None) -> tuple[Sequence[str], Any]:
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

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Streams | None) -> Any:
        if self._scores_rows():
            return self._table(hypotheses, references).tolist()
        hypotheses, known = inputs.paired(hypotheses, self._known_references(references))
        self._warn_if_tokenized(hypotheses)
        return [
            self._compute_segment_statistics(self._preprocess_segment(hypothesis), one)
            for hypothesis, one in zip(hypotheses, known, strict=True)
        ]

    def _table(self, hypotheses: Sequence[str], references: Streams | None) -> NDArray[Any]:
        if self._scores_rows():
            return self._metric().stats(*self._pairs(hypotheses, references))
        return np.asarray(self._extract_corpus_statistics(hypotheses, references))

    def _metric_of_rows(self, width: int) -> metrics.Metric[Any]:
        """Return a refscore metric that computes the score from summed statistics with `width` columns."""
        metric = self
        if not overrides_segment_methods(type(self)):
            return self._metric_of_sums()

        class SumsMetric(metrics.PythonMetric):
            name = "statistics"
            columns = tuple(f"statistic_{n}" for n in range(1, width + 1))

            def row(self, hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> Sequence[float]:
                known = metric._extract_reference_info([" ".join(tokens) for tokens in references])
                return metric._compute_segment_statistics(" ".join(hypothesis), known)

            def value(self, row: Sequence[float]) -> float:
                return float(metric._compute_score_from_stats(row).score)

        return SumsMetric(tokenizer="none")

    def _values_of_sums(self, sums: NDArray[np.float32]) -> NDArray[Any]:
        """Return scores for summed statistics, as sacrebleu computes them from NumPy's numbers."""
        values = None
        if _ARRAYS_ROUND_LIKE_NUMBERS and not overrides_segment_methods(type(self)):
            with np.errstate(divide="ignore", invalid="ignore"):
                values = self._values_of_arrays(sums)
        return np.array([self._compute_score_from_stats(row).score for row in sums]) if values is None else values

    def _warn_if_tokenized(self, hypotheses: Sequence[str]) -> None:
        if self._force or len(hypotheses) < _TOKENIZED_LINES:
            return
        if sum(text.endswith(" .") for text in hypotheses) >= _TOKENIZED_LINES:
            sacrelogger.warning(
                "%d or more lines end in a separate full stop. The text looks tokenized, which may lower the score. "
                "If this is intended, use the parameter `force` to turn off this warning.",
                _TOKENIZED_LINES,
            )

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> S:
        """Return a segment's score, for a text and its references. None is a missing reference."""
        inputs.check_sentence(hypothesis, references)
        if self._scores_rows():
            self.num_refs = len(references) - references.count(None)
            metric = self._metric()
            return self._score(metric, *metric.value_and_row(hypothesis, references))
        stats = self._extract_corpus_statistics([hypothesis], [[reference] for reference in references])
        return self._aggregate_and_compute(stats)

    def corpus_score(self, hypotheses: Sequence[str], references: Streams | None, n_bootstrap: int = 1) -> S:
        """Return the corpus score."""
        hypotheses = inputs.checked_hypotheses(hypotheses)
        if references is None and len(hypotheses) == 1 and n_bootstrap <= 1 and self._scores_rows():
            metric = self._metric()
            single = self._known_references(None).single(metric)
            if single is not None:
                return self._score(metric, *metric.value_and_row(hypotheses[0], single))
        if self._adds_like_refscore and n_bootstrap <= 1 and self._scores_rows():
            metric = self._metric()
            texts, known = self._pairs(hypotheses, references)
            if len(texts) == 1 and references is not None:  # many programs score one segment per call
                return self._score(metric, *metric.value_and_row(texts[0], known[0]))
            total = metric.corpus(texts, known)
            return self._score(metric, total.value, total.row.tolist())
        table = self._table(hypotheses, references)
        score = self._aggregate_and_compute(table.tolist())
        if n_bootstrap > 1:
            from refscore.compat.sacrebleu.significance import bootstrap_resample

            self.n_bootstrap = n_bootstrap
            self.seed, resampled = bootstrap_resample(table, self, n_bootstrap)
            score._estimate_ci(resampled)
        return score

    def get_signature(self) -> Signature:
        return self._SIGNATURE_TYPE(self.__dict__)

    def __getattr__(self, name: str) -> Any:
        """Return a private attribute from the installed sacrebleu's metric, which some clients use."""
        if not name.startswith("_") or name.startswith("__"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        try:
            return getattr(original_metric(self), name)
        except NotInstalledError as error:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}: {error}") from None


@cache
def overrides_segment_methods(kind: type[Metric[Any]]) -> bool:
    return any(getattr(kind, name) is not getattr(own_kind(kind), name) for name in _SEGMENT_METHODS)
