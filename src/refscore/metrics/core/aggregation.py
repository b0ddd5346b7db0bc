"""Scores with all references at once, with the mean of their n-gram counts; and weights of references."""

from __future__ import annotations

from typing import Any

import numpy as np

from refscore import _native
from refscore.errors import InputError
from refscore.metrics.core.groups import groups
from refscore.metrics.core.metric import Metric, Values
from refscore.metrics.core.prepared import Reading
from refscore.segments import is_sequence


def aggregate(metric: Metric[Any], hypotheses: Any, references: Any, weights: Any, tokens: bool) -> Any:
    """What `aggregate` of a metric returns: an array of values, or a list of them for a batch."""
    batch = groups(hypotheses, references, tokens)
    if batch is None:
        return _of_group(metric, hypotheses, references, weights, "weights")
    if weights is None:
        weights = [None] * len(batch)
    elif not is_sequence(weights) or len(weights) != len(batch):
        raise InputError(f"weights must have an entry for each of the {len(batch)} groups")
    return [
        _of_group(metric, *group, own, f"weights[{i}]")
        for i, (group, own) in enumerate(zip(batch, weights, strict=True))
    ]


def _of_group(metric: Metric[Any], hypotheses: Any, references: Any, weights: Any, name: str) -> Values:
    plain, kind, prepared = metric._group(hypotheses, references)
    if len(prepared) == 0:
        raise InputError("references is empty: there is nothing to compare the hypotheses with")
    given = np.zeros(0) if weights is None else check_weights(weights, len(prepared), name)
    if len(plain) == 0:
        return np.zeros(0)
    kernel: Any = metric.kernel
    reading: Reading = metric.reading
    try:
        made: Values = kernel.aggregate(prepared.match(plain, kind, reading), prepared.native, given)
        return made
    except _native.NotPlain:
        raise InputError("the prepared references have several for a segment: aggregate() takes one each") from None


def one_number_each(values: Any, count: int, name: str) -> Values:
    """A new array of values, one for each reference.

    >>> one_number_each((1, 2), 2, "weights")
    array([1., 2.])
    """
    try:
        given = np.asarray(values)
        made = np.zeros((0, 0)) if given.dtype.kind in "SU" else np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        made = np.zeros((0, 0))
    if made.shape != (count,):
        shown = f"{len(made)} numbers" if made.ndim == 1 else "something else"
        raise InputError(f"{name} must be {count} numbers, one for each reference, not {shown}")
    return made


def check_weights(weights: Any, count: int, name: str = "weights") -> Values:
    """Weights as they are used: none is negative, and they add up to 1.

    >>> check_weights([1, 3], 2)
    array([0.25, 0.75])
    """
    made = one_number_each(weights, count, name)
    wrong = ~(np.isfinite(made) & (made >= 0))
    if wrong.any():
        place = int(np.argmax(wrong))
        raise InputError(f"{name}[{place}] is {made[place]:g}: a weight is a finite number of at least 0")
    largest = made.max(initial=0.0)
    if largest == 0:
        raise InputError(f"{name} are all 0: at least one reference has to count")
    made /= largest  # first, so that no sum overflows
    made /= made.sum()
    return made
