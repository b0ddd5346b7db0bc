"""sacrebleu's `metrics.chrf`: chrF and chrF++."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from refscore import metrics
from refscore.compat.sacrebleu.metrics.base import Metric, Score, Signature
from refscore.compat.sacrebleu.metrics.references import ReferenceInfo, segment_row

_EPSILON = 1e-16


class CHRFSignature(Signature):
    """chrF's settings as text, from the metric's attributes."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self._add("case", "c", "lc" if args["lowercase"] else "mixed")
        self._add("eff", "e", "no" if args["eps_smoothing"] else "yes")
        self._add("nc", "nc", args["char_order"])
        self._add("nw", "nw", args["word_order"])
        self._add("space", "s", "yes" if args["whitespace"] else "no")


class CHRFScore(Score):
    """A chrF score from 0 to 100."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        super().__init__(f"chrF{beta}" + "+" * word_order, score)


@dataclass(eq=False, repr=False)
class CHRF(Metric[CHRFScore]):
    """chrF and chrF++ as sacrebleu computes them, from 0 to 100. Higher is better.

    Example:
        >>> CHRF(word_order=2).corpus_score(["the cat sat on a mat"], [["the cat sat on the mat"]])
        chrF2++ = 67.44
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _SIGNATURE_TYPE: ClassVar[type[Signature]] = CHRFSignature

    char_order: int = CHAR_ORDER
    word_order: int = WORD_ORDER
    beta: int = BETA
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False
    references: InitVar[Sequence[Sequence[str]] | None] = None

    def __post_init__(self, references: Sequence[Sequence[str]] | None) -> None:
        super().__init__()
        self.order = self.char_order + self.word_order
        self._metric()  # raises errors for invalid settings now
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _metric(self) -> metrics.CHRF:
        return self._metric_of(bool(self.lowercase))

    def _metric_of(self, lowercase: bool) -> metrics.CHRF:
        return _cached(
            self.char_order, self.word_order, self.beta, lowercase, bool(self.whitespace), bool(self.eps_smoothing)
        )

    def _metric_of_sums(self) -> metrics.CHRF:
        return self._metric_of(lowercase=False)

    def _preprocess_segment(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _extract_reference_info(self, refs: Sequence[str]) -> Mapping[str, Any]:
        return ReferenceInfo(self, refs)

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Mapping[str, Any]) -> list[int]:
        return segment_row(self, hypothesis, ref_kwargs)

    def _compute_f_score(self, statistics: Sequence[float]) -> float:
        """Return the F-score for counts, which may be fractions, with sacrebleu's operations in their order."""
        factor = self.beta**2
        sum_of_scores = precisions = recalls = 0.0
        orders = 0
        for n in range(0, 3 * self.order, 3):
            hypothesis, reference, matches = statistics[n : n + 3]
            precision = matches / hypothesis if hypothesis > 0 else _EPSILON
            recall = matches / reference if reference > 0 else _EPSILON
            weighted = factor * precision + recall
            sum_of_scores += (1 + factor) * precision * recall / weighted if weighted > 0 else _EPSILON
            if hypothesis > 0 and reference > 0:
                precisions += precision
                recalls += recall
                orders += 1
        if self.eps_smoothing:
            return 100 * sum_of_scores / self.order
        if precisions + recalls == 0:
            return 0.0
        precision, recall = precisions / orders, recalls / orders
        return 100 * ((1 + factor) * precision * recall / (factor * precision + recall))

    def _compute_score_from_stats(self, stats: Sequence[float]) -> CHRFScore:
        return CHRFScore(self._compute_f_score(stats), self.char_order, self.word_order, self.beta)

    def _values_of_arrays(self, sums: NDArray[np.float32]) -> NDArray[Any] | None:
        if not sums[:, 2::3].any(axis=1).all():
            return None
        epsilon, zero = np.float32(_EPSILON), np.float32(0)
        factor = self.beta**2
        precisions = recalls = orders = total = np.zeros(len(sums), dtype=np.float32)
        for n in range(0, 3 * self.order, 3):
            hypothesis, reference, matches = sums[:, n : n + 3].T
            precision = np.where(hypothesis > 0, matches / hypothesis, epsilon)
            recall = np.where(reference > 0, matches / reference, epsilon)
            weighted = factor * precision + recall
            total = total + np.where(weighted > 0, (1 + factor) * precision * recall / weighted, epsilon)
            is_counted = (hypothesis > 0) & (reference > 0)
            precisions = precisions + np.where(is_counted, precision, zero)
            recalls = recalls + np.where(is_counted, recall, zero)
            orders = orders + is_counted
        if self.eps_smoothing:
            return 100 * total / self.order
        precision, recall = precisions / orders, recalls / orders
        return 100 * ((1 + factor) * precision * recall / (factor * precision + recall))

    def _score(self, metric: metrics.CHRF, value: float, row: Sequence[int]) -> CHRFScore:
        # The order of operations affects the last bit only with eps_smoothing.
        score = self._compute_f_score(row) if self.eps_smoothing else 100 * value
        return CHRFScore(score, self.char_order, self.word_order, self.beta)


def _metric_of(
    char_order: int, word_order: int, beta: int, lowercase: bool, whitespace: bool, eps_smoothing: bool
) -> metrics.CHRF:
    return metrics.CHRF(
        char_order=char_order,
        word_order=word_order,
        beta=beta,
        lowercase=lowercase,
        whitespace=whitespace,
        smoothing="epsilon" if eps_smoothing else "none",
    )


# With positional arguments it is faster than `cached_metric`.
_cached = lru_cache(maxsize=64, typed=True)(_metric_of)
