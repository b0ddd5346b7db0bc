"""Random draws that are the same everywhere: raw words of PCG64, and our own way from words to draws.

NumPy promises that a bit generator's raw words never change, but not what the methods of `numpy.random.Generator` make
of them. A word `w` becomes a number below `n` as the high part of the product, `w * n >> 64`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Matrix: TypeAlias = NDArray[np.float64]
Words: TypeAlias = NDArray[np.uint64]

# Streams of one seed, independent of each other.
SEGMENTS, SWAPS, BASELINE_RUNS, SYSTEM_RUNS, SHUFFLES = range(5)

# Numbers of one block of weights, so that a block takes 32 MiB.
_BLOCK_CELLS = 2**22
# Words that are turned into draws at a time: few enough to stay in the cache.
_CHUNK_WORDS = 2**13

_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)


def words(seed: int, stream: int, begin: int, count: int) -> Words:
    """Raw words of a stream, from `begin` on.

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
    """Numbers from 0 to `bound` - 1, of less than 2**32: the high part of 96-bit products.

    Example:
        >>> below(np.array([0, 2**63, 2**64 - 1], dtype=np.uint64), 10)
        array([0, 5, 9])
    """
    factor = np.uint64(bound)
    high: Words = ((drawn >> _HALF) * factor + ((drawn & _LOW) * factor >> _HALF)) >> _HALF
    return high.astype(np.int64)


@dataclass(frozen=True)
class Block:
    """Draws from `begin` on, and what each takes of each unit."""

    begin: int
    weights: Matrix


def blocks(count: int, width: int) -> Iterator[tuple[int, int]]:
    """Where blocks of draws begin and end, so that each holds a bounded number of weights.

    Example:
        >>> list(blocks(10, 2**20))
        [(0, 4), (4, 8), (8, 10)]
    """
    step = block_length(width)
    for begin in range(0, count, step):
        yield begin, min(count, begin + step)


def block_length(width: int) -> int:
    """How many draws of so many weights a block holds.

    Example:
        >>> block_length(2**20), block_length(2**30)
        (4, 1)
    """
    return max(1, _BLOCK_CELLS // width)


def resamples(seed: int, count: int, units: int) -> Iterator[Block]:
    """How often each unit was drawn, with replacement: resample b takes the words from b * units on.

    Example:
        >>> next(resamples(1, 3, 4)).weights.sum(1)
        array([4., 4., 4.])
    """
    for begin, end in blocks(count, units):
        weights = np.empty((end - begin, units))
        step = max(1, _CHUNK_WORDS // units)
        for first in range(begin, end, step):
            last = min(end, first + step)
            chosen = below(words(seed, SEGMENTS, first * units, (last - first) * units), units)
            weights[first - begin : last - begin] = counted(chosen.reshape(last - first, units))
        yield Block(begin, weights)


def counted(chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often each number occurs in each row, of numbers below the rows' length.

    Example:
        >>> counted(np.array([[0, 0, 2], [1, 1, 1]]))
        array([[2, 0, 1],
               [0, 3, 0]])
    """
    rows, units = chosen.shape
    places = (chosen + np.arange(0, rows * units, units)[:, None]).ravel()
    return np.bincount(places, minlength=rows * units).reshape(rows, units)


def swaps(seed: int, count: int, units: int) -> Iterator[Block]:
    """Which units are swapped, 1 or 0: a trial takes whole words, and unit i the bit i of them from the lowest on.

    Example:
        >>> np.unique(next(swaps(1, 3, 100)).weights)
        array([0., 1.])
    """
    per_trial = -(-units // 64)
    for begin, end in blocks(count, units):
        drawn = words(seed, SWAPS, begin * per_trial, (end - begin) * per_trial).reshape(end - begin, per_trial)
        octets = np.ascontiguousarray(drawn.astype("<u8")).view(np.uint8)
        yield Block(begin, np.unpackbits(octets, axis=1, count=units, bitorder="little").astype(np.float64))


def shuffles(seed: int, count: int, units: int, pool: int) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """For each trial, place and unit, which of `pool` runs comes there: Fisher and Yates, from the last place on.

    Example:
        >>> begin, places = next(shuffles(1, 2, 5, 3))
        >>> places.shape, bool((np.sort(places, axis=1) == np.arange(3)[:, None]).all())
        ((2, 3, 5), True)
    """
    for begin, end in blocks(count, units * pool):
        size = (end - begin) * units
        drawn = words(seed, SHUFFLES, begin * units * (pool - 1), size * (pool - 1)).reshape(size, pool - 1)
        places = np.empty((size, pool), dtype=np.int64)
        places[:] = np.arange(pool)
        here = np.arange(size)
        for step, last in enumerate(range(pool - 1, 0, -1)):
            other = below(drawn[:, step], last + 1)
            moved = places[here, other]
            places[here, other] = places[:, last]
            places[:, last] = moved
        yield begin, np.ascontiguousarray(places.reshape(end - begin, units, pool).transpose(0, 2, 1))


def run_choices(seed: int, stream: int, count: int, runs: int) -> NDArray[np.int64]:
    """Which of a system's runs each resample takes, with replacement.

    Example:
        >>> run_choices(1, BASELINE_RUNS, 4, 3).shape
        (4, 3)
    """
    return below(words(seed, stream, 0, count * runs), runs).reshape(count, runs)
