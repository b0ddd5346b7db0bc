"""Random draws that are the same on every machine: raw PCG64 words, and a fixed rule from words to draws.

NumPy guarantees a bit generator's raw words, but not the results of `numpy.random.Generator`, which may change between
versions. A word `w` gives a number below `n` as a product's high part, `w * n >> 64`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore import _native

Matrix: TypeAlias = NDArray[np.float64]
Words: TypeAlias = NDArray[np.uint64]

Weights: TypeAlias = Callable[[], NDArray[Any]]
"""A function that returns the weight of each unit in each draw of a block."""

# Independent streams of one seed.
SEGMENTS, SWAPS, BASELINE_RUNS, SYSTEM_RUNS, SHUFFLES, SYSTEMS, METRICS = range(7)

_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)


def generator(seed: int, stream: int) -> np.random.PCG64:
    return np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(stream,)))


def native_generator(bits: np.random.PCG64) -> _native.Pcg64:
    """Return the same generator for native code. It must be in its first state."""
    state = bits.state["state"]
    halves = [half for number in (state["state"], state["inc"]) for half in divmod(number, 2**64)]
    return _native.Pcg64(*halves)


def words(seed: int, stream: int, begin: int, count: int) -> Words:
    bits = generator(seed, stream)
    if begin:
        bits.advance(begin)
    drawn: Words = bits.random_raw(count)
    return drawn


def below(drawn: Words, bound: int) -> NDArray[np.int64]:
    """Return numbers from 0 to `bound` - 1: the high parts of 96-bit products, for bounds below 2**32."""
    factor = np.uint64(bound)
    high: Words = ((drawn >> _HALF) * factor + ((drawn & _LOW) * factor >> _HALF)) >> _HALF
    return high.astype(np.int64)


@dataclass(frozen=True)
class Drawn:
    """The weights of the draws of a block, a row per draw. They are drawn when they are needed."""

    seed: int
    stream: int
    begin: int
    end: int
    units: int
    threads: int

    def __call__(self) -> Matrix:
        weights = np.empty((self.end - self.begin, self.units))
        bits = native_generator(generator(self.seed, self.stream))
        draw = bits.resample_weights if self.stream == SEGMENTS else bits.swap_weights
        draw(self.begin, weights, self.threads)
        return weights

    def add_products(self, table: Matrix, total: Matrix) -> None:
        """Add the product with a table of all units. Weights stay in the cache of the thread that draws them."""
        bits = native_generator(generator(self.seed, self.stream))
        add = bits.add_resampled if self.stream == SEGMENTS else bits.add_swapped
        add(self.begin, table, total, self.threads)


def resamples(seed: int, begin: int, end: int, units: int, threads: int = 1) -> Drawn:
    """Return how often each resample draws each unit, with replacement. Resample b uses the words from b * units on."""
    return Drawn(seed, SEGMENTS, begin, end, units, threads)


def swaps(seed: int, begin: int, end: int, units: int, threads: int = 1, *, stream: int = SWAPS) -> Drawn:
    """Return 1 for each unit that a trial swaps, else 0. A trial uses whole words. Unit i is bit i from the lowest."""
    return Drawn(seed, stream, begin, end, units, threads)


def shuffles(seed: int, begin: int, end: int, units: int, pool: int) -> NDArray[np.int64]:
    """Return which run goes to each trial, place and unit: a Fisher-Yates shuffle, the last place first."""
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
    return below(words(seed, stream, 0, count * runs), runs).reshape(count, runs)
