from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from refscore import _native
from refscore.cached import cached_property
from refscore.errors import Argument, Location, SettingError
from refscore.inputs import Segment
from refscore.metrics.core.aggregation import AggregatingMetric
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import NLTK, SACREBLEU, TAKES_TOKENS, Preset
from refscore.metrics.core.score import KernelPart, RowCount, RowCounts, Score, Values
from refscore.metrics.core.text_settings import TextMetric
from refscore.settings import Flag, Kind, Number, OrNone, as_float, choice, order_setting, setting

_EVALUATE = partial(
    Preset,
    tool="Hugging Face's evaluate",
    scale=1,
    note="the same as the script of TensorFlow's NMT tutorial, which takes tokens",
)
_TORCHMETRICS = partial(Preset, tool="torchmetrics", version="1.9.0", scale=1, note="it computes in single precision")

PRESETS: Mapping[str, Preset] = {
    "sacrebleu": SACREBLEU({}, part="corpus_bleu and its command"),
    "sacrebleu-sentence": SACREBLEU({"effective_order": True}, part="sentence_bleu"),
    "nltk": NLTK(
        {"tokenizer": "none", "smoothing": "nltk-0", "short_order": "pad"}, part="corpus_bleu", note=TAKES_TOKENS
    ),
    "r": Preset(
        {
            "tokenizer": "none",
            "smoothing": "none",
            "reference_length": "closest-first",
            "short_order": "pad",
            "no_match": "smooth",
        },
        tool="sacRebleu for R",
        version="0.2.0",
        scale=1,
        note="it takes token ids, so refscore splits text at whitespace",
    ),
    "mteval": Preset(
        {"lowercase": "ascii", "short_order": "perfect", "no_match": "smooth"}, tool="mteval-v13a.pl", scale=1
    ),
    "textbook": Preset(
        {"tokenizer": "none", "smoothing": "none"}, tool="Papineni et al. 2002", scale=1, note=TAKES_TOKENS
    ),
    "multi-bleu": Preset(
        {"tokenizer": "ascii-spaces", "smoothing": "none"},
        tool="Moses' multi-bleu.perl",
        scale=100,
        note="it takes tokenized text, and its option -lc is lowercase='ascii'",
    ),
    "evaluate": _EVALUATE(
        {"tokenizer": "13a-evaluate", "smoothing": "none", "reference_length": "shortest"}, part="bleu"
    ),
    "evaluate-smooth": _EVALUATE(
        {
            "tokenizer": "13a-evaluate",
            "smoothing": "add-k-all",
            "reference_length": "shortest",
            "no_match": "smooth",
        },
        part="bleu with smooth=True",
    ),
    "torchmetrics": _TORCHMETRICS(
        {"tokenizer": "none", "smoothing": "none", "reference_length": "closest-first"}, part="BLEUScore"
    ),
    "torchmetrics-smooth": _TORCHMETRICS(
        {"tokenizer": "none", "smoothing": "add-k", "reference_length": "closest-first", "no_match": "zero-if-any"},
        part="BLEUScore with smooth=True",
    ),
    "coco-caption": Preset(
        {"tokenizer": "none", "smoothing": "coco", "no_match": "smooth"},
        tool="pycocoevalcap",
        version="1.2",
        part="Bleu_4 of coco-caption",
        scale=1,
        note="it takes captions split by its PTB tokenizer, so refscore splits text at whitespace",
    ),
}


S = TypeVar("S", bound="BLEUScore")

# What each smoothing does, and its default value, or None for a smoothing without a value.
SMOOTHINGS: Mapping[str, tuple[str, float | None]] = {
    "none": ("an order without a match makes the score 0", None),
    "exp": ("orders without a match count 1/2, 1/4, … of a match", None),
    "floor": ("an order without a match counts {smoothing_value} matches", 0.1),
    "add-k": ("{smoothing_value} is added to matches and n-grams of the orders above 1", 1.0),
    "floor-segments": ("each segment without a match of an order adds {smoothing_value} matches to it", 0.1),
    "add-k-all": ("{smoothing_value} is added to matches and n-grams of every order", 1.0),
    "coco": ("1e-15 is added to matches and 1e-9 to n-grams, and the same to the two lengths", None),
    "nltk-0": ("an order without a match makes the score nearly 0", None),
    "nltk-1": ("NLTK's method 1 gives an order without a match {smoothing_value} matches", 0.1),
    "nltk-2": ("NLTK's method 2 adds 1 to matches and n-grams of the orders above 1", None),
    "nltk-3": ("NLTK's method 3 counts 1/2, 1/4, … of a match for orders without one", None),
    "nltk-4": ("NLTK's method 4 counts fractions of a match that grow with the length, by {smoothing_value}", 5.0),
    "nltk-5": ("NLTK's method 5 averages each order with its neighbours", None),
    "nltk-6": ("NLTK's method 6 interpolates each order from the two below, by {smoothing_value}", 5.0),
    "nltk-7": ("NLTK's method 7 applies method 4, then method 5", 5.0),
}

# sacrebleu's tokenizers for languages that its default tokenizer cannot split.
_LANGUAGE_TOKENIZERS = {"ja": "ja-mecab", "ko": "ko-mecab", "zh": "zh-sacrebleu"}


class OrderWeightsKind(Kind):
    values = ("numbers separated by commas", "none")

    def check(self, name: str, value: Any) -> tuple[float, ...] | None:
        if value is None:
            return None
        try:
            weights = tuple(as_float(weight) for weight in value)
        except (TypeError, OverflowError):
            raise SettingError(f"{name} must be a tuple of numbers, not {value!r}") from None
        if not weights:
            raise SettingError(f"{name} is empty: pass one weight per order, or None for equal weights")
        if any(weight < 0 for weight in weights) or not any(weights) or not math.isfinite(sum(weights)):
            raise SettingError(f"{name} must be finite, at least 0 and not all 0, not {value!r}")
        return weights

    def write(self, value: Any) -> str:
        return "uniform" if value is None else ",".join(map(repr, value))

    def read(self, text: str) -> Any:
        return None if text == "uniform" else tuple(float(weight) for weight in text.split(","))

    def parse(self, text: str) -> Any:
        return None if text.lower() == "none" else tuple(float(weight) for weight in text.split(","))


class BLEUScore(Score):
    """A BLEU score with its precisions, brevity penalty, counts and lengths.

    Example:
        >>> import refscore
        >>> references = [["the cat sat on the mat", "a cat was on the mat"], "it was late"]
        >>> score = refscore.bleu(["the cat sat on a mat", "it was late"], references)
        >>> print(score)
        BLEU = 61.48 100.0/71.4/60.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 9 ref_len = 9)
        >>> score.counts, score.totals
        ((9, 5, 3, 1), (9, 7, 5, 3))
        >>> score.signature
        'bleu|nrefs:var|case:mixed|norm:none|tok:13a|order:4|weights:uniform|smooth:exp|eff:no|len:closest|short:zero|nomatch:zero|version:0.1.0'
    """

    __slots__ = ()

    metric: BLEUFormula[Any]

    value = KernelPart[float](0, "The score, from 0 to 1.")
    brevity_penalty = KernelPart[float](
        1, "The brevity penalty: 1 if the hypotheses are at least as long as the references, less if they are shorter."
    )
    precisions = KernelPart[tuple[float, ...]](2, "The n-gram precisions by order, from 0 to 1, after smoothing.")
    counts = RowCounts(lambda metric: slice(2, 2 + metric.max_order), "The clipped matches by order, before smoothing.")
    totals = RowCounts(
        lambda metric: slice(2 + metric.counted_orders, 2 + metric.counted_orders + metric.max_order),
        "The hypothesis n-grams by order, before smoothing.",
    )
    hyp_len = RowCount(0, "How many tokens the hypotheses have.")

    @property
    def ref_len(self) -> float:
        """The reference length; a whole number unless lengths are averaged."""
        length = self.row[1].item()
        return length if self.metric.reference_length == "average" else int(length)

    @property
    def percent(self) -> float:
        """The score from 0 to 100. Every digit is sacrebleu's for settings that sacrebleu has."""
        return float(self.metric.printed_values(self.row[np.newaxis])[0])

    @property
    def ratio(self) -> float:
        """hyp_len / ref_len, or 0 if the references are empty."""
        return _ratio(self.hyp_len, self.ref_len)

    parts = ("precisions", "counts", "totals", "brevity_penalty", "hyp_len", "ref_len", "ratio")

    def __str__(self) -> str:
        value, brevity_penalty, precisions = self._kernel_parts()
        hyp_len, ref_len = self.hyp_len, self.ref_len
        # Rounded first, since a multiplication by 100 may move a value off a tie that sacrebleu's division gives.
        orders = "/".join(f"{round(100 * precision, 10):.1f}" for precision in precisions)
        return (
            f"{self.metric.title} = {round(100 * value, 10):.2f} {orders} (BP = {brevity_penalty:.3f} "
            f"ratio = {_ratio(hyp_len, ref_len):.3f} hyp_len = {hyp_len} ref_len = {round(ref_len, 2)})"
        )


def _ratio(length: float, reference_length: float) -> float:
    return length / reference_length if reference_length else 0.0


@dataclass(frozen=True, kw_only=True)
class BLEUFormula(TextMetric[S]):
    """BLEU's settings, rows and formula, for metrics that choose which n-grams count."""

    max_order: int = order_setting(4, "The largest order of n-grams.")
    weights: tuple[float, ...] | None = setting(
        None,
        "One weight per order; None for equal weights.",
        OrderWeightsKind(),
        key="weights",
        title="weights",
        stage="formula",
        words={None: "all orders have the same weight"},
        otherwise="the weights of the orders are {weights}",
    )
    smoothing: str = choice(
        "exp",
        'How to avoid precisions of 0: "none", "exp" (count 1/2, 1/4, … of a match), "floor" (a small number of '
        'matches), "add-k" (add k to matches and n-grams of orders above 1), "floor-segments" (a small number of '
        'matches for each segment without matches), "add-k-all" (add k for every order), "coco" (as in coco-caption: '
        'add 1e-15 to matches and 1e-9 to n-grams, and the same to the two lengths), or "nltk-0" to "nltk-7" (NLTK\'s '
        "methods).",
        {name: words for name, (words, _) in SMOOTHINGS.items()},
        key="smooth",
        companion="smoothing_value",
        title="smoothing",
        stage="formula",
        alternatives=("exp", "none", "floor", "add-k", "nltk-1"),
        other_names=("smooth_method", "smoothing_function", "smooth"),
    )
    smoothing_value: float | None = setting(
        None,
        "The number that the smoothing uses, such as the floor or k; None for its default.",
        OrNone(Number(0)),
        other_names=("smooth_value", "epsilon", "k"),
    )
    effective_order: bool = setting(
        False,
        "Average only over orders that the hypothesis is long enough for. Use it to score single segments.",
        Flag(),
        key="eff",
        title="missing orders",
        stage="formula",
        words={
            False: "the mean is over all orders",
            True: "the mean is over the orders that the hypothesis is long enough for",
        },
    )
    reference_length: Literal["closest", "closest-first", "shortest", "average"] = choice(
        "closest",
        "Which of several reference lengths counts.",
        {
            "closest": "the closest reference length counts, the shorter of two equally close ones",
            "closest-first": "the closest reference length counts, the first of two equally close ones",
            "shortest": "the shortest reference length counts",
            "average": "the mean reference length counts",
        },
        key="len",
        title="reference length",
    )
    short_order: Literal["zero", "pad", "perfect"] = choice(
        "zero",
        "How a segment counts for an order that it is too short for.",
        {
            "zero": "a segment too short for an order adds nothing to it, and precision is 0 if all are too short",
            "pad": "a segment too short for an order adds one n-gram without a match to it",
            "perfect": "a segment too short for an order adds nothing to it, and precision is 1 if all are too short",
        },
        key="short",
        title="short segments",
    )
    no_match: Literal["zero", "zero-if-any", "smooth"] = choice(
        "zero",
        "When the score is 0 in spite of smoothing.",
        {
            "zero": "the score is 0 if no token matches, in spite of smoothing",
            "zero-if-any": "the score is 0 if any order has no match, in spite of smoothing",
            "smooth": "smoothing applies even if no token matches",
        },
        key="nomatch",
        title="no match at all",
        stage="formula",
    )

    def _check(self) -> None:
        if self.weights is not None and len(self.weights) != self.max_order:
            raise SettingError(
                f"weights has {len(self.weights)} entries for max_order={self.max_order}: "
                f"pass one weight per order, or use {Argument('max_order', len(self.weights), self.name)}"
            )
        if self.smoothing == "nltk-6" and self.max_order < 3:
            raise SettingError(f"smoothing 'nltk-6' needs a max_order of at least 3, not {self.max_order}")
        _, default = SMOOTHINGS[self.smoothing]
        if self.smoothing_value is None:
            self._set("smoothing_value", default)
        elif default is None:
            raise SettingError(f"smoothing {self.smoothing!r} takes no smoothing_value: omit it")
        elif self.smoothing_value == 0 and self.smoothing in ("nltk-4", "nltk-7"):
            raise SettingError(f"smoothing_value of {self.smoothing!r} must not be 0: it is a divisor")

    def ignores(self, ngram: tuple[Any, ...]) -> bool:
        """Return whether an n-gram counts neither as a match nor as a hypothesis n-gram."""
        return False

    @property
    def ngram_rule(self) -> str:
        """Which n-grams count, for `explain`, empty if all do."""
        return ""

    @property
    def counted_orders(self) -> int:
        """The orders in rows. NLTK's smoothings 5 and 7 always need 5-grams."""
        return max(self.max_order, 5) if self.smoothing in ("nltk-5", "nltk-7") else self.max_order

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The column names."""
        kinds = ["correct", "total"]
        if self.short_order == "pad":
            kinds.append("short")
        if self.smoothing == "floor-segments":
            kinds.append("unmatched")
        return ("hyp_len", "ref_len", *(f"{kind}_{n}" for kind in kinds for n in range(1, self.counted_orders + 1)))

    @cached_property
    def row_type(self) -> np.dtype[Any]:
        """The number type: int64, or float64 if reference lengths are averaged."""
        return np.dtype(np.float64 if self.reference_length == "average" else np.int64)

    def parts(self, row: Any) -> tuple[float, float, tuple[float, ...]]:
        """Return a row's value, brevity penalty and smoothed precisions. The row is not checked.

        Args:
            row: One number per column.

        Example:
            >>> import refscore
            >>> metric = refscore.BLEU(max_order=1)
            >>> metric.parts(metric.value_and_row("the the the", "the cat")[1])
            (0.3333333333333333, 1.0, (0.3333333333333333,))
        """
        parts: tuple[float, float, tuple[float, ...]] = self.kernel.parts(np.asarray(row, np.float64))
        return parts


@dataclass(frozen=True, kw_only=True)
class BLEU(AggregatingMetric[BLEUScore], BLEUFormula[BLEUScore]):
    """BLEU: the geometric mean of clipped n-gram precisions, times a penalty for brevity.

    Every difference between known implementations is a setting. An empty hypothesis scores 0. An empty corpus has no
    score.

    Example:
        >>> import refscore
        >>> metric = refscore.BLEU(max_order=2, smoothing="none")
        >>> round(metric.corpus([["a", "b", "c", "d"]], [[["a", "b", "x", "d"]]]).value, 12)
        0.5
        >>> metric.segments(["a b c d", "x y"], ["a b x d", "a b"]).round(12)
        array([0.5, 0. ])
    """

    name = "bleu"
    kernel_type = _native.Bleu
    papers = (
        "Papineni, Roukos, Ward, Zhu (2002): BLEU: a Method for Automatic Evaluation of Machine Translation. ACL.",
        "Smoothings: Chen and Cherry (2014): A Systematic Comparison of Smoothing Techniques for Sentence-Level BLEU. "
        "WMT.",
    )
    signature_reader = "refscore.metrics.bleu.sacrebleu_signature"
    presets: ClassVar[Mapping[str, Preset]] = PRESETS
    segment_settings: ClassVar[Mapping[str, Any]] = {"effective_order": True}

    def printed_values(self, rows: ArrayLike, *, threads: int | None = None) -> Values:
        """Return the scores for rows from 0 to 100.

        With the presets `sacrebleu` and `sacrebleu-sentence`, every bit is sacrebleu's with Python 3.11. From Python
        3.12 on, sacrebleu's last bit may differ, because `sum` of Python then compensates for rounding.
        """
        table = np.ascontiguousarray(self._as_table(rows, Location("rows")), dtype=np.float64)
        percents: Values = self.kernel.percents(table)
        return percents

    @classmethod
    def with_settings(cls, settings: Mapping[str, Any]) -> BLEU:
        """Return BLEU with settings from a mapping. With sacrebleu's presets, "zh" is sacrebleu's tokenizer."""
        if settings.get("preset") in ("sacrebleu", "sacrebleu-sentence") and settings.get("tokenizer") == "zh":
            settings = {**settings, "tokenizer": "zh-sacrebleu"}
        return super().with_settings(settings)

    @classmethod
    def settings_for_language(cls, language: str) -> Mapping[str, Any]:
        """Return sacrebleu's tokenizer for a language, if it is not the default one."""
        tokenizer = _LANGUAGE_TOKENIZERS.get(language)
        return {} if tokenizer is None else {"tokenizer": tokenizer}


bleu = corpus_function(BLEU)


def ngram_precision_score(candidate: Segment, references: Sequence[Segment], max_n: int) -> float:
    """Return a candidate's n-gram precision score: BLEU without smoothing, as in the original paper.

    The score is 0 if any order has no match, or if the candidate has fewer than `max_n` tokens.

    Args:
        candidate: A token sequence.
        references: Token sequences.
        max_n: The largest n-gram order, at least 1.

    Returns:
        The score, from 0 to 1.

    Example:
        >>> import refscore
        >>> references = ["a fast brown fox".split(), "the slow brown dog".split()]
        >>> round(refscore.ngram_precision_score("the quick brown fox".split(), references, 2), 12)
        0.5
    """
    return BLEU.preset("textbook", max_order=max_n).segment(candidate, references).value
