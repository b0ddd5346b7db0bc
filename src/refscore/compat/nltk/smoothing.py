"""NLTK's smoothing functions.

Chen and Cherry (2014): A Systematic Comparison of Smoothing Techniques for Sentence-Level BLEU. WMT.
"""

from __future__ import annotations

import fractions
import math
import sys
import warnings
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from refscore.compat.nltk.counts import Fraction, modified_precision
from refscore.errors import InputError, SettingError

Precisions = Sequence[Any]  # fractions or floats, one per order from 1

# The bits retained in the shorter side of a fraction: far more than a float has, but few enough for fast arithmetic.
_MOST_BITS = 1024


class NoTrigramError(InputError, AssertionError):
    """Raised by method 6 if no trigram matches. NLTK raises an AssertionError."""


class TooFewOrdersError(SettingError, IndexError):
    """Raised by method 6 for fewer than three orders. NLTK raises an IndexError."""


class SmoothingFunction:
    """Smoothing methods for orders without a match. Pass one of the methods as `smoothing_function`.

    Each method takes the precisions as fractions, and returns a new list of fractions and floats. Methods 4 to 7 also
    take the references and hypothesis of one segment, and the length of all hypotheses.

    Args:
        epsilon: The number of matches that method 1 uses instead of 0.
        alpha: The weight of the expected matches in method 6.
        k: The divisor of methods 4 and 7.

    Example:
        >>> from refscore.compat.nltk import SmoothingFunction, sentence_bleu
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
        """Count epsilon matches instead of 0."""
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
        return _halving(p_n, math.log(length) / self.k)

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
        """Mix the matches of order 3 and above with the number predicted by the two orders below."""
        if len(p_n) < 3:
            raise TooFewOrdersError(f"method 6 needs trigrams: pass at least 3 weights, not {len(p_n)}")
        if not p_n[2]:
            raise NoTrigramError(None, "method 6 needs a matching trigram", "use a different method for this segment")
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
    """Count half the matches of the previous one for each order without a match."""
    smoothed = list(p_n)
    zeros = 0
    for i, p in enumerate(p_n):
        if p.numerator == 0:
            zeros += 1
            smoothed[i] = math.ldexp(matches / p.denominator, -zeros)
    return smoothed


def _exact(p: Any) -> Any:
    """Return a number for arithmetic: Python's fraction for an unreduced one."""
    return fractions.Fraction(p.numerator, p.denominator) if isinstance(p, (int, fractions.Fraction)) else p


def _short(p: Any) -> Any:
    """Limit the length of a fraction's sides, which would otherwise double with every order."""
    if isinstance(p, fractions.Fraction):
        if float(p) == 0:
            return 0.0  # underflow, as with floats
        excess = min(p.numerator.bit_length(), p.denominator.bit_length()) - _MOST_BITS
        if excess > 0:
            return fractions.Fraction(p.numerator >> excess, p.denominator >> excess)
    return p
