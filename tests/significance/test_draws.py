"""Draws are what a slow generator in Python gives, in whatever blocks they are made."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@pytest.fixture(params=[None, 1, 50, 1000])
def cells(request, monkeypatch):
    """Blocks of another size."""
    if request.param is not None:
        monkeypatch.setattr(draws, "_BLOCK_CELLS", request.param)
        monkeypatch.setattr(draws, "_CHUNK_WORDS", request.param // 3)


def whole(blocks):
    made = list(blocks)
    assert [block.begin for block in made] == np.cumsum([0, *(len(block.weights) for block in made[:-1])]).tolist()
    return np.concatenate([block.weights for block in made])


@pytest.mark.parametrize("units", [2, 7, 64, 100])
def test_resamples(units, cells):
    counts = [np.bincount(draw, minlength=units).tolist() for draw in oracle.resamples(3, 20, units)]
    assert whole(draws.resamples(3, 20, units)).tolist() == counts


@pytest.mark.parametrize("units", [2, 63, 64, 65, 130])
def test_swaps(units, cells):
    assert whole(draws.swaps(3, 20, units)).tolist() == oracle.swaps(3, 20, units)


@pytest.mark.parametrize("pool", [2, 3, 6])
def test_shuffles(pool, cells):
    found = np.concatenate([places for _, places in draws.shuffles(3, 20, 9, pool)])
    assert found.transpose(0, 2, 1).tolist() == oracle.shuffles(3, 20, 9, pool)


def test_run_choices():
    found = draws.run_choices(3, draws.SYSTEM_RUNS, 20, 5)
    assert found.tolist() == oracle.run_choices(3, oracle.SYSTEM_RUNS, 20, 5)


def test_streams_differ():
    assert len({tuple(draws.words(1, stream, 0, 4).tolist()) for stream in range(5)}) == 5
    assert len({tuple(draws.words(seed, 0, 0, 4).tolist()) for seed in (0, 1, 2**64, 2**128 - 1)}) == 4


def test_all_draws_are_equally_probable():
    resampled = whole(draws.resamples(1, 4000, 10))
    assert abs(resampled.mean(0) - 1).max() < 5 * 0.95 / 4000**0.5
    swapped = whole(draws.swaps(1, 4000, 10))
    assert abs(swapped.mean(0) - 0.5).max() < 5 * 0.5 / 4000**0.5
    orders = np.concatenate([places for _, places in draws.shuffles(1, 1000, 6, 3)]).transpose(0, 2, 1).reshape(-1, 3)
    _, counts = np.unique(orders, axis=0, return_counts=True)
    assert len(counts) == 6
    assert abs(counts - 1000).max() < 5 * (6000 * 1 / 6 * 5 / 6) ** 0.5
