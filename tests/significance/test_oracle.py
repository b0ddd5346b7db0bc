"""Tests on rows equal slow ones that follow the definitions literally."""

import random

import pytest

import refscore
from refscore.significance import approximate_randomization, bootstrap, paired_bootstrap
from tests.reference import significance as oracle

METRICS = {
    "BLEU": refscore.BLEU(),
    "BLEU with a mean length": refscore.BLEU(reference_length="average", smoothing="floor"),
    "chrF": refscore.CHRF(word_order=2),
    "TER": refscore.TER(),
    "RIBES": refscore.RIBES(),
}
COUNT = 60
SEGMENTS = 12
DOCUMENTS = [(letter, 1) for letter in "baabcccaddbe"]  # labels may be tuples


def outputs(how_many, seed=1):
    """Return systems with some wrong words."""
    generator = random.Random(seed)
    vocabulary = ["the", "cat", "dog", "sat", "ran", "on", "by", "mat", "tree", "today", "once", "more"]
    references = [[" ".join(generator.choices(vocabulary, k=9)) for _ in range(2)] for _ in range(SEGMENTS)]

    def system(rate):
        return [
            " ".join(word if generator.random() > rate else generator.choice(vocabulary) for word in first.split())
            for first, _ in references
        ]

    return [system(0.2 + 0.04 * k) for k in range(how_many)], references


def rows_of(metric, how_many):
    systems, references = outputs(how_many)
    return [metric.stats(texts, references) for texts in systems]


def equal(found, expected):
    return found == pytest.approx(expected, rel=1e-11, abs=1e-13)


every_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
every_unit = pytest.mark.parametrize("units", [None, DOCUMENTS], ids=["segments", "documents"])


@every_metric
@every_unit
def test_bootstrap(metric, units):
    (rows,) = rows_of(metric, 1)
    found = bootstrap(metric, rows, resamples=COUNT, seed=5, confidence=0.9, units=units)
    values = oracle.bootstrap(metric, [rows], COUNT, 5, 0.9, units)
    assert equal([found.mean, found.low, found.high], oracle.interval(values, 0.9))


@pytest.mark.parametrize("count", [2, 9])
def test_an_interval_ends_with_the_resamples(count):
    metric = METRICS["chrF"]
    (rows,) = rows_of(metric, 1)
    found = bootstrap(metric, rows, resamples=count, seed=5, confidence=0.99)
    values = oracle.bootstrap(metric, [rows], count, 5, 0.99)
    assert equal([found.mean, found.low, found.high], oracle.interval(values, 0.99))
    assert equal([found.low, found.high], [min(values), max(values)])


@every_metric
@every_unit
@pytest.mark.parametrize("runs", [(1, 1), (3, 2)], ids=["one run", "several runs"])
def test_paired_bootstrap(metric, units, runs):
    rows = rows_of(metric, sum(runs))
    baseline, system = rows[: runs[0]], rows[runs[0] :]
    found = paired_bootstrap(
        metric, {"old": baseline, "new": system}, resamples=COUNT, seed=6, confidence=0.8, units=units
    )["new"]
    real, p, wins, interval, difference = oracle.paired_bootstrap(metric, baseline, system, COUNT, 6, 0.8, units)
    assert (found.p, found.win_probability) == (p, wins)
    assert equal(found.difference, real)
    assert equal([found.interval.mean, found.interval.low, found.interval.high], interval)
    own = found.difference_interval
    assert equal([own.mean, own.low, own.high], difference)


@every_metric
@every_unit
@pytest.mark.parametrize("runs", [(1, 1), (1, 2), (2, 2)], ids=["one run", "unequal runs", "several runs"])
def test_approximate_randomization(metric, units, runs):
    rows = rows_of(metric, sum(runs))
    baseline, system = rows[: runs[0]], rows[runs[0] :]
    systems = {"old": baseline, "new": system}
    found = approximate_randomization(metric, systems, trials=COUNT, seed=7, units=units)["new"]
    real, p = oracle.approximate_randomization(metric, baseline, system, COUNT, 7, units)
    assert found.p == p
    assert equal(found.difference, real)


def test_intervals_beside_randomization_are_those_of_the_bootstrap():
    metric = METRICS["chrF"]
    systems = dict(zip(["old", "new"], rows_of(metric, 2), strict=True))
    found = approximate_randomization(metric, systems, trials=COUNT, resamples=COUNT, confidence=0.9)
    resampled = paired_bootstrap(metric, systems, resamples=COUNT, confidence=0.9)
    for own, other in zip(found.systems, resampled.systems, strict=True):
        assert (own.interval, own.difference_interval) == (other.interval, other.difference_interval)
        assert own.win_probability == other.win_probability
    assert found["new"].p == approximate_randomization(metric, systems, trials=COUNT)["new"].p
