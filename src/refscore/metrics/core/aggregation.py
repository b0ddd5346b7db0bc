"""Scores with all references at once, with the mean of their n-gram counts; and weights of references."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from refscore import _native
from refscore.errors import InputError, Location, relocated
from refscore.metrics.core import runner
from refscore.metrics.core.groups import split_groups
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Values
from refscore.segments import is_sequence


def aggregate(metric: Metric[Any], hypotheses: Any, references: Any, weights: Any, tokens: bool) -> Any:
    """Return what `aggregate` of a metric returns: an array of values, or a list of them for a batch."""
    batch = split_groups(hypotheses, references, tokens)
    if batch is None:
        return _aggregate_group(metric, hypotheses, references, weights, Location("weights"))
    if weights is None:
        weights = [None] * len(batch)
    elif not is_sequence(weights) or len(weights) != len(batch):
        raise InputError(Location("weights"), f"must have an entry for each of the {len(batch)} groups")
    results = []
    for i, (group, group_weights) in enumerate(zip(batch, weights, strict=True)):
        with relocated(runner.in_group(i)):
            results.append(_aggregate_group(metric, *group, group_weights, Location("weights")))
    return results


def _aggregate_group(metric: Metric[Any], hypotheses: Any, references: Any, weights: Any, location: Location) -> Values:
    plain, kind, prepared = runner.read_group(metric, hypotheses, references)
    if len(prepared) == 0:
        raise InputError(None, "references is empty", "there is nothing to compare the hypotheses with")
    shares = np.zeros(0) if weights is None else check_weights(weights, len(prepared), location)
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
