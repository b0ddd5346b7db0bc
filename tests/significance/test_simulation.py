"""A short run of the simulation; the documentation contains a long one."""

import pytest

from bench.significance_simulation import METRICS, distance_bound, distance_from_uniform, simulate

pytestmark = pytest.mark.slow

REPEATS = 150


@pytest.fixture(scope="module")
def findings():
    return simulate(REPEATS, segments=150, draws=200, seed=3, world=2000)


@pytest.mark.parametrize("label", METRICS)
def test_p_is_uniform_where_nothing_differs(findings, label):
    for ps in (findings[label].bootstrap, findings[label].randomization):
        assert distance_from_uniform(ps) < distance_bound(REPEATS) * 1.3
        # Five standard deviations above 5 %.
        assert sum(p <= 0.05 for p in ps) / REPEATS < 0.05 + 5 * (0.05 * 0.95 / REPEATS) ** 0.5


@pytest.mark.parametrize("label", METRICS)
def test_intervals_hold_the_truth(findings, label):
    assert (findings[label].held / REPEATS > 0.95 - 4 * (0.05 * 0.95 / REPEATS) ** 0.5).all()


def test_distances():
    assert distance_from_uniform([0.25, 0.75]) == pytest.approx(0.25)
    assert distance_from_uniform([1.0, 1.0]) == pytest.approx(1.0)
