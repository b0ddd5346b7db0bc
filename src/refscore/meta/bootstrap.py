"""Confidence intervals of agreement, by resampling segments, systems or both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError
from refscore.meta.judgments import Judgments, MetricScores, system_means
from refscore.significance import draws
from refscore.significance.results import Interval, percentile_intervals
from refscore.significance.settings import Sampling

RESAMPLED = {"segments": (True, False), "systems": (False, True), "both": (True, True)}


def intervals(
    judgments: Sequence[Judgments],
    compute: Callable[[Sequence[Judgments]], Mapping[str, float]],
    resample: str,
    sampling: Sampling,
) -> dict[str, Interval]:
    """Return the percentile interval of each metric's value. Resamples without a value are left out."""
    drawn: dict[str, list[float]] = {}
    for index in range(sampling.count):
        # All judgments together have values, so an error means that too few ratings were drawn.
        with suppress(InputError):
            values = compute([_resampled(each, resample, sampling.seed, index) for each in judgments])
            for name, value in values.items():
                drawn.setdefault(name, []).append(value)
        if sampling.progress is not None:
            sampling.progress(index + 1, sampling.count)
    return {
        name: percentile_intervals(np.array([[value for value in values if np.isfinite(value)]]), sampling, None)[0]
        for name, values in drawn.items()
        if any(map(np.isfinite, values))
    }


def _resampled(judgments: Judgments, resample: str, seed: int, index: int) -> Judgments:
    """Return resample `index`. A system drawn twice is two equal systems, which people and metrics tie."""
    of_segments, of_systems = RESAMPLED[resample]
    systems, segments = judgments.human.shape
    rows = _chosen(seed, draws.SYSTEMS, index, systems) if of_systems else np.arange(systems)
    columns = _chosen(seed, draws.SEGMENTS, index, segments) if of_segments else np.arange(segments)
    metrics = {}
    for name, scores in judgments.metrics.items():
        # Resampled segments change the scores of systems: the mean over the drawn ones.
        matrix = None if scores.segments is None else scores.segments[np.ix_(rows, columns)]
        whole = scores.systems[rows] if matrix is None or not of_segments else matrix.mean(axis=1)
        metrics[name] = MetricScores(matrix, whole)
    human = judgments.human[np.ix_(rows, columns)]
    whole = system_means(human) if of_segments else judgments.human_systems[rows]
    return Judgments(tuple(judgments.systems[k] for k in rows), human, whole, metrics)


def _chosen(seed: int, stream: int, index: int, size: int) -> NDArray[np.int64]:
    return draws.below(draws.words(seed, stream, index * size, size), size)
