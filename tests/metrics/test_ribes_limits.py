"""RIBES at its limits: all pairs with an empty reference, a million ranks, thousands of references."""

import numpy as np
import pytest

import refscore


def test_an_empty_reference_of_all_pairs():
    metric = refscore.RIBES()
    with pytest.raises(refscore.InputError, match=r"references\[0\]\[1\] has no words"):
        metric.pairwise([["a", "b"], ["x"]], [["a", ""], ["b", "y"]])
    with pytest.raises(refscore.InputError, match=r"references\[1\] has no words"):
        metric.pairwise([["a"]], [["a"], []], tokens=True)


def test_a_million_ranks_in_reverse():
    count = 1_000_000
    metric = refscore.RIBES(correlation="rho")
    (row,) = metric.stats([np.arange(count)], [[np.arange(count)[::-1].copy()]])
    assert row[1] == 0
    assert metric.score(row).value == 0


def test_many_references_of_different_words():
    references = [[f"{i} {j}" for j in range(20)] for i in range(5000)]
    assert refscore.RIBES().segment(references[-1], references).value == 1
