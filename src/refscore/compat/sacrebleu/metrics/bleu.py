"""sacrebleu's `metrics.bleu`: BLEU."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from refscore import metrics
from refscore.compat.error_types import UnknownNameAssertionError, UnknownNameKeyError
from refscore.compat.metric_cache import cached_metric
from refscore.compat.sacrebleu.metrics.base import Metric, Score, Signature
from refscore.compat.sacrebleu.metrics.references import ReferenceInfo, segment_row
from refscore.compat.sacrebleu.tokenizers import BaseTokenizer, tokenizer_base, tokenizer_spm
from refscore.compat.sacrebleu.utils import my_log

sacrelogger = logging.getLogger("sacrebleu")

MAX_NGRAM_ORDER = 4

# These names are also refscore's, except for "spm".
_TOKENIZERS: dict[str, type[BaseTokenizer]] = {
    "none": tokenizer_base.NoneTokenizer,
    "zh": tokenizer_base.TokenizerZh,
    "13a": tokenizer_base.Tokenizer13a,
    "intl": tokenizer_base.TokenizerV14International,
    "char": tokenizer_base.TokenizerChar,
    "ja-mecab": tokenizer_base.TokenizerJaMecab,
    "ko-mecab": tokenizer_base.TokenizerKoMecab,
    "spm": tokenizer_spm.TokenizerSPM,
    "flores101": tokenizer_spm.Flores101Tokenizer,
    "flores200": tokenizer_spm.Flores200Tokenizer,
    "spBLEU-1K": tokenizer_spm.spBLEU1KTokenizer,
}
_TOKENIZER_TYPES = frozenset(_TOKENIZERS.values())

# Every score formats its text, and % formatting is faster than f-strings.
_VERBOSE = "%s (BP = %.3f ratio = %.3f hyp_len = %d ref_len = %d)"


@cache
def _precisions(order: int) -> str:
    return "/".join(["%.1f"] * order)


def _get_tokenizer(name: str) -> Any:
    if name not in _TOKENIZERS:
        raise UnknownNameKeyError.suggest("tokenizer", name, _TOKENIZERS)
    return _TOKENIZERS[name]


class BLEUSignature(Signature):
    """BLEU's settings as text, from the metric's attributes."""

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        smooth = args["smooth_method"]
        default = BLEU.SMOOTH_DEFAULTS[smooth]
        if default is not None:
            value = args["smooth_value"]
            smooth += f"[{default if value is None else value:.2f}]"
        self._add("case", "c", "lc" if args["lowercase"] else "mixed")
        self._add("eff", "e", "yes" if args["effective_order"] else "no")
        self._add("tok", "tok", args["tokenizer_signature"])
        self._add("smooth", "s", smooth)


class BLEUScore(Score):
    """A BLEU score from 0 to 100, and its parts."""

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        ratio = sys_len / ref_len if ref_len else 0
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.prec_str = text = _precisions(len(precisions)) % tuple(precisions)
        self.ratio = ratio
        self._verbose = _VERBOSE % (text, bp, ratio, sys_len, ref_len)


@dataclass(eq=False, repr=False)
class BLEU(Metric[BLEUScore]):
    """BLEU as sacrebleu computes it, from 0 to 100. Higher is better.

    Example:
        >>> metric = BLEU()
        >>> metric.corpus_score(["the cat sat on a mat"], [["the cat sat on the mat"], ["a cat was on the mat"]])
        BLEU = 56.23 100.0/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
        >>> metric.get_signature()
        nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS = _TOKENIZERS.keys()
    TOKENIZER_DEFAULT = "13a"
    _TOKENIZER_MAP: ClassVar[dict[str, str]] = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
    _SIGNATURE_TYPE: ClassVar[type[Signature]] = BLEUSignature

    lowercase: bool = False
    force: InitVar[bool] = False
    tokenize: InitVar[str | None] = None
    smooth_method: str = "exp"
    smooth_value: float | None = None
    max_ngram_order: int = MAX_NGRAM_ORDER
    effective_order: bool = False
    trg_lang: str = ""
    references: InitVar[Sequence[Sequence[str]] | None] = None

    def __post_init__(self, force: bool, tokenize: str | None, references: Sequence[Sequence[str]] | None) -> None:
        super().__init__()
        self._force = force
        self._metric_of("13a", lowercase=False)  # raises errors for invalid settings now
        usual = self._TOKENIZER_MAP.get(self.trg_lang)
        if tokenize is None:
            tokenize = usual or self.TOKENIZER_DEFAULT
        elif usual is not None and tokenize != usual:
            sacrelogger.warning("For the language %r, the tokenizer %r or 'spm' is better.", self.trg_lang, usual)
        self.tokenizer: BaseTokenizer = _get_tokenizer(tokenize)()
        self.tokenizer_signature = self.tokenizer.signature()
        if references is not None:
            self._ref_cache = self._cache_references(references)

    @staticmethod
    def compute_bleu(
        correct: list[int],
        total: list[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """Return the score for summed counts. Counts are as in `BLEUScore`, and settings as in `BLEU`."""
        if smooth_method not in BLEU.SMOOTH_DEFAULTS:
            raise UnknownNameAssertionError.suggest("smooth_method", smooth_method, BLEU.SMOOTH_DEFAULTS)
        value: Any = BLEU.SMOOTH_DEFAULTS[smooth_method] if smooth_value is None else smooth_value
        bp = 1.0
        if sys_len < ref_len:
            bp = math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0
        precisions = [0.0] * max_ngram_order
        if not any(correct):
            return BLEUScore(0.0, correct, total, precisions, bp, sys_len, ref_len)
        # The operations and their order are sacrebleu's, because the last bit depends on them.
        order = max_ngram_order
        halved = 1.0
        for n in range(max_ngram_order):
            if n > 0 and smooth_method == "add-k":
                correct[n] += value
                total[n] += value
            if total[n] == 0:
                break
            if effective_order:
                order = n + 1
            if correct[n] != 0:
                precisions[n] = 100.0 * correct[n] / total[n]
            elif smooth_method == "exp":
                halved *= 2
                precisions[n] = 100.0 / (halved * total[n])
            elif smooth_method == "floor":
                precisions[n] = 100.0 * value / total[n]
        score = bp * math.exp(sum([my_log(precision) for precision in precisions[:order]]) / order)
        return BLEUScore(score, correct, total, precisions, bp, sys_len, ref_len)

    def _metric(self) -> metrics.BLEU:
        tokenizer: Any = self.tokenizer
        # A user's own tokenizer returns tokens separated by spaces.
        name = tokenizer.name if type(tokenizer) in _TOKENIZER_TYPES else "none"
        return self._metric_of(name, bool(self.lowercase))

    def _metric_of(self, tokenizer: str, lowercase: bool) -> metrics.BLEU:
        if self.smooth_method not in self.SMOOTH_DEFAULTS:
            raise UnknownNameAssertionError.suggest("smooth_method", self.smooth_method, self.SMOOTH_DEFAULTS)
        return cached_metric(
            metrics.BLEU,
            preset="sacrebleu",
            tokenizer=tokenizer,
            lowercase=lowercase,
            max_order=self.max_ngram_order,
            smoothing=self.smooth_method,
            smoothing_value=None if self.SMOOTH_DEFAULTS[self.smooth_method] is None else self.smooth_value,
            effective_order=bool(self.effective_order),
        )

    def _metric_of_sums(self) -> metrics.BLEU:
        return self._metric_of("none", lowercase=False)

    def _scores_rows(self) -> bool:
        return type(self.tokenizer) in _TOKENIZER_TYPES and super()._scores_rows()

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer((sent.lower() if self.lowercase else sent).rstrip())

    def _extract_reference_info(self, refs: Sequence[str]) -> Mapping[str, Any]:
        return ReferenceInfo(self, refs)

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Mapping[str, Any]) -> list[int]:
        return segment_row(self, hypothesis, ref_kwargs)

    def _compute_score_from_stats(self, stats: Any) -> BLEUScore:
        end = 2 + self.max_ngram_order
        return self.compute_bleu(
            stats[2:end],
            stats[end:],
            int(stats[0]),
            int(stats[1]),
            self.smooth_method,
            self.smooth_value,
            self.effective_order,
            self.max_ngram_order,
        )

    def _values_of_arrays(self, sums: NDArray[np.float32]) -> NDArray[Any]:
        smoothing, default = self.smooth_method, self.SMOOTH_DEFAULTS[self.smooth_method]
        value: Any = default if self.smooth_value is None else self.smooth_value
        correct, total = np.split(sums[:, 2:], 2, axis=1)
        has_matches = correct.any(axis=1)
        if smoothing == "add-k":
            correct[:, 1:] += value
            total[:, 1:] += value
        is_counted = np.logical_and.accumulate(total != 0, axis=1)
        precisions = 100.0 * correct / total
        lacks_matches = is_counted & (correct == 0)
        if smoothing == "exp":
            smoothed = 100.0 / (np.float32(2) ** np.cumsum(lacks_matches, axis=1, dtype=np.float32) * total)
        else:
            smoothed = 100.0 * value / total if smoothing == "floor" else np.zeros_like(total)
        precisions = np.where(is_counted, np.where(lacks_matches, smoothed, precisions), np.float32(0))
        scores = np.zeros(len(sums))
        for k in np.flatnonzero(has_matches):
            system, reference = int(sums[k, 0]), int(sums[k, 1])
            penalty = math.exp(1 - reference / system) if system < reference else 1.0
            order = self.max_ngram_order
            if self.effective_order:
                order = int(is_counted[k].sum()) or order
            scores[k] = penalty * math.exp(sum(map(my_log, precisions[k, :order].tolist())) / order)
        return scores

    def _score(self, metric: metrics.BLEU, value: float, row: Sequence[int]) -> BLEUScore:
        return self._compute_score_from_stats(list(row))

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        if not self.effective_order:
            sacrelogger.warning("Use `effective_order` for the BLEU of single sentences.")
        return super().sentence_score(hypothesis, references)
