"""NLTK's `nltk.translate.bleu_score`: BLEU for token sequences, its parts and smoothing functions."""

from __future__ import annotations

import fractions
import math
import reprlib
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np

from refscore.compat.error_types import InputAssertionError, SettingIndexError
from refscore.compat.nltk import inputs
from refscore.errors import InputError, Location, SettingError
from refscore.metrics import BLEU

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]

_LIST = {list}
_UNIFORM = (0.25, 0.25, 0.25, 0.25)
Smoothing = Callable[..., Any] | None
Precisions = Sequence[Any]  # fractions or floats, one per order from 1

# The bits retained in the shorter side of a fraction: far more than a float has, but few enough for fast arithmetic.
_MOST_BITS = 1024


_new_fraction: Any = fractions.Fraction.__new__


class Fraction(fractions.Fraction):
    """An unreduced fraction with counts as its `numerator` and `denominator`. It compares like any other fraction.

    Example:
        >>> half = Fraction(2, 4)
        >>> half, half.numerator, half.denominator, half == 0.5
        (Fraction(2, 4), 2, 4, True)
    """

    __slots__ = ("_part", "_whole")

    _part: int
    _whole: int

    def __new__(cls, numerator: int = 0, denominator: int | None = None, _normalize: bool = False) -> Fraction:
        whole = 1 if denominator is None else denominator
        self: Fraction = _new_fraction(cls, numerator, whole)
        if not _normalize:
            self._part, self._whole = numerator, whole
        return self

    # Comparisons with floats in the base class create objects without calling __new__.
    @property
    def numerator(self) -> int:
        try:
            return self._part
        except AttributeError:
            return super().numerator

    @property
    def denominator(self) -> int:
        try:
            return self._whole
        except AttributeError:
            return super().denominator

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Fraction):
            other = fractions.Fraction(other.numerator, other.denominator)
        return super().__eq__(other)

    __hash__ = fractions.Fraction.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return Fraction, (self.numerator, self.denominator)

    def __deepcopy__(self, memo: Any = None) -> Fraction:
        return self

    __copy__ = __deepcopy__

    def __repr__(self) -> str:
        return f"Fraction({self.numerator}, {self.denominator})"

    def __str__(self) -> str:
        return f"{self.numerator}/{self.denominator}"


@lru_cache(maxsize=64)  # with one argument it is faster than `cached_metric`
def counting(max_order: int) -> BLEU:
    return BLEU.preset("nltk", max_order=max_order)


def matches_and_ngrams(metric: BLEU, row: Sequence[int]) -> list[tuple[int, int]]:
    """Return matches and n-grams by order. Like NLTK, count one n-gram if a segment is too short for any."""
    orders, counts = metric.max_order, row[2:]  # the first two columns are lengths
    return [(counts[n], counts[orders + n] + counts[2 * orders + n]) for n in range(orders)]


def modified_precision(references: Any, hypothesis: Any, n: int) -> Fraction:
    """Return the clipped precision for order `n` as an unreduced fraction: matches over n-grams.

    Example:
        >>> modified_precision([["a", "b", "c", "d"]], ["a", "b", "x", "a"], 1)
        Fraction(2, 4)
    """
    inputs.check_order("n", n)
    references, hypothesis = inputs.segment(references, hypothesis)
    if len(hypothesis) < n:
        return Fraction(0, 1)
    metric = counting(int(n))
    return Fraction(*matches_and_ngrams(metric, metric.value_and_row(hypothesis, references)[1])[-1])


def closest_ref_length(references: Iterable[Any], hyp_len: int) -> int:
    """Return the reference length that is closest to `hyp_len`, the shorter one in a tie.

    Example:
        >>> closest_ref_length([["a"] * 13, ["a"] * 11, ["a"] * 2], 12)
        11
    """
    if not (type(references) is list and {*map(type, references)} == _LIST):
        references = inputs.references_of_one(references)
    lengths = [*map(len, references)]
    if not lengths:
        raise InputError(Location("references"), "is empty", "pass at least one reference")
    best = lengths[0]
    distance = abs(best - hyp_len)
    for length in lengths[1:]:
        other = abs(length - hyp_len)
        if other < distance or (other == distance and length < best):
            best, distance = length, other
    return best


def brevity_penalty(closest_ref_len: int, hyp_len: int) -> float:
    """Return the penalty for hypotheses shorter than their references, exp(1 - closest_ref_len / hyp_len).

    Example:
        >>> round(brevity_penalty(28, 12), 6)
        0.263597
    """
    if hyp_len > closest_ref_len:
        return 1
    return math.exp(1 - closest_ref_len / hyp_len) if hyp_len else 0


class SmoothingFunction:
    """Smoothing methods for orders without a match. Pass a method as `smoothing_function`.

    Example:
        >>> reference, hypothesis = "the cat sat on the mat".split(), "the cat lay on a mat".split()
        >>> for method in (SmoothingFunction().method1, SmoothingFunction(epsilon=0.01).method1):
        ...     print(round(sentence_bleu([reference], hypothesis, smoothing_function=method), 4))
        0.1027
        0.0325
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        self.epsilon = epsilon
        self.alpha = alpha
        self.k = k

    def method0(self, p_n: Precisions, *args: Any, **kwargs: Any) -> list[Any]:
        """Replace 0 by the smallest normal float and warn. This is no smoothing."""
        return [p if p.numerator else next_to_zero(n) for n, p in enumerate(p_n, 1)]

    def method1(self, p_n: Precisions, *args: Any, **kwargs: Any) -> list[Any]:
        """Count epsilon matches, not 0."""
        return [self.epsilon / p.denominator if p.numerator == 0 else p for p in p_n]

    def method2(self, p_n: Precisions, *args: Any, **kwargs: Any) -> list[Any]:
        """Add one match and one n-gram to the orders above 1."""
        return [*p_n[:1], *(Fraction(p.numerator + 1, p.denominator + 1) for p in p_n[1:])]

    def method3(self, p_n: Precisions, *args: Any, **kwargs: Any) -> list[Any]:
        """Count 1/2 match for the first order without a match, 1/4 for the second, and so on."""
        return _halving(p_n, 1)

    def method4(
        self, p_n: Precisions, references: Any, hypothesis: Any, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """Apply method 3 with smaller values for short hypotheses: times ln(length)/k, except for one token."""
        length = hyp_len or len(hypothesis)
        if length <= 1 or all(p.numerator for p in p_n):
            return list(p_n)
        if self.k == 0:
            raise SettingError("k must not be 0, because methods 4 and 7 divide by it")
        return _halving(p_n, 1 / (self.k / math.log(length)))  # rounds like NLTK

    def method5(
        self, p_n: Precisions, references: Any, hypothesis: Any, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """Average each order with the smoothed order below and the order above, up to the segment's 5-grams."""
        given = [_exact(p) for p in [*p_n, modified_precision(references, hypothesis, 5)]]
        smoothed: list[Any] = []
        below = given[0] + 1
        for p, above in pairwise(given):
            below = _short((below + p + above) / 3)
            smoothed.append(below)
        return smoothed

    def method6(
        self, p_n: Precisions, references: Any, hypothesis: Any, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """Mix matches from order 3 with the number that the two orders below predict."""
        if len(p_n) < 3:
            raise SettingIndexError(f"method 6 needs trigrams: pass at least 3 weights, not {len(p_n)}")
        if not p_n[2]:
            raise InputAssertionError(
                None, "method 6 needs a matching trigram", "use a different method for this segment"
            )
        smoothed: list[Any] = list(p_n[:2])
        before, last = map(_exact, smoothed)
        for n, p in enumerate(p_n[2:], 3):
            expected = last**2 / before if before else 0
            trusted = max(len(hypothesis) - n + 1, 0) + self.alpha
            if trusted == 0:
                raise SettingError(
                    f"method 6 divides by 0 with alpha={self.alpha!r}: the last hypothesis has no {n}-gram"
                )
            before, last = last, _short((p.numerator + self.alpha * expected) / trusted)
            smoothed.append(last)
        return smoothed

    def method7(
        self, p_n: Precisions, references: Any, hypothesis: Any, hyp_len: int | None = None, *args: Any, **kwargs: Any
    ) -> list[Any]:
        """Apply method 4, then method 5."""
        return self.method5(self.method4(p_n, references, hypothesis, hyp_len), references, hypothesis, hyp_len)


def next_to_zero(order: int) -> float:
    """Warn about an order without a match, and return its precision, which is almost 0."""
    warnings.warn(
        f"no {order}-gram of the hypotheses is in their references, so BLEU is almost 0: pass fewer weights for a "
        "lower order, or a smoothing_function",
        stacklevel=2,
    )
    return sys.float_info.min


def _halving(p_n: Precisions, matches: float) -> list[Any]:
    """Count half as much as for the previous one for each order without a match."""
    smoothed = list(p_n)
    zeros = 0
    for i, p in enumerate(p_n):
        if p.numerator == 0:
            zeros += 1
            smoothed[i] = math.ldexp(matches / p.denominator, -zeros)
    return smoothed


def _exact(p: Any) -> Any:
    return fractions.Fraction(p.numerator, p.denominator) if isinstance(p, (int, fractions.Fraction)) else p


def _short(p: Any) -> Any:
    """Limit how long a fraction's sides become. They would otherwise double with every order."""
    if isinstance(p, fractions.Fraction):
        sizes = p.numerator.bit_length(), p.denominator.bit_length()
        if sizes[0] and sum(sizes) < _MOST_BITS:
            return p
        if float(p) == 0:
            return 0.0  # underflow, as with floats
        excess = min(sizes) - _MOST_BITS
        if excess > 0:
            return fractions.Fraction(p.numerator >> excess, p.denominator >> excess)
    return p


def sentence_bleu(
    references: Any,
    hypothesis: Any,
    weights: Any = _UNIFORM,
    smoothing_function: Smoothing = None,
    auto_reweigh: bool = False,
) -> Any:
    """Return the sentence BLEU, from 0 to 1, or a list of scores for several tuples of weights.

    Example:
        >>> round(sentence_bleu([list("abcdefg"), list("ahi")], list("abcdef")), 4)
        0.8465
    """
    sets, several = _checked_weights(weights)
    _check_smoothing(smoothing_function)
    references, hypothesis = inputs.segment(references, hypothesis)
    metric = counting(max(map(len, sets)))
    value, row = metric.value_and_row(hypothesis, references)
    if weights is _UNIFORM and smoothing_function is None and not auto_reweigh and row[5] > 0:
        return value  # all orders up to 4 match, so there are no special cases
    scores = _scores(metric, row, references, hypothesis, sets, smoothing_function, auto_reweigh)
    return scores if several else scores[0]


def corpus_bleu(
    list_of_references: Any,
    hypotheses: Any,
    weights: Any = _UNIFORM,
    smoothing_function: Smoothing = None,
    auto_reweigh: bool = False,
) -> Any:
    """Return the corpus BLEU from all segments' summed counts, or a list of scores for several tuples of weights.

    Each hypothesis is a token list and has several references.
    As in NLTK, the smoothing function gets only the last segment, so the segments' order matters for methods 5 to 7.
    `refscore.BLEU.preset("nltk", smoothing="nltk-5")` smooths with all segments.

    Example:
        >>> references = [[list("abcdefg"), list("ahi")], [list("jklmn")]]
        >>> hypotheses = [list("abcdef"), list("jklm")]
        >>> [round(score, 4) for score in corpus_bleu(references, hypotheses, [(0.5, 0.5), (0.25, 0.25, 0.25, 0.25)])]
        [0.8187, 0.8187]
    """
    sets, several = _checked_weights(weights)
    _check_smoothing(smoothing_function)
    entries, hypotheses = inputs.corpus(list_of_references, hypotheses)
    if not hypotheses:
        raise InputError(Location("hypotheses"), "is empty", "an empty corpus has no score")
    metric = counting(max(map(len, sets)))
    if len(hypotheses) == 1:  # many programs score one segment per call
        row: Any = metric.value_and_row(hypotheses[0], entries[0])[1]
    else:
        row = metric.corpus(hypotheses, entries).row.tolist()
    scores = _scores(metric, row, entries[-1], hypotheses[-1], sets, smoothing_function, auto_reweigh)
    return scores if several else scores[0]


def _scores(
    metric: BLEU, row: Any, references: Any, hypothesis: Any, weight_sets: list[Any], smooth: Smoothing, reweigh: bool
) -> list[float]:
    hyp_len, ref_len = row[:2]
    counts = matches_and_ngrams(metric, row)
    if counts[0][0] == 0:
        return [0] * len(weight_sets)
    if smooth:
        p_n = [Fraction(*count) for count in counts]
        smoothed = list(smooth(p_n, references=references, hypothesis=hypothesis, hyp_len=hyp_len))
    else:  # SmoothingFunction().method0 without fractions, which are slow
        smoothed = [c[0] / c[1] if c[0] else next_to_zero(n) for n, c in enumerate(counts, 1)]
    penalty = brevity_penalty(ref_len, hyp_len)
    scores = []
    for given in weight_sets:
        short = reweigh and hyp_len < 4 and isinstance(given, tuple) and given == _UNIFORM
        weights = (1 / hyp_len,) * hyp_len if short else given
        logarithm = math.fsum(w * math.log(p) for w, p in zip(weights, smoothed, strict=False) if p > 0)
        scores.append(penalty * math.exp(logarithm))
    return scores


def _checked_weights(weights: Any) -> tuple[list[Any], bool]:
    """Return the weights, and whether the caller wants several scores."""
    sets = [weights]
    if weights is _UNIFORM:
        return sets, False
    if _is_row(weights) and len(weights) and _is_row(weights[0]):
        sets = list(weights)
    for given in sets:
        if not _is_row(given) or not len(given) or not all(isinstance(weight, Real) for weight in given):
            shown = reprlib.repr(weights)
            raise SettingError(f"weights must be one number per order, or a list of such tuples, not {shown}")
    return sets, len(sets) > 1


def _is_row(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray))


def _check_smoothing(smoothing_function: Any) -> None:
    if isinstance(smoothing_function, SmoothingFunction) and not callable(smoothing_function):
        raise SettingError("smoothing_function is a SmoothingFunction: pass one of its methods, such as .method1")
    if smoothing_function and not callable(smoothing_function):
        raise SettingError(f"smoothing_function must be a function, not {reprlib.repr(smoothing_function)}")
