from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from refscore import _native
from refscore.errors import InputError, Location
from refscore.inputs import reject_masked
from refscore.metrics.core import runner
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.runner import map_groups
from refscore.metrics.core.score import Score, Values

S = TypeVar("S", bound=Score)

_WEIGHTS = Location("weights")


class AggregatingMetric(Metric[S]):
    def aggregate(self, hypotheses: Any, references: Any, *, weights: Any = None, tokens: bool = False) -> Any:
        """Score each hypothesis against the references' mean n-gram counts and lengths.

        This is faster than averaging `pairwise` scores, and approximates it, as in minimum-Bayes-risk decoding.

        Args:
            hypotheses: H texts or token sequences, or B such groups, with any sizes.
            references: At least one text or token sequence, or prepared references. For a batch, B groups.
            weights: Each reference's weight in the mean, by default equal. For a batch, one list per group.
            tokens: Read lists of strings as token sequences, not as groups of texts.

        Returns:
            H scores in an array. For a batch, a list with one array per group.

        Example:
            >>> import refscore
            >>> samples = ["the cat sat on a mat", "the cat sat on the mat", "a dog ran"]
            >>> refscore.BLEU.preset("sacrebleu-sentence").aggregate(samples, samples).round(4)
            array([0.5409, 0.5188, 0.1884])
            >>> refscore.CHRF().aggregate(samples, samples).round(4)
            array([0.7108, 0.7247, 0.1937])
        """
        return map_groups(partial(_aggregate_group, self), hypotheses, references, tokens, (weights, _WEIGHTS))


def _aggregate_group(metric: Metric[Any], hypotheses: Any, references: Any, weights: Any) -> Values:
    plain, kind, prepared = runner.read_group(metric, hypotheses, references)
    if len(prepared) == 0:
        raise InputError(None, "references is empty", "pass at least one reference")
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
            None, "the prepared references have several references per segment", "prepare one reference per segment"
        ) from None


def one_number_each(values: Any, count: int, location: Location) -> Values:
    reject_masked(values, location)
    try:
        array = np.asarray(values)
        numbers = np.zeros((0, 0)) if array.dtype.kind in "SU" else np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.zeros((0, 0))
    if numbers.shape != (count,):
        shown = f"{len(numbers)} numbers" if numbers.ndim == 1 else "something else"
        raise InputError(location, f"must be {count} numbers, one per reference, not {shown}")
    return numbers


def check_weights(weights: Any, count: int, location: Location) -> Values:
    shares = one_number_each(weights, count, location)
    wrong = ~(np.isfinite(shares) & (shares >= 0))
    if wrong.any():
        index = int(np.argmax(wrong))
        raise InputError(
            replace(location, segment=index), f"is {shares[index]:g}", "weights must be finite and at least 0"
        )
    largest = shares.max(initial=0.0)
    if largest == 0:
        raise InputError(location, "are all 0", "pass at least one positive weight")
    shares /= largest  # before the sum, which could overflow
    shares /= shares.sum()
    return shares
