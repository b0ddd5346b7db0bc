"""Random draws that are the same everywhere: raw words of PCG64, and our own rule from words to draws.

NumPy promises that a bit generator's raw words never change, but not what the methods of `numpy.random.Generator` make
of them. A word `w` becomes a number below `n` as the high part of the product, `w * n >> 64`.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Matrix: TypeAlias = NDArray[np.float64]
Words: TypeAlias = NDArray[np.uint64]

# Streams of one seed, independent of each other.
SEGMENTS, SWAPS, BASELINE_RUNS, SYSTEM_RUNS, SHUFFLES = range(5)

# Words that are turned into draws at a time: few enough to stay in the cache.
_CHUNK_WORDS = 2**13

_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)


def words(seed: int, stream: int, begin: int, count: int) -> Words:
    """Return raw words of a stream, from `begin` on.

    Example:
        >>> bool((words(1, 0, 2, 3) == words(1, 0, 0, 5)[2:]).all())
        True
    """
    generator = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(stream,)))
    if begin:
        generator.advance(begin)
    drawn: Words = generator.random_raw(count)
    return drawn


def below(drawn: Words, bound: int) -> NDArray[np.int64]:
    """Return numbers from 0 to `bound` - 1, for bounds below 2**32: the high part of 96-bit products.

    Example:
        >>> below(np.array([0, 2**63, 2**64 - 1], dtype=np.uint64), 10)
        array([0, 5, 9])
    """
    factor = np.uint64(bound)
    high: Words = ((drawn >> _HALF) * factor + ((drawn & _LOW) * factor >> _HALF)) >> _HALF
    return high.astype(np.int64)


def resamples(seed: int, begin: int, end: int, units: int) -> Matrix:
    """Return how often some resamples take each unit, with replacement: resample b has the words from b * units on.

    Example:
        >>> resamples(1, 0, 3, 4).sum(1)
        array([4., 4., 4.])
    """
    weights = np.empty((end - begin, units))
    step = max(1, _CHUNK_WORDS // units)
    for first in range(begin, end, step):
        last = min(end, first + step)
        chosen = below(words(seed, SEGMENTS, first * units, (last - first) * units), units)
        weights[first - begin : last - begin] = counted(chosen.reshape(last - first, units))
    return weights


def counted(chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how often each number occurs in each row; all are below the rows' length.

    Example:
        >>> counted(np.array([[0, 0, 2], [1, 1, 1]]))
        array([[2, 0, 1],
               [0, 3, 0]])
    """
    rows, units = chosen.shape
    places = (chosen + np.arange(0, rows * units, units)[:, None]).ravel()
    return np.bincount(places, minlength=rows * units).reshape(rows, units)


def swaps(seed: int, begin: int, end: int, units: int) -> Matrix:
    """Return which units some trials swap, 1 or 0: a trial has whole words, and unit i their bit i from the lowest on.

    Example:
        >>> np.unique(swaps(1, 0, 3, 100))
        array([0., 1.])
    """
    per_trial = -(-units // 64)
    drawn = words(seed, SWAPS, begin * per_trial, (end - begin) * per_trial).reshape(end - begin, per_trial)
    octets = np.ascontiguousarray(drawn.astype("<u8")).view(np.uint8)
    return np.unpackbits(octets, axis=1, count=units, bitorder="little").astype(np.float64)


def shuffles(seed: int, begin: int, end: int, units: int, pool: int) -> NDArray[np.int64]:
    """Return the run, of `pool` runs, for each trial, place and unit: Fisher and Yates, the last place first.

    Example:
        >>> places = shuffles(1, 0, 2, 5, 3)
        >>> places.shape, bool((np.sort(places, axis=1) == np.arange(3)[:, None]).all())
        ((2, 3, 5), True)
    """
    size = (end - begin) * units
    drawn = words(seed, SHUFFLES, begin * units * (pool - 1), size * (pool - 1)).reshape(size, pool - 1)
    places = np.empty((size, pool), dtype=np.int64)
    places[:] = np.arange(pool)
    rows = np.arange(size)
    for step, last in enumerate(range(pool - 1, 0, -1)):
        other = below(drawn[:, step], last + 1)
        moved = places[rows, other]
        places[rows, other] = places[:, last]
        places[:, last] = moved
    return np.ascontiguousarray(places.reshape(end - begin, units, pool).transpose(0, 2, 1))


def run_choices(seed: int, stream: int, count: int, runs: int) -> NDArray[np.int64]:
    """Return which of a system's runs each resample takes, with replacement.

    Example:
        >>> run_choices(1, BASELINE_RUNS, 4, 3).shape
        (4, 3)
    """
    return below(words(seed, stream, 0, count * runs), runs).reshape(count, runs)
