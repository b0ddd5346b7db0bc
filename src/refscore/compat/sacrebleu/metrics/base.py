"""sacrebleu's `metrics.base`: scores, signatures, and what metrics derive from."""

from __future__ import annotations

import json
import logging
import statistics
from abc import ABCMeta, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refscore import metrics
from refscore.compat.sacrebleu import inputs
from refscore.compat.sacrebleu.errors import NoReferencesError
from refscore.compat.sacrebleu.version import __version__
from refscore.errors import InputError

sacrelogger = logging.getLogger("sacrebleu")

# So many lines that end in a full stop of its own are taken for tokenized text.
_TOKENIZED_LINES = 100


class Score:
    """A score, from 0 to 100, by the name of its metric, and its text.

    Example:
        >>> from refscore.compat.sacrebleu.metrics.base import Score
        >>> print(Score("mine", 12.345).format(width=1))
        mine = 12.3
    """

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """Return the score as text: one line, or JSON on several.

        Args:
            width: Digits after the decimal point.
            score_only: The number alone, with its interval if there is one.
            signature: The text of a signature, to stand before the number.
            is_json: JSON, with the parts of the signature as keys.
        """
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
        """Store the mean of resampled scores, and half the width of the interval that holds 95 % of them."""
        values = sorted(score.score for score in scores)
        outside = len(values) // 40
        self._ci = 0.5 * (values[len(values) - outside - 1] - values[outside])
        self._mean = statistics.mean(values)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """The settings of a metric that was computed, as text; `args` are the attributes of the metric.

    Example:
        >>> from refscore.compat.sacrebleu import TER
        >>> metric = TER()
        >>> _ = metric.corpus_score(["a b"], [["a c"]])
        >>> print(metric.get_signature().format(short=True))
        #:1|c:lc|t:tercom|nr:no|pn:yes|as:no|v:2.6.0
    """

    def __init__(self, args: Mapping[str, Any]) -> None:
        if "num_refs" not in args:
            raise InputError(None, "the number of references is not known yet", "compute a score first")
        self._abbr: dict[str, str] = {}
        self.info: dict[str, Any] = {}
        self._add("version", "v", __version__)
        self._add("nrefs", "#", "var" if args["num_refs"] == -1 else args["num_refs"])
        self._add("bs", "bs", args.get("n_bootstrap"))
        self._add("ar", "ar", None)
        self._add("seed", "rs", args.get("seed"))
        self._add("test", "t", args.get("test_set"))
        self._add("lang", "l", args.get("langpair"))
        self._add("origlang", "o", args.get("origlang"))
        self._add("subset", "S", args.get("subset"))

    def _add(self, key: str, abbreviation: str, value: Any) -> None:
        self._abbr[key] = abbreviation
        self.info[key] = value

    def format(self, short: bool = False) -> str:
        """Return the signature as text, with abbreviated keys if `short`; the version comes last."""
        names = [name for name in self.info if name != "version"]
        pairs = []
        for name in [*names, "version"]:
            value = self.info[name]
            if value is None:
                continue
            if isinstance(value, bool):
                value = "yes" if value else "no"
            pairs.append(f"{self._abbr[name] if short else name}:{value}")
        return "|".join(pairs)

    def update(self, key: str, value: Any) -> None:
        """Set one item."""
        self.info[key] = value

    def __repr__(self) -> str:
        return self.format()


class Formula(NamedTuple):
    """One of refscore's metrics, and what its values are to be multiplied with."""

    metric: metrics.Metric[Any]
    scale: float


class Metric(metaclass=ABCMeta):
    """What metrics derive from: five methods about one segment, from which scores of corpora are made.

    Example:
        >>> from refscore.compat.sacrebleu import BLEU, CHRF, TER
        >>> from refscore.compat.sacrebleu.metrics.base import Metric
        >>> all(issubclass(metric, Metric) for metric in (BLEU, CHRF, TER))
        True
    """

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = Signature

    num_refs: int

    def __init__(self) -> None:
        self._ref_cache: Any = None
        self._force = True
        self.n_bootstrap: int | None = None
        self.seed: str | None = None

    @abstractmethod
    def _aggregate_and_compute(self, stats: Any) -> Any:
        """Return the score of segments' statistics."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: Any) -> Any:
        """Return the score of summed statistics."""

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str:
        """Return the text to count for a text."""

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """Return what has to be known of one segment's references."""

    @abstractmethod
    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        """Return the statistics of one segment."""

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> Any:
        """Return what has to be known of all segments' references, and store their number."""
        segments = inputs.segments(references)
        self.num_refs = segments.number
        return [
            self._extract_reference_info([self._preprocess_segment(text) for text in texts])
            for texts in segments.lists()
        ]

    def _known_references(self, references: Sequence[Sequence[str | None]] | None) -> Any:
        """Return what is known of the references given, or of those that were cached."""
        if references is not None:
            return self._cache_references(references)
        if self._ref_cache is None:
            raise NoReferencesError(None, "no references are given, and none were cached with references=")
        return self._ref_cache

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> Any:
        """Return the statistics of each segment."""
        known = self._known_references(references)
        count = inputs.paired_count(len(hypotheses), len(known))
        self._warn_if_tokenized(hypotheses[:count])
        return [
            self._compute_segment_statistics(self._preprocess_segment(hypothesis), one)
            for hypothesis, one in zip(hypotheses[:count], known, strict=False)
        ]

    def _table(self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None) -> NDArray[Any]:
        """Return the statistics of each segment, as an array."""
        return np.asarray(self._extract_corpus_statistics(hypotheses, references))

    def _formula(self, width: int) -> Formula:
        """Return what computes the score from sums of statistics, of which a segment has so many."""
        metric = self

        class SumsMetric(metrics.PythonMetric):
            name = "statistics"
            columns = tuple(f"statistic_{n}" for n in range(1, width + 1))

            def row(self, hypothesis: list[str], references: list[list[str]]) -> Sequence[float]:
                known = metric._extract_reference_info([" ".join(tokens) for tokens in references])
                return metric._compute_segment_statistics(" ".join(hypothesis), known)

            def value(self, row: Sequence[float]) -> float:
                return float(metric._compute_score_from_stats(row).score)

        return Formula(SumsMetric(tokenizer="none"), 1.0)

    def _warn_if_tokenized(self, hypotheses: Sequence[str]) -> None:
        if self._force or len(hypotheses) < _TOKENIZED_LINES:
            return
        if sum(text.endswith(" .") for text in hypotheses) >= _TOKENIZED_LINES:
            sacrelogger.warning(
                "%d lines or more end in a full stop of its own: the text looks tokenized, which may lower the score. "
                "If it is meant to be so, the parameter `force` turns this warning off.",
                _TOKENIZED_LINES,
            )

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        """Return the score of one segment, a text with a list of references; None is one that is missing."""
        inputs.check_sentence(hypothesis, references)
        stats = self._extract_corpus_statistics([hypothesis], [[reference] for reference in references])
        return self._aggregate_and_compute(stats)

    def corpus_score(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None, n_bootstrap: int = 1
    ) -> Any:
        """Return the score of a corpus.

        Args:
            hypotheses: The texts, one for each segment.
            references: Streams of references: lists with one text for each segment, None where a segment has none; or
                None for those that were cached.
            n_bootstrap: If more than 1, so many resamples for an interval around the score.
        """
        inputs.check_hypotheses(hypotheses)
        table = self._table(hypotheses, references)
        score = self._aggregate_and_compute(table.tolist())
        if n_bootstrap > 1:
            from refscore.compat.sacrebleu.significance import interval

            self.n_bootstrap = n_bootstrap
            self.seed, score._mean, score._ci = interval(self._formula(table.shape[1]), table, score.score, n_bootstrap)
        return score

    def get_signature(self) -> Signature:
        """Return the signature of the last computation."""
        return self._SIGNATURE_TYPE(self.__dict__)
