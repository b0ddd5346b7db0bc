"""Scorers that are not refscore metrics: rows with any numbers, and only the requirements of `RowScorer`."""

from fractions import Fraction

import numpy as np
import pytest

from refscore.significance import RowScorer, all_pairs, approximate_randomization, bootstrap, paired_bootstrap
from refscore.significance.sums import SplitTables, StackedTables
from tests.python_metrics import Surplus


class Mean:
    """The mean of a number that may be negative, such as a log-probability."""

    higher_is_better = True
    title = "mean"
    columns = ("sum", "count")

    def values(self, rows, *, threads=None):
        return rows[:, 0] / rows[:, 1]

    def score(self, row):
        return float(row[0] / row[1])


@pytest.fixture
def systems():
    generator = np.random.default_rng(5)
    return {name: np.stack([generator.normal(-1, 1, 60), np.ones(60)], axis=1) for name in ("a", "b")}


def test_only_the_protocol_is_needed(systems):
    assert isinstance(Mean(), RowScorer)
    a, b = (rows[:, 0] for rows in systems.values())
    for test in (paired_bootstrap, approximate_randomization):
        comparison = test(Mean(), systems, resamples=200)
        assert comparison["b"].difference == pytest.approx(b.mean() - a.mean(), rel=1e-12)
        assert 0 < comparison["b"].p <= 1
        assert str(comparison).startswith("mean, ")
        assert comparison.to_dict()["metric"] == "mean"
        assert test(Mean(), {"a": systems["a"], "same": systems["a"]})["same"].p == 1
    interval = bootstrap(Mean(), systems["a"])
    assert a.mean() in interval and interval == paired_bootstrap(Mean(), systems)["a"].interval
    assert len(all_pairs({"mean": Mean()}, {"mean": systems})["mean"]) == 2


def test_the_randomization_of_a_mean_is_that_of_signs(systems):
    """Each trial flips the signs of some differences."""
    a, b = (rows[:, 0] for rows in systems.values())
    generator = np.random.default_rng(1)
    flips = generator.choice([-1, 1], size=(20_000, 60))
    expected = float(np.mean(np.abs((flips * (b - a)).mean(1)) >= abs((b - a).mean())))
    assert approximate_randomization(Mean(), systems)["b"].p == pytest.approx(expected, abs=0.02)


def test_metrics_in_python_may_have_negative_rows():
    references = ["a b c", "a b", "a b c d"]
    metric = Surplus(tokenizer="none")
    rows = {"short": metric.stats(["a", "a", "a"], references), "same": metric.stats(references, references)}
    comparison = paired_bootstrap(metric, rows)
    assert comparison["short"].score == metric.corpus(["a", "a", "a"], references).value
    assert comparison["same"].win_probability == 1


@pytest.mark.parametrize("kind", [np.float64, np.int64])
def test_sums_of_negative_numbers_are_exact(kind):
    generator = np.random.default_rng(3)
    table = (generator.normal(0, 1e6, (50, 3)) * [1, 1e6, 1e-6]).astype(kind)
    weights = generator.multinomial(50, [1 / 50] * 50, size=5)
    ((sums,),) = StackedTables([SplitTables([table])]).sums(weights.astype(np.float64))
    exact = [
        [float(sum(int(w) * Fraction(v) for w, v in zip(row, column, strict=True))) for column in table.T.tolist()]
        for row in weights
    ]
    assert sums == pytest.approx(np.array(exact), rel=1e-14)
