"""RIBES at its limits: a million ranks, a hundred thousand equal words, thousands of references."""

import numpy as np
import pytest

import refscore
from tests import strategies
from tests.reference import close

RIBES = refscore.RIBES
pytestmark = pytest.mark.slow


def test_a_million_ranks_in_reverse():
    count = 1_000_000
    metric = RIBES(correlation="rho")
    (row,) = metric.stats([np.arange(count)], [[np.arange(count)[::-1].copy()]])
    assert row[1] == 0
    assert metric.score(row).value == 0


def test_many_references_of_different_words():
    references = [[f"{i} {j}" for j in range(20)] for i in range(5000)]
    assert RIBES().segment(references[-1], references).value == 1


def test_a_hundred_thousand_equal_tokens():
    """Only the first and the last word are aligned, by the whole sentence."""
    size = 100_000
    score = RIBES().segment([7] * size, [[7] * size])
    assert (score.nkt, score.brevity_penalty) == (1.0, 1.0)
    assert close(score.precision, 2 / size)
    assert close(score.value, (2 / size) ** 0.25)
    assert close(RIBES.preset("nltk").segment([7] * size, [[7] * size]).precision, 1 / size)
    assert RIBES().segment("w " * size, "w " * (size + 1)).precision == 0.0
    assert RIBES().segment("w " * size, "w " * (size // 2)).precision == 0.0


@pytest.mark.parametrize("distinct", [2, 50, 10**9])
def test_long_and_repetitive(distinct):
    words = strategies.random_tokens(0, 50_000, distinct)
    score = RIBES().segment(words, [words])
    assert score.nkt == 1.0
    assert score.precision == pytest.approx(1.0, abs=1e-3)
    periodic = [i % 97 for i in range(50_000)]
    assert RIBES().segment(periodic, [periodic[1:]]).brevity_penalty == 1.0


def test_ascending_pairs_of_many():
    size = 300_000
    assert refscore.metrics.ascending_pairs(range(size)) == size * (size - 1) // 2
    assert refscore.metrics.ascending_pairs(list(range(size))[::-1]) == 0
    assert refscore.metrics.ascending_pairs([7] * size) == 0
