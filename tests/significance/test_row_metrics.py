"""Metrics that do not score text: rows with any numbers, and only what `RowMetric` requires."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from refscore.metrics import RowMetric, Score
from refscore.significance import all_pairs, approximate_randomization, bootstrap, paired_bootstrap
from refscore.significance.sums import SplitTables, StackedTables
from tests.python_metrics import Surplus


class MeanValue(Score):
    @property
    def value(self):
        return float(self.row[0] / self.row[1])


@dataclass(frozen=True)
class Mean(RowMetric[MeanValue]):
    """The mean of a number that may be negative, such as a log-probability."""

    name = "mean"
    display_name = "mean"
    columns = ("sum", "count")
    row_type = np.dtype(np.float64)
    score_type = MeanValue
    _has_negative_rows = True

    def _values(self, rows, threads):
        return rows[:, 0] / rows[:, 1]


@pytest.fixture
def systems():
    generator = np.random.default_rng(5)
    return {name: np.stack([generator.normal(-1, 1, 60), np.ones(60)], axis=1) for name in ("a", "b")}


def test_rows_need_no_text(systems):
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
