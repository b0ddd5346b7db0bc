"""sacrebleu's `metrics.ter`: TER."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from refscore import metrics
from refscore.compat.metric_cache import cached_metric
from refscore.compat.sacrebleu.inputs import Streams
from refscore.compat.sacrebleu.metrics.base import Metric, Score, Signature
from refscore.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from refscore.compat.sacrebleu.utils import sum_of_lists


class TERSignature(Signature):
    """TER's settings as text, from the metric's attributes."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self._add("case", "c", "mixed" if args["case_sensitive"] else "lc")
        self._add("tok", "t", args["tokenizer_signature"])
        self._add("norm", "nr", args["normalized"])
        self._add("punct", "pn", not args["no_punct"])
        self._add("asian", "as", args["asian_support"])


class TERScore(Score):
    """A TER score. 0 is best, and it may exceed 100."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


@dataclass(eq=False, repr=False)
class TER(Metric[TERScore]):
    """TER as sacrebleu computes it. 0 is best, and it may exceed 100.

    Example:
        >>> metric = TER(references=[["it rained today"]])
        >>> for system in (["today it rained"], ["it rained today"]):
        ...     print(metric.corpus_score(system, None))
        TER = 33.33
        TER = 0.00
    """

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = TERSignature
    # Mean lengths may be fractions. Like sacrebleu, add them one by one, which rounds after every segment.
    _adds_like_refscore: ClassVar[bool] = False

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False
    references: InitVar[Sequence[Sequence[str]] | None] = None

    def __post_init__(self, references: Sequence[Sequence[str]] | None) -> None:
        super().__init__()
        self.tokenizer = TercomTokenizer(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)
        self.tokenizer_signature = self.tokenizer.signature()
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def _metric(self) -> metrics.TER:
        # A user's own tokenizer returns tokens, which no tokenizer changes.
        name = self.tokenizer.name if type(self.tokenizer) is TercomTokenizer else "none"
        return cached_metric(metrics.TER, tokenizer=name, lowercase=not self.case_sensitive)

    def _scores_rows(self) -> bool:
        return type(self.tokenizer) is TercomTokenizer and super()._scores_rows()

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer(sent.rstrip())

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"ref_words": [self._preprocess_segment(text).split() for text in refs]}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Mapping[str, Any]) -> list[Any]:
        edits, length = self._metric().stats([hypothesis.split()], [ref_kwargs["ref_words"]])[0].tolist()
        return [int(edits), length]

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Streams | None) -> list[list[Any]]:
        return [[int(edits), length] for edits, length in super()._extract_corpus_statistics(hypotheses, references)]

    def _aggregate_and_compute(self, stats: Any) -> TERScore:
        return self._compute_score_from_stats(sum_of_lists(stats))

    def _compute_score_from_stats(self, stats: Sequence[float]) -> TERScore:
        edits, length = stats
        rate = edits / length if length > 0 else float(edits > 0)
        return TERScore(100 * rate, edits, length)

    def _values_of_arrays(self, sums: NDArray[np.float32]) -> NDArray[Any] | None:
        edits, lengths = sums.T
        return 100 * (edits / lengths) if lengths.all() else None

    def _score(self, metric: metrics.TER, value: float, row: Sequence[float]) -> TERScore:
        return TERScore(100 * value, *row)
