"""Draws equal those of a slow generator in Python, in any block size."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given, strategies as st

from refscore.significance import draws
from tests.reference import significance as oracle


@pytest.mark.parametrize("stream", [draws.SEGMENTS, draws.SWAPS, draws.SHUFFLES])
@pytest.mark.parametrize("begin", [0, 1, 1000])
def test_words(stream, begin):
    expected = list(islice(oracle.words(12345, stream), begin, begin + 20))
    assert draws.words(12345, stream, begin, 20).tolist() == expected


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1), st.integers(1, 2**32 - 1))
def test_below(drawn, bound):
    found = draws.below(np.array(drawn, dtype=np.uint64), bound)
    assert found.tolist() == [oracle.below(word, bound) for word in drawn]


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 1000, 2**31 + 11, 2**32 - 1])
def test_below_at_the_borders(bound):
    """The first word of a number, and the last word of the previous number."""
    numbers = {min(number, bound - 1) for number in (0, 1, 2, bound // 3, bound // 2, bound - 1)}
    first = [-(-(number << 64) // bound) for number in sorted(numbers)]
    assert draws.below(np.array(first, dtype=np.uint64), bound).tolist() == sorted(numbers)
    last = [word - 1 for word in first if word]
    assert draws.below(np.array(last, dtype=np.uint64), bound).tolist() == [n - 1 for n in sorted(numbers) if n]


@pytest.mark.parametrize("threads", [1, 3, 0])
@pytest.mark.parametrize("units", [2, 7, 64, 100])
def test_resamples(units, threads):
    counts = [np.bincount(draw, minlength=units).tolist() for draw in oracle.resamples(3, 20, units)]
    assert draws.resamples(3, 0, 20, units, threads)().tolist() == counts
    assert draws.resamples(3, 13, 15, units, threads)().tolist() == counts[13:15]
    assert draws.resamples(3, 5, 20, units, threads)().tolist() == counts[5:]


@pytest.mark.parametrize("units", [2, 63, 64, 65, 130])
def test_swaps(units):
    expected = oracle.swaps(3, 20, units)
    assert draws.swaps(3, 0, 20, units)().tolist() == expected
    assert draws.swaps(3, 13, 15, units)().tolist() == expected[13:15]


@pytest.mark.parametrize("pool", [2, 3, 6])
def test_shuffles(pool):
    expected = oracle.shuffles(3, 20, 9, pool)
    assert draws.shuffles(3, 0, 20, 9, pool).transpose(0, 2, 1).tolist() == expected
    assert draws.shuffles(3, 13, 15, 9, pool).transpose(0, 2, 1).tolist() == expected[13:15]


def test_run_choices():
    found = draws.run_choices(3, draws.SYSTEM_RUNS, 20, 5)
    assert found.tolist() == oracle.run_choices(3, oracle.SYSTEM_RUNS, 20, 5)


def test_streams_differ():
    assert len({tuple(draws.words(1, stream, 0, 4).tolist()) for stream in range(5)}) == 5
    assert len({tuple(draws.words(seed, 0, 0, 4).tolist()) for seed in (0, 1, 2**64, 2**128 - 1)}) == 4


def test_all_draws_are_equally_probable():
    resampled = draws.resamples(1, 0, 4000, 10)()
    assert abs(resampled.mean(0) - 1).max() < 5 * 0.95 / 4000**0.5
    swapped = draws.swaps(1, 0, 4000, 10)()
    assert abs(swapped.mean(0) - 0.5).max() < 5 * 0.5 / 4000**0.5
    orders = draws.shuffles(1, 0, 1000, 6, 3).transpose(0, 2, 1).reshape(-1, 3)
    _, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(counts) == 6
    assert abs(counts - 1000).max() < 5 * (6000 * 1 / 6 * 5 / 6) ** 0.5
