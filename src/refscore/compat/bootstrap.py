"""Means of random samples, drawn like rouge-score's aggregator draws them. evaluate's ROUGE is their median."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_DRAWN_AT_ONCE = 1 << 20


def resampled_means(values: NDArray[np.float64], samples: int) -> NDArray[np.float64]:
    """Return each random sample's mean row. NumPy's global generator draws the samples with replacement."""
    size, width = values.shape
    means = np.empty((samples, width))
    block = max(1, _DRAWN_AT_ONCE // size)
    for begin in range(0, samples, block):
        end = min(begin + block, samples)
        # Drawing several samples at once gives the same numbers as drawing them one by one.
        drawn = np.random.randint(0, size, size=(end - begin, size))
        drawn += np.arange(end - begin)[:, np.newaxis] * size
        times = np.bincount(drawn.ravel(), minlength=(end - begin) * size).reshape(end - begin, size)
        means[begin:end] = times @ values / size
    return means
