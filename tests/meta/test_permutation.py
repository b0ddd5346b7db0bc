"""PERM-BOTH equals an enumeration of all swaps with exact scores. It depends on no scale, shift or order."""

import itertools
import math
import random

import numpy as np
import pytest

from refscore.meta import Judgments, rank_metrics
from refscore.meta.permutation import standardize
from tests.meta.scores import generate, in_order_of_scores, swaps
from tests.meta.test_tests import flat_statistic
from tests.reference import meta as oracle

NAMES = ["pearson", "spearman", "tau-b", "tau-c", "tau-23", "acc-23", "acc-eq", "kendall-like"]


def exact_pearson(human, metric):
    """Return Pearson's r; scores with 40 digits become doubles only here."""
    return oracle.pearson(human, [float(score) for score in metric])


def statistic_of(name, size):
    if name == "pearson":
        value = exact_pearson
    elif name == "acc-eq":
        value = exact_calibrated
    else:
        value = flat_statistic(name, [size])

    def defined(human, metric):
        if len(set(metric)) == 1:
            metric = [0] * len(metric)
        found = value(human, metric)
        return 0.0 if math.isnan(found) else found

    return defined


def exact_calibrated(human, metric):
    """Return acc*_eq of one group; equal differences of exact scores are equal in 38 digits."""
    pairs = [
        ((h1 > h2) - (h1 < h2), (m1 > m2) - (m1 < m2), round(abs(m1 - m2), 38))
        for (h1, m1), (h2, m2) in itertools.combinations(zip(human, metric, strict=True), 2)
    ]
    return max(
        sum(h == (m if difference > epsilon else 0) for h, m, difference in pairs) / len(pairs)
        for epsilon in {0, *(difference for _, _, difference in pairs)}
    )


@pytest.mark.parametrize("name", NAMES)
def test_enumeration(name):
    """Whole numbers with few levels: many scores are equal, also after scaling."""
    generator, trials = random.Random(NAMES.index(name)), 300
    for size in (3, 4, 6):
        for _ in range(6):
            people = [25.0 * generator.randrange(3) for _ in range(size)]
            scores = [[float(generator.randrange(levels)) for _ in range(size)] for levels in (2, 4)]
            if len(set(people)) == 1 or any(len(set(own)) == 1 for own in scores):
                continue
            (people,), ordered = in_order_of_scores([people], {"one": [scores[0]], "other": [scores[1]]})
            scores = [row for (row,) in ordered.values()]
            factor = generator.choice([1, 3, 100, 0.1, 1 / 3])
            metrics = {"one": [scores[0]], "other": [[factor * score + 7 for score in scores[1]]]}
            ranking = rank_metrics(Judgments.from_scores([people], metrics), name, by="none", trials=trials, seed=size)
            exact = dict(zip(metrics, scores, strict=True))
            better, worse = (metric.name for metric in ranking)
            if math.isnan(ranking[worse].value):
                continue
            leads = oracle.enumerated_leads(statistic_of(name, size), people, exact[worse], exact[better])
            observed = leads[(False,) * size]
            drawn = [leads[tuple(row)] for row in swaps(size, trials, size)]
            as_large = sum(lead >= observed - 1e-12 for lead in drawn)
            assert ranking.p(better, worse) == (as_large + 1) / (trials + 1), (people, scores, factor)


@pytest.mark.parametrize("name", [*NAMES, "spa"])
def test_a_metric_on_two_scales(name):
    """Each draw has the observed difference, which is 0."""
    for levels in (2, 3, 7, None):
        human, metrics = generate(5, 4, 8, levels=levels, scale=20.0, metrics=1)
        one = np.array(metrics["metric 0"])
        scaled = {"one": one, "scaled": 100 * one, "third": one / 3, "shifted": 0.1 * one + 0.7}
        ranking = rank_metrics(Judgments.from_scores(human, scaled), name, trials=99)
        if not math.isnan(ranking.metrics[0].value):
            assert np.nanmin(ranking.p_values) == 1
        assert len({metric.cluster for metric in ranking}) == 1


INVARIANT = [
    *((name, "segment", None) for name in [*NAMES, "pdp"]),
    *(("pearson", "segment", by) for by in ("item", "system")),
    # acc*_eq compares differences as mt-metrics-eval does. Those between means are separated by rounding.
    *((name, "system", None) for name in ("pearson", "tau-b", "pairwise-accuracy", "spa")),
]


@pytest.mark.parametrize(("name", "level", "by"), INVARIANT)
def test_invariance(name, level, by):
    """Scales, shifts and signs of metrics change no p-value and no cluster, with equal scores and means too.

    After scaling, means of systems that were equal differ by rounding. Sums with a metric of equal scores cancel.
    """
    for seed, levels, gaps in ((6, 6, 0.0), (7, 4, 0.1), (10, 4, 0.0)):
        human, metrics = generate(seed, 5, 18, levels=levels, gaps=gaps, metrics=4, scale=10.0)
        metrics = {key: np.array(scores) for key, scores in metrics.items()}
        metrics |= {"copy": 100 * metrics["metric 0"], "equal": np.ones((5, 18))}

        def tested(changed, human=human, **settings):
            """Return p-values by name, since equal metrics may change places, and clusters."""
            judgments = Judgments.from_scores(human, changed, **settings)
            ranking = rank_metrics(judgments, name, level=level, by=by, trials=60)
            p_values = {}
            for one, other in itertools.combinations(sorted(changed), 2):
                both = [ranking.p(one, other), ranking.p(other, one)]
                p_values[one, other] = next((p for p in both if not math.isnan(p)), None)
            return p_values, {metric.name: metric.cluster for metric in ranking}

        expected = tested(metrics)
        changes = [
            lambda scores, k: 7.3 * scores,
            lambda scores, k: 1e-9 * scores,
            lambda scores, k: scores / 7 + 11.7,
            lambda scores, k: (3 + k) * scores - k,
        ]
        for change in changes:
            assert tested({key: change(scores, k) for k, (key, scores) in enumerate(metrics.items())}) == expected
        negated = {key: -scores for key, scores in metrics.items()}
        assert tested(negated, lower_is_better=metrics) == expected


@pytest.mark.parametrize("name", [*NAMES, "spa", "pdp", "pairwise-accuracy"])
def test_order_of_systems_and_segments(name):
    """It changes no bit: not of values, p-values, clusters or intervals, with ties and gaps, and without names."""
    generator = np.random.default_rng(3)
    for levels, gaps in ((None, 0.0), (3, 0.2)):
        human, metrics = generate(6, 5, 30, levels=levels, metrics=3, scale=25.0)
        people = np.array(human)
        people[:, :20][generator.random((5, 20)) < gaps] = np.nan
        scores = {key: np.array(own) for key, own in metrics.items()}
        settings = {"trials": 60, "resamples": 0 if name == "spa" else 20, "resample": "both"}
        expected = rank_metrics(Judgments.from_scores(people, scores), name, **settings)
        for _ in range(3):
            rows, columns = generator.permutation(5), generator.permutation(30)
            moved = {key: own[np.ix_(rows, columns)] for key, own in scores.items()}
            found = rank_metrics(Judgments.from_scores(people[np.ix_(rows, columns)], moved), name, **settings)
            assert found.metrics == expected.metrics
            assert np.array_equal(found.p_values, expected.p_values, equal_nan=True)


def test_standardized_scores():
    """Equal scores of one metric stay equal, different ones different, and those on two scales are shared."""
    one = np.array([1.0, 0.0, 1.0])
    (first, second), ranks = standardize([one, 3 * one])
    assert first.tolist() == second.tolist() and ranks[0].tolist() == ranks[1].tolist() == [1, 0, 1]
    assert first.mean() == pytest.approx(0, abs=1e-15) and first.std() == pytest.approx(1)
    # Scores that differ only in the last digit are different; an outlier leaves them no digits after scaling.
    near = np.array([1.0, np.nextafter(1.0, 2), 1.0, 1e300])
    _, (ranks,) = standardize([near])
    assert ranks.tolist() == [0, 1, 0, 2]
    standardized, ranks = standardize([np.full(3, 0.1), one])
    assert standardized[0].tolist() == [0, 0, 0] and len(set(ranks[0])) == 1
