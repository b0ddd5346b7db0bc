"""Scores with all references at once, with the mean of their n-gram counts; and weights of references."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from refscore import _native
from refscore.errors import InputError, Location
from refscore.metrics.core import runner
from refscore.metrics.core.groups import map_groups
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Score, Values
from refscore.segments import reject_masked

S = TypeVar("S", bound=Score)

_WEIGHTS = Location("weights")


class AggregatingMetric(Metric[S]):
    """A metric of n-gram counts, which can be averaged over references."""

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
            >>> refscore.CHRF().aggregate(samples, samples).round(4)
            array([0.7108, 0.7247, 0.1937])
        """
        return map_groups(partial(_aggregate_group, self), hypotheses, references, tokens, weights, _WEIGHTS)


def _aggregate_group(metric: Metric[Any], hypotheses: Any, references: Any, weights: Any) -> Values:
    plain, kind, prepared = runner.read_group(metric, hypotheses, references)
    if len(prepared) == 0:
        raise InputError(None, "references is empty", "there is nothing to compare the hypotheses with")
    shares = np.zeros(0) if weights is None else check_weights(weights, len(prepared), _WEIGHTS)
    if len(plain) == 0:
        return np.zeros(0)
    kernel: Any = metric.kernel
    try:
        values: Values = kernel.aggregate(
            prepared.match(plain, kind, metric.reading, metric.mixed_tokens), prepared.native, shares
        )
        return values
    except _native.UnsupportedInput:
        raise InputError(
            None, "the prepared references have several for a segment", "aggregate() takes one each"
        ) from None


def one_number_each(values: Any, count: int, location: Location) -> Values:
    """Return a new array of values, one for each reference."""
    reject_masked(values, location)
    try:
        array = np.asarray(values)
        numbers = np.zeros((0, 0)) if array.dtype.kind in "SU" else np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.zeros((0, 0))
    if numbers.shape != (count,):
        shown = f"{len(numbers)} numbers" if numbers.ndim == 1 else "something else"
        raise InputError(location, f"must be {count} numbers, one for each reference, not {shown}")
    return numbers


def check_weights(weights: Any, count: int, location: Location) -> Values:
    """Return weights as they are used: none is negative, and they add up to 1."""
    shares = one_number_each(weights, count, location)
    wrong = ~(np.isfinite(shares) & (shares >= 0))
    if wrong.any():
        index = int(np.argmax(wrong))
        raise InputError(
            replace(location, segment=index), f"is {shares[index]:g}", "a weight is a finite number of at least 0"
        )
    largest = shares.max(initial=0.0)
    if largest == 0:
        raise InputError(location, "are all 0", "at least one reference has to count")
    shares /= largest  # first, so that no sum overflows
    shares /= shares.sum()
    return shares
