"""Intervals of accumulated scores, from all rows or from a sample of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import Any

from refscore.metrics import Metric, Score
from refscore.metrics.core.score import Rows
from refscore.significance import Interval, bootstrap


def interval_of(metric: Metric[Any], rows: Rows, score: Score, segments: int, settings: Mapping[str, Any]) -> Interval:
    """The interval of a score.

    The error of a score goes with one over the square root of the number of segments, so that the interval of a sample
    is made as narrow as that of all would be. Its skewness, which is smaller by another such factor, stays that of the
    sample.

    Args:
        metric: The metric.
        rows: The rows of all segments, or of a sample.
        score: The score of all segments.
        segments: How many there are.
        settings: Those of `bootstrap`.

    Example:
        >>> import refscore
        >>> metric = refscore.WER()
        >>> rows = metric.stats(["a b", "a c", "b"] * 10, ["a b", "a b", "a b"] * 10)
        >>> whole, part = (interval_of(metric, rows, metric.score(rows.sum(0)), n, {}) for n in (30, 3000))
        >>> round(whole.half_width / part.half_width, 6)
        10.0
    """
    drawn = bootstrap(metric, rows, **settings)
    if len(rows) == segments:
        return drawn
    scale = sqrt(len(rows) / segments)
    middle = metric.score(rows.sum(0)).value
    return replace(
        drawn,
        mean=score.value + scale * scale * (drawn.mean - middle),  # the bias goes with one over the number
        low=score.value + scale * (drawn.low - middle),
        high=score.value + scale * (drawn.high - middle),
        sample=len(rows),
    )
