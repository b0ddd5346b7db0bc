"""BLEU: the geometric mean of clipped n-gram precisions, times a penalty for brevity.

Papineni, Roukos, Ward, Zhu (2002): BLEU: a Method for Automatic Evaluation of Machine Translation. ACL.
Smoothings: Chen and Cherry (2014): A Systematic Comparison of Smoothing Techniques for Sentence-Level BLEU. WMT.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from refscore import _native
from refscore._version import __version__
from refscore.errors import SettingError
from refscore.metrics.bleu.presets import PRESETS
from refscore.metrics.core.aggregation import aggregate
from refscore.metrics.core.metric import Metric, Score
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.settings import (
    CASES,
    FLAGS,
    MOST_ORDERS,
    check_flag,
    check_name,
    from_signature_pairs,
    number,
    number_from_zero,
    one_of,
    whole_number,
    yes,
)
from refscore.signature import join, split_value, with_value
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase, Normalize, Pipeline

if TYPE_CHECKING:
    from refscore.steps import Steps

# The value that a smoothing takes where none is given; None: it takes no value.
SMOOTHINGS: Mapping[str, float | None] = {
    "none": None,
    "exp": None,
    "floor": 0.1,
    "add-k": 1.0,
    "floor-segments": 0.1,
    "add-k-all": 1.0,
    "coco": None,
    "nltk-0": None,
    "nltk-1": 0.1,
    "nltk-2": None,
    "nltk-3": None,
    "nltk-4": 5.0,
    "nltk-5": None,
    "nltk-6": 5.0,
    "nltk-7": 5.0,
}
REFERENCE_LENGTHS = ("closest", "closest-first", "shortest", "average")
SHORT_ORDERS = ("zero", "pad", "perfect")
# What a signature calls the values of require_match.
MATCHES: Mapping[str, bool | Literal["all"]] = {"yes": True, "no": False, "all": "all"}

_REQUIRED = {
    True: _native.RequireMatch.token,
    False: _native.RequireMatch.nothing,
    "all": _native.RequireMatch.every_order,
}


class BLEUScore(Score):
    """A BLEU score: its value and what it is made of.

    Example:
        >>> import refscore
        >>> score = refscore.bleu(["the cat sat on a mat"], ["the cat sat on the mat"])
        >>> print(score)
        BLEU = 53.73 83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
        >>> score.counts, score.totals
        ((5, 3, 2, 1), (6, 5, 4, 3))
        >>> score.signature
        'bleu|nrefs:1|case:mixed|norm:none|tok:13a|order:4|weights:uniform|smooth:exp|eff:no|len:closest|short:zero|match:yes|version:0.1.0'
    """

    __slots__ = ()

    metric: BLEU

    def _parts(self) -> tuple[float, float, tuple[float, ...]]:
        kernel = self.metric.kernel
        assert isinstance(kernel, _native.Bleu)
        return kernel.parts(self.row.astype(np.float64))

    @property
    def value(self) -> float:
        """The score, from 0 to 1."""
        return self._parts()[0]

    @property
    def brevity_penalty(self) -> float:
        """1 if the hypotheses are as long as the references, less if they are shorter."""
        return self._parts()[1]

    @property
    def precisions(self) -> tuple[float, ...]:
        """The n-gram precisions of each order, from 0 to 1, after smoothing."""
        return self._parts()[2]

    @property
    def counts(self) -> tuple[int, ...]:
        """The clipped matches of each order, before smoothing."""
        return tuple(int(count) for count in self.row[2 : 2 + self.metric.max_order])

    @property
    def totals(self) -> tuple[int, ...]:
        """The hypotheses' n-grams of each order, before smoothing."""
        begin = 2 + self.metric.counted_orders
        return tuple(int(count) for count in self.row[begin : begin + self.metric.max_order])

    @property
    def hyp_len(self) -> int:
        """The number of tokens of the hypotheses."""
        return int(self.row[0])

    @property
    def ref_len(self) -> float:
        """The reference length that the hypotheses are held against; a whole number unless lengths are averaged."""
        length = self.row[1].item()
        return length if self.metric.reference_length == "average" else int(length)

    @property
    def ratio(self) -> float:
        """hyp_len / ref_len; 0 if the references are empty."""
        return self.hyp_len / self.ref_len if self.ref_len else 0.0

    def details(self) -> dict[str, Any]:
        """What the score is made of, ready for JSON."""
        _, brevity_penalty, precisions = self._parts()
        return {
            "precisions": list(precisions),
            "counts": list(self.counts),
            "totals": list(self.totals),
            "brevity_penalty": brevity_penalty,
            "hyp_len": self.hyp_len,
            "ref_len": self.ref_len,
            "ratio": self.ratio,
        }

    def __str__(self) -> str:
        value, brevity_penalty, precisions = self._parts()
        # Rounded first, since a product with 100 may lie just beside the tie that sacrebleu's quotient is.
        orders = "/".join(f"{round(100 * precision, 10):.1f}" for precision in precisions)
        return (
            f"BLEU = {round(100 * value, 10):.2f} {orders} (BP = {brevity_penalty:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.hyp_len} ref_len = {round(self.ref_len, 2)})"
        )


@dataclass(frozen=True, kw_only=True)
class BLEU(Metric[BLEUScore]):
    """BLEU with all settings that the known implementations differ in. 0..1, higher is better.

    An empty hypothesis scores 0; an empty corpus has no score.

    Args:
        tokenizer: How text is split: a name (`refscore.tokenizers.available()`), a function from text to tokens, or
            an object of the packages tokenizers, tiktoken or sentencepiece.
        lowercase: True for `str.lower`, "ascii" for only A to Z.
        normalize: The Unicode normalization of text: "none", "NFC" or "NFKC".
        max_order: The longest n-grams that count, 1 or more.
        weights: One for each order; None for the same for all.
        smoothing: What stands in for precisions of 0: "none", "exp" (1/2, 1/4, …), "floor" (a small numerator), "add-k"
            (k more matches and n-grams for orders above 1); R's "floor-segments" (a small numerator for each segment
            without matches) and "add-k-all" (every order); "coco" (coco-caption's 1e-15 more matches and 1e-9 more
            n-grams, and the same for the two lengths); "nltk-0" to "nltk-7", NLTK's methods.
        smoothing_value: The number that the smoothing takes; None for its default.
        effective_order: The mean runs only over the orders that exist: for scores of single segments.
        reference_length: The length that counts of several references: "closest" (of two equally close ones the
            shorter), "closest-first" (the first), "shortest" or "average".
        short_order: What an order counts that is longer than a segment: "zero" (nothing; 0 if it is so for all
            segments), "pad" (one n-gram without a match) or "perfect" (precision 1 if it is so for all segments).
        require_match: Without a single matching token the score is 0, whatever the smoothing; "all": without a match of
            every order.

    Example:
        >>> import refscore
        >>> metric = refscore.BLEU(max_order=2, smoothing="none")
        >>> round(metric.corpus([["a", "b", "c", "d"]], [[["a", "b", "x", "d"]]]).value, 12)
        0.5
        >>> metric.segments(["a b c d", "x y"], ["a b x d", "a b"]).round(12)
        array([0.5, 0. ])
    """

    tokenizer: AnyTokenizer = "13a"
    lowercase: Lowercase = False
    normalize: Normalize = "none"
    max_order: int = 4
    weights: tuple[float, ...] | None = None
    smoothing: str = "exp"
    smoothing_value: float | None = None
    effective_order: bool = False
    reference_length: Literal["closest", "closest-first", "shortest", "average"] = "closest"
    short_order: Literal["zero", "pad", "perfect"] = "zero"
    require_match: bool | Literal["all"] = True

    name: ClassVar[str] = "bleu"
    score_type: ClassVar[type[BLEUScore]] = BLEUScore
    presets: ClassVar[Mapping[str, Preset]] = PRESETS

    def __post_init__(self) -> None:
        self._set("max_order", whole_number("max_order", self.max_order, 1, MOST_ORDERS))
        self._set("weights", self._checked_weights())
        self._set("smoothing_value", self._checked_smoothing_value())
        check_name("rule for the reference length", self.reference_length, REFERENCE_LENGTHS)
        check_name("rule for short segments", self.short_order, SHORT_ORDERS)
        check_flag("effective_order", self.effective_order)
        if not isinstance(self.require_match, bool) and self.require_match != "all":
            raise SettingError(f"require_match must be True, False or 'all', not {self.require_match!r}")
        self._set("pipeline", Pipeline(self.tokenizer, self.lowercase, self.normalize))
        self._set("tokenizer", self.pipeline.tokenizer)
        self._set("kernel", self._native())

    def _checked_weights(self) -> tuple[float, ...] | None:
        if self.weights is None:
            return None
        try:
            weights = tuple(number(weight) for weight in self.weights)
        except (TypeError, OverflowError):
            raise SettingError(f"weights must be a tuple of numbers, not {self.weights!r}") from None
        if len(weights) != self.max_order:
            raise SettingError(
                f"weights has {len(weights)} entries for max_order={self.max_order}: "
                f"give one weight for each order, or set max_order={len(weights)}"
            )
        if any(weight < 0 for weight in weights) or not any(weights) or not math.isfinite(sum(weights)):
            raise SettingError(f"weights must be finite, not negative and not all 0, not {self.weights!r}")
        return weights

    def _checked_smoothing_value(self) -> float | None:
        check_name("smoothing", self.smoothing, SMOOTHINGS)
        if self.smoothing == "nltk-6" and self.max_order < 3:
            raise SettingError(
                f"smoothing nltk-6 looks at trigrams: max_order must be at least 3, not {self.max_order}"
            )
        default = SMOOTHINGS[self.smoothing]
        if self.smoothing_value is None:
            return default
        if default is None:
            raise SettingError(f"smoothing {self.smoothing!r} takes no smoothing_value")
        value = number_from_zero("smoothing_value", self.smoothing_value)
        if value == 0 and self.smoothing in ("nltk-4", "nltk-7"):
            raise SettingError(f"smoothing_value of {self.smoothing} is divided by: it cannot be 0")
        return value

    def _native(self) -> _native.Bleu:
        return _native.Bleu(
            rules=self.pipeline.native,
            max_order=self.max_order,
            weights=self.weights or (),
            smoothing=_native.Smoothing[self.smoothing.replace("-", "_")],
            smoothing_value=self.smoothing_value or 0.0,
            effective_order=self.effective_order,
            reference_length=_native.ReferenceLength[self.reference_length.replace("-", "_")],
            short_order=_native.ShortOrder[self.short_order],
            require_match=_REQUIRED[self.require_match],
        )

    @classmethod
    def preset(cls, name: str, **settings: Any) -> BLEU:
        """BLEU as another implementation computes it, with some settings overridden by keyword.

        Args:
            name: "sacrebleu" (the default settings), "sacrebleu-sentence" (as its `sentence_bleu`), "nltk" (3.10.4),
                "r" (the R package sacRebleu), "mteval" (mteval-v13a), "textbook" (Papineni et al., nothing added),
                "multi-bleu" (Moses' multi-bleu.perl), "evaluate" and "evaluate-smooth" (Hugging Face evaluate and the
                nmt tutorial of TensorFlow, without and with smooth=True), "torchmetrics" and "torchmetrics-smooth" (its
                BLEUScore) or "coco-caption" (pycocoevalcap).
            **settings: Any of the metric's settings. With sacrebleu's presets the tokenizer "zh" means sacrebleu's own.

        Example:
            >>> import refscore
            >>> for name in ("textbook", "sacrebleu", "sacrebleu-sentence", "nltk", "mteval"):
            ...     print(f"{name:18} {refscore.BLEU.preset(name).segment('a test', 'a fest').percent:.2f}")
            textbook           0.00
            sacrebleu          0.00
            sacrebleu-sentence 50.00
            nltk               0.00
            mteval             70.71
        """
        if name in ("sacrebleu", "sacrebleu-sentence") and settings.get("tokenizer") == "zh":
            settings["tokenizer"] = "zh-sacrebleu"
        return super().preset(name, **settings)

    @property
    def counted_orders(self) -> int:
        """The orders that rows hold: NLTK's smoothings 5 and 7 look at 5-grams whatever the order."""
        return max(self.max_order, 5) if self.smoothing in ("nltk-5", "nltk-7") else self.max_order

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of a row's columns."""
        kinds = ["correct", "total"]
        if self.short_order == "pad":
            kinds.append("short")
        if self.smoothing == "floor-segments":
            kinds.append("unmatched")
        return ("hyp_len", "ref_len", *(f"{kind}_{n}" for kind in kinds for n in range(1, self.counted_orders + 1)))

    @property
    def row_type(self) -> np.dtype[Any]:
        """int64, or float64 where reference lengths are averaged."""
        return np.dtype(np.float64 if self.reference_length == "average" else np.int64)

    @property
    def signature(self) -> str:
        """All settings that change the number, as text; `refscore.from_signature` reads it back."""
        weights = "uniform" if self.weights is None else ",".join(map(repr, self.weights))
        return join(
            self.name,
            {
                **self.pipeline.signature(),
                "order": str(self.max_order),
                "weights": weights,
                "smooth": with_value(self.smoothing, self.smoothing_value),
                "eff": yes(self.effective_order),
                "len": self.reference_length,
                "short": self.short_order,
                "match": self.require_match if self.require_match == "all" else yes(self.require_match),
                "version": __version__,
            },
        )

    @classmethod
    def from_pairs(cls, pairs: Mapping[str, str]) -> BLEU:
        """The metric of one of refscore's own signatures."""
        keys = ["case", "norm", "tok", "order", "weights", "smooth", "eff", "len", "short", "match"]
        return from_signature_pairs("BLEU", pairs, keys, lambda: cls._from_known_pairs(pairs))

    @classmethod
    def _from_known_pairs(cls, pairs: Mapping[str, str]) -> BLEU:
        smoothing, smoothing_value = split_value(pairs["smooth"])
        weights = pairs["weights"]
        return cls(
            tokenizer=pairs["tok"],
            lowercase=one_of(pairs, "case", CASES),
            normalize=pairs["norm"],  # type: ignore[arg-type]
            max_order=int(pairs["order"]),
            weights=None if weights == "uniform" else tuple(float(weight) for weight in weights.split(",")),
            smoothing=smoothing,
            smoothing_value=smoothing_value,
            effective_order=one_of(pairs, "eff", FLAGS),
            reference_length=pairs["len"],  # type: ignore[arg-type]
            short_order=pairs["short"],  # type: ignore[arg-type]
            require_match=one_of(pairs, "match", MATCHES),
        )

    def aggregate(self, hypotheses: Any, references: Any, *, weights: Any = None, tokens: bool = False) -> Any:
        """The score of each hypothesis with all references at once: with the mean of their n-gram counts and lengths.

        A quick stand-in for the mean of `pairwise` scores, as in minimum-Bayes-risk decoding; the two differ.

        Args:
            hypotheses: H texts or token sequences; or a batch of B such groups, of any sizes.
            references: Texts or token sequences, any number from 1, or references prepared from such; for a batch, B
                groups.
            weights: How much each reference counts in the mean; for a batch, one such list for each group. All count
                the same by default.
            tokens: Lists of strings are token sequences, not groups of texts.

        Returns:
            An array of H values; for a batch, a list of such arrays.

        Example:
            >>> import refscore
            >>> samples = ["the cat sat on a mat", "the cat sat on the mat", "a dog ran"]
            >>> refscore.BLEU.preset("sacrebleu-sentence").aggregate(samples, samples).round(4)
            array([0.5409, 0.5188, 0.1884])
        """
        return aggregate(self, hypotheses, references, weights, tokens)

    def explain(self, hypothesis: Any, references: Any) -> Steps:
        """The worked steps from one segment to its score.

        Args:
            hypothesis: Text or tokens.
            references: What one entry of a corpus' references is.

        Returns:
            Headings, tables and formulas, which print as text, show as HTML in a notebook and come as data by
            `to_dict()`.

        Example:
            >>> import refscore
            >>> steps = refscore.BLEU(max_order=1).explain("the the the", "the cat")
            >>> print(steps.parts[-1].name, "=", steps.parts[-1].expression, "=", steps.parts[-1].value)
            BLEU = BP · exp(mean) = 1.0000 · exp(-1.0986) = 0.3333
        """
        from refscore.metrics.bleu.steps import explain_bleu

        return explain_bleu(self, hypothesis, references)


def bleu(hypotheses: Any, references: Any, *, threads: int | None = None, **settings: Any) -> BLEUScore:
    """The BLEU score of a corpus, by default as sacrebleu computes it. 0..1, higher is better.

    Args:
        hypotheses: The segments: texts, token sequences, or a batch of ids.
        references: One entry per hypothesis: for text a string or a list of strings, for tokens a list of token
            sequences.
        threads: How many to use; all cores by default. The result does not depend on it.
        **settings: Those of `BLEU`, or `preset` and overrides of it.

    Returns:
        The score; `score.percent` is the number that papers print.

    Example:
        >>> import refscore
        >>> score = refscore.bleu(["the cat sat on a mat"], [["the cat sat on the mat", "a cat was on the mat"]])
        >>> f"{score.percent:.2f}"
        '56.23'
    """
    return BLEU.of(settings).corpus(hypotheses, references, threads=threads)


def ngram_precision_score(candidate: Any, references: Any, max_n: int) -> float:
    """The n-gram precision score of one candidate: clipped precisions up to `max_n`, geometric mean, brevity penalty.

    Nothing is smoothed: the score is 0 if any order has no match, and for a candidate of fewer than `max_n` tokens.

    Args:
        candidate: A sequence of tokens.
        references: A list of token sequences.
        max_n: The longest n-grams that count, 1 or more.

    Returns:
        The score, from 0 to 1.

    Example:
        >>> import refscore
        >>> references = ["a fast brown fox".split(), "the slow brown dog".split()]
        >>> round(refscore.ngram_precision_score("the quick brown fox".split(), references, 2), 12)
        0.5
    """
    return BLEU.preset("textbook", max_order=max_n).segment(candidate, references).value
