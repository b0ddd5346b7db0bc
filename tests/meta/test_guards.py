"""The kernels of agreement check their arguments: invalid ones raise errors and never crash."""

import math

import numpy as np
import pytest

from refscore import _native
from refscore.meta.statistics import Rule
from refscore.significance import draws
from refscore.significance.draws import native_generator

RULE = Rule("pearson", 0.0, False, False)
HUMAN = np.array([1.0, 2.0, 4.0, 3.0])
METRICS = np.array([[1.0, 2.0, 3.0, 5.0], [4.0, 1.0, 2.0, 0.0]])
STARTS = np.array([0, 4])


def bits():
    return native_generator(draws.generator(1, draws.METRICS))


def swap_test(human=HUMAN, starts=STARTS, rule=RULE, count=5):
    return _native.SwapTest(human, starts, rule, bits(), count)


CALLS = {
    "agreement": lambda human, metrics, starts: _native.agreement(RULE, human, metrics, starts, 1),
    "by group": lambda human, metrics, starts: _native.agreement_by_group(RULE, human, metrics[0].copy(), starts),
    "calibrated": lambda human, metrics, starts: _native.calibrated_accuracy(human, metrics, starts, 1),
    "swap test": lambda human, metrics, starts: swap_test(human, starts).p_values(metrics, np.array([[0, 1]]), 1),
    "swap test of acc*_eq": lambda human, metrics, starts: swap_test(human, starts, None).p_values(
        metrics, np.array([[0, 1]]), 1
    ),
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


@every_call
def test_right_arguments(call):
    assert np.isfinite(call(HUMAN, METRICS, STARTS)).all()
    assert np.isfinite(call(HUMAN, METRICS, np.array([0, 4, 4]))[:1]).all()


@every_call
def test_lengths(call):
    for size in (0, 3, 5):
        with pytest.raises(ValueError, match=r"groups must cover|human score for each|there must be scores"):
            call(np.resize(HUMAN, size), METRICS, STARTS)
        with pytest.raises(ValueError, match="human score for each"):
            call(HUMAN, np.resize(METRICS, (2, size)), STARTS)


@every_call
@pytest.mark.parametrize(
    "starts",
    [[], [0], [1, 4], [-1, 4], [0, 3], [0, 5], [0, 3, 2, 4], [0, 5, 4], [0, -1, 4], [0, 2**62], [4, 0], [0, 4, 4, 9]],
)
def test_starts(call, starts):
    with pytest.raises(ValueError, match="group"):
        call(HUMAN, METRICS, np.array(starts, dtype=np.int64))


@every_call
@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_scores_that_are_not_finite(call, score):
    """NaN has no order. Sorting it is undefined behavior, which can crash with many scores."""
    for size in (4, 5000):
        human, metrics, starts = np.resize(HUMAN, size), np.resize(METRICS, (2, size)), np.array([0, 4, size])
        wrong = human.copy()
        wrong[::3] = score
        with pytest.raises(ValueError, match="finite"):
            call(wrong, metrics, starts)
        wrong = metrics.copy()
        wrong[:, ::3] = score
        with pytest.raises(ValueError, match="finite"):
            call(human, wrong, starts)


@every_call
def test_largest_numbers(call):
    """Differences of finite scores may be infinite."""
    largest = np.finfo(float).max
    human, metrics = np.array([largest, -largest, 0, largest]), np.array([[-largest, largest, 1, 2]] * 2)
    assert len(call(human, metrics, STARTS))
    assert len(call(human / 1e308 * 5e-324, metrics / 1e308 * 5e-324, STARTS))


@every_call
def test_types(call):
    for human, metrics, starts in (
        (HUMAN[None], METRICS, STARTS),
        (HUMAN, METRICS[None], STARTS),
        (HUMAN, METRICS, STARTS[None]),
        (None, METRICS, STARTS),
    ):
        with pytest.raises(TypeError):
            call(human, metrics, starts)


def test_no_scores():
    none, starts = np.zeros(0), np.zeros(1, dtype=np.int64)
    assert np.isnan(_native.agreement(RULE, none, np.zeros((2, 0)), starts, 1)).all()
    assert np.isnan(_native.calibrated_accuracy(none, np.zeros((2, 0)), starts, 1)[:, 0]).all()
    assert len(_native.agreement_by_group(RULE, none, none, starts)) == 0
    assert _native.agreement(RULE, HUMAN, np.zeros((0, 4)), STARTS, 1).shape == (0,)
    for rule in (RULE, None):
        with pytest.raises(ValueError, match="there must be scores"):
            swap_test(none, starts, rule)


def test_groups_of_one():
    """They have no pairs, so nothing differs."""
    starts = np.arange(5)
    assert np.isnan(_native.agreement(RULE, HUMAN, METRICS, starts, 1)).all()
    assert np.isnan(_native.agreement_by_group(RULE, HUMAN, METRICS[0], starts)).all()
    for rule in (RULE, None):
        assert swap_test(starts=starts, rule=rule).p_values(METRICS, np.array([[0, 1]]), 1) == [1]


@pytest.mark.parametrize("rule", [RULE, None])
def test_pairs_of_metrics(rule):
    test = swap_test(rule=rule)
    for pair in ([0, 2], [-1, 0], [2**62, 0], [0, -(2**63)]):
        with pytest.raises(ValueError, match="no such metric"):
            test.p_values(METRICS, np.array([[0, 1], pair]), 1)
    for pairs in (np.zeros((1, 3), dtype=np.int64), np.zeros((1, 1), dtype=np.int64)):
        with pytest.raises(ValueError, match="two metrics"):
            test.p_values(METRICS, pairs, 1)
    assert test.p_values(METRICS, np.zeros((0, 2), dtype=np.int64), 1).shape == (0,)
    assert test.p_values(METRICS, np.array([[1, 1]]), 1) == [1]


@pytest.mark.parametrize("rule", [RULE, None])
def test_numbers_of_draws(rule):
    for count in (10_000_001, 2**62, 2**64 - 1):
        with pytest.raises(ValueError, match="at most 10000000 draws"):
            swap_test(rule=rule, count=count)
    with pytest.raises(TypeError):
        swap_test(rule=rule, count=-1)
    assert swap_test(rule=rule, count=0).p_values(METRICS, np.array([[0, 1]]), 1) == [1]


def test_too_many_pairs():
    human, starts = np.zeros(6000), np.array([0, 6000])
    for call in (
        lambda: _native.calibrated_accuracy(human, human[None], starts, 1),
        lambda: swap_test(human, starts, None),
    ):
        with pytest.raises(ValueError, match="too many pairs of scores: group them by item"):
            call()


def test_thresholds():
    for threshold in (-1.0, math.nan):
        with pytest.raises(ValueError, match="threshold must not be negative"):
            Rule("acc_23", threshold, False, False)
    with pytest.raises(TypeError):
        Rule("Pearson", 0.0, False, False)


SIGNS = np.array([[1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
PEOPLE = np.array([1])
SYSTEM_SCORES = np.arange(12.0).reshape(3, 2, 2)
PAIRS = np.array([[0, 1], [2, 1]])


def soft_test(signs=SIGNS, human=PEOPLE, metrics=SYSTEM_SCORES, pairs=PAIRS):
    return _native.SoftSwapTest(signs, human, metrics, pairs, bits())


def test_soft_tests():
    assert soft_test().leads(0, 9, 1).shape == (9, 2) and soft_test().observed().shape == (2,)
    assert soft_test(pairs=PAIRS[:0]).leads(0, 9, 1).shape == (9, 0)
    assert soft_test().leads(3, 3, 1).shape == (0, 2)
    wrong = {
        "signs": [SIGNS[:, :1].copy(), SIGNS[:0], np.where(SIGNS > 0, SIGNS, np.nan)],
        "human": [np.array([1, 2]), PEOPLE[:0]],
        "metrics": [SYSTEM_SCORES[:, :1].copy(), SYSTEM_SCORES[:, :, :1].copy(), SYSTEM_SCORES + math.inf],
        "pairs": [np.array([[0, 3]]), np.array([[-1, 0]]), np.array([[0, 1, 2]])],
    }
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(ValueError, match=r"must|do not fit|no such metric"):
                soft_test(**{name: value})
    for begin, end in ((2, 1), (0, 10_000_001)):
        with pytest.raises(ValueError, match="at most 10000000 draws"):
            soft_test().leads(begin, end, 1)
