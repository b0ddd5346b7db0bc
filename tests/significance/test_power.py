"""The minimum detectable difference: its formula, and what a test makes of a difference of this size."""

from statistics import NormalDist

import numpy as np
import pytest

import refscore
from refscore.significance import minimum_detectable_difference, paired_bootstrap
from tests.python_metrics import Surplus

# A metric that is a mean: its row is (number, 1).
MEAN = Surplus()
SEGMENTS = 200


def rows(numbers):
    return np.stack([numbers, np.ones(len(numbers))], axis=1)


@pytest.fixture(scope="module")
def systems():
    generator = np.random.default_rng(8)
    shared = generator.normal(0, 3, SEGMENTS)  # easy and hard segments, which cancel in a paired test
    return {name: rows(shared + generator.normal(0, 1, SEGMENTS)) for name in ("base", "other")}


@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.9)])
def test_the_closed_form_of_a_mean(systems, alpha, power):
    differences = systems["other"][:, 0] - systems["base"][:, 0]
    normal = NormalDist()
    error = differences.std() / SEGMENTS**0.5
    expected = (normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)) * error
    smallest = minimum_detectable_difference(MEAN, systems, alpha=alpha, power=power, resamples=10_000)
    # The relative error of a standard deviation of 10,000 values is 1 / sqrt(2 * 10,000) = 0.7 %.
    assert smallest["other"] == pytest.approx(expected, rel=4 * 0.007)


def test_the_draws_are_those_of_the_paired_bootstrap(systems):
    """Intervals of nearly normal differences have a half-width of 1.96 standard errors."""
    interval = paired_bootstrap(MEAN, systems, resamples=10_000)["other"].difference_interval
    smallest = minimum_detectable_difference(MEAN, systems, resamples=10_000)["other"]
    assert smallest / interval.half_width == pytest.approx((1.96 + 0.8416) / 1.96, rel=0.05)
    other_seed = minimum_detectable_difference(MEAN, systems, resamples=10_000, seed=1)["other"]
    assert smallest != other_seed == pytest.approx(smallest, rel=0.05)
    units = [k // 2 for k in range(SEGMENTS)]
    assert minimum_detectable_difference(MEAN, systems, resamples=100, units=units)["other"] > 0


@pytest.mark.slow
def test_a_test_shows_this_difference_in_four_of_five_cases(systems):
    """Draw test sets from the segments, as if they were the population, and add the difference to one system."""
    repeats, resamples = 400, 199  # p ≤ 0.05 is possible exactly: 10 / (199 + 1)
    base, other = (table[:, 0] for table in systems.values())
    smallest = minimum_detectable_difference(MEAN, systems, resamples=10_000)["other"]
    generator = np.random.default_rng(4)

    def rejections(difference):
        shift = difference - (other - base).mean()
        count = 0
        for _ in range(repeats):
            drawn = generator.integers(SEGMENTS, size=SEGMENTS)
            pair = {"base": rows(base[drawn]), "other": rows(other[drawn] + shift)}
            seed = int(generator.integers(2**32))
            outcome = paired_bootstrap(MEAN, pair, resamples=resamples, seed=seed, threads=1)["other"]
            count += outcome.significant()
        return count / repeats

    # Four standard deviations of a share of 400, and 2 % because a test with 199 resamples is slightly weaker.
    assert rejections(smallest) == pytest.approx(0.8, abs=4 * (0.8 * 0.2 / repeats) ** 0.5 + 0.02)
    assert rejections(smallest / 2) < 0.45  # 29 % for normal differences


def test_several_metrics_systems_and_runs(systems):
    metrics = {"mean": MEAN, "again": Surplus()}
    three = {**systems, "runs": [systems["base"], systems["other"]], "same": systems["base"]}
    smallest = minimum_detectable_difference(metrics, dict.fromkeys(metrics, three), resamples=100)
    assert smallest["mean"] == smallest["again"]
    assert list(smallest["mean"]) == ["other", "runs", "same"]
    assert smallest["mean"]["runs"] > 0
    assert smallest["mean"]["same"] == 0
    assert smallest["mean"]["other"] == minimum_detectable_difference(MEAN, systems, resamples=100)["other"]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"alpha": 5}, "alpha must be a number between 0 and 1 such as 0.05, not 5"),
        ({"power": "much"}, "power must be a number between 0 and 1 such as 0.8, not 'much'"),
        ({"power": 80}, "power"),
        ({"resamples": 1}, "resamples"),
    ],
)
def test_mistakes(systems, settings, expected):
    with pytest.raises(refscore.SettingError, match=expected):
        minimum_detectable_difference(MEAN, systems, **settings)
