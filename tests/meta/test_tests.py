"""PERM-BOTH, clusters and intervals equal plain definitions with the same draws."""

import itertools
import math
import random
from unittest.mock import Mock, call

import numpy as np
import pytest

import refscore
from refscore import _native
from refscore.meta import STATISTICS, Judgments, agreement, rank_metrics
from refscore.meta.permutation import standardize
from refscore.meta.ranking import intervals
from refscore.meta.statistics import sample
from refscore.significance import draws
from refscore.significance.settings import Sampling
from tests.meta.scores import flat, generate, swaps
from tests.reference import meta as oracle, significance as resampling

DEFINITIONS = {
    "pearson": oracle.pearson,
    "spearman": oracle.spearman,
    "tau-b": oracle.tau_b,
    "tau-c": oracle.tau_c,
    "tau-23": oracle.tau_23,
    "acc-23": oracle.acc_23,
}


def split(scores, sizes):
    """Return the groups of a flat list."""
    ends = np.cumsum([0, *sizes]).tolist()
    return [scores[begin:end] for begin, end in itertools.pairwise(ends)]


def flat_statistic(name, sizes):
    """Return a function of flat lists. A statistic without a value is 0."""

    def value(human, metric):
        groups = split(human, sizes), split(metric, sizes)
        if name == "kendall-like":
            values = [oracle.kendall_like(*group) for group in zip(*groups, strict=True)]
            found = sum(v * count for v, count in values) / (sum(count for _, count in values) or 1)
        elif name == "acc-eq":
            found = calibrated(*groups)
        else:
            each = [DEFINITIONS[name](*group) for group in zip(*groups, strict=True)]
            each = [v for v in each if not math.isnan(v)]
            found = math.fsum(each) / len(each) if each else 0.0
        return found

    return value


def calibrated(human, metric):
    """Return acc*_eq of groups; differences that are equal but for rounding are equal."""
    pairs = [
        ((h1 > h2) - (h1 < h2), (m1 > m2) - (m1 < m2), abs(m1 - m2), 2 / len(people) / (len(people) - 1) / len(human))
        for people, scores in zip(human, metric, strict=True)
        for k, (h1, m1) in enumerate(zip(people, scores, strict=True))
        for h2, m2 in zip(people[k + 1 :], scores[k + 1 :], strict=True)
    ]
    pairs = [(h, m if d > 1e-10 else 0, round(d, 10), weight) for h, m, d, weight in pairs]
    return max(
        math.fsum(weight for h, m, difference, weight in pairs if h == (m if difference > epsilon else 0))
        for epsilon in {0.0, *(difference for _, _, difference, _ in pairs)}
    )


def expected_p(name, human, one, other, by, trials, seed):
    """Return the p-value of "the second metric agrees better" by the definition."""
    people, first = flat(human, one, by)
    _, second = flat(human, other, by)
    sizes = [len(group) for group in people]
    people, first, second = ([*itertools.chain(*groups)] for groups in (people, first, second))
    drawn = swaps(seed, trials, len(people))
    return oracle.perm_both(flat_statistic(name, sizes), people, first, second, drawn)


def check(name, human, metrics, by, trials, seed=21):
    ranking = rank_metrics(Judgments.from_scores(human, metrics), name, by=by, trials=trials, seed=seed)
    names = [metric.name for metric in ranking]
    for k, better in enumerate(names):
        for worse in names[k + 1 :]:
            expected = expected_p(name, human, metrics[worse], metrics[better], by, trials, seed)
            assert ranking.p(better, worse) == pytest.approx(expected, abs=1e-14), (better, worse)
    return ranking


@pytest.mark.parametrize("by", ["none", "item", "system"])
@pytest.mark.parametrize("name", [*DEFINITIONS, "kendall-like", "acc-eq"])
def test_p_values(name, by):
    """By item, groups have different sizes because of gaps; acc*_eq then has weights."""
    for levels in (None, 6):
        human, metrics = generate(8, 4, 7, levels=levels, gaps=0.2, scale=20.0, metrics=3)
        check(name, human, metrics, by, 40)


@pytest.mark.parametrize("by", ["none", "item"])
@pytest.mark.parametrize("name", ["pearson", "acc-23", "acc-eq"])
def test_p_values_without_gaps(name, by):
    human, metrics = generate(9, 3, 11, levels=5, metrics=2)
    check(name, human, metrics, by, 40)


@pytest.mark.parametrize("trials", [1, 63, 64, 65, 200])
@pytest.mark.parametrize("name", ["pearson", "tau-b", "acc-eq"])
def test_numbers_of_draws(name, trials):
    human, metrics = generate(trials, 3, 6, levels=8, gaps=0.15)
    ranking = check(name, human, metrics, "item", trials)
    assert ranking.trials == trials


@pytest.mark.parametrize("size", [63, 64, 65, 130])
def test_scores_beyond_one_word(size):
    human, metrics = generate(size, 1, size, levels=12)
    for name in ("pearson", "spearman"):
        check(name, human, metrics, "none", 30)


@pytest.mark.parametrize("name", ["tau-b", "tau-c", "tau-23", "acc-23"])
def test_pairs_in_large_groups(name):
    human, metrics = generate(6, 3, 30, levels=9, gaps=0.1, metrics=2)
    check(name, human, metrics, "none", 70)


@pytest.mark.parametrize("level", ["segment", "system"])
def test_levels(level):
    human, metrics = generate(4, 8, 5, gaps=0.1)
    judgments = Judgments.from_scores(human, metrics)
    ranking = rank_metrics(judgments, "pearson", level=level, by="none", trials=50, seed=3)
    better, worse = (metric.name for metric in ranking)
    if level == "system":
        human = [judgments.human_systems.tolist()]
        metrics = {name: [scores.systems.tolist()] for name, scores in judgments.metrics.items()}
    expected = expected_p("pearson", human, metrics[worse], metrics[better], "none", 50, 3)
    assert ranking.p(better, worse) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["pearson", "spearman", "tau-b", "acc-23", "acc-eq", "kendall-like"])
def test_equal_metrics(name):
    """Every draw has the observed difference, which is 0, for equal metrics and for the same metric on any scale."""
    human, metrics = generate(3, 4, 9, levels=5, gaps=0.2, scale=20.0)
    one = np.array(metrics["metric 0"])
    ranking = rank_metrics(
        Judgments.from_scores(human, {"one": one, "same": one, "scaled": 3 * one + 0.7}), name, trials=99
    )
    assert np.nanmin(ranking.p_values) == 1
    assert {metric.cluster for metric in ranking} == {1}


@pytest.mark.parametrize("name", ["acc-eq", "acc-23", "tau-b", "spearman", "pearson"])
def test_metrics_with_the_same_scores(name):
    """Standardizing rounds. Metrics with the same scores in a different order keep their ties and equal differences."""
    generator = random.Random(5)
    for gaps in (0.0, 0.25):
        human, _ = generate(5, 4, 9, levels=3, gaps=gaps)
        places = [(s, k) for s in range(4) for k in range(9) if human[s][k] is not None]
        values = [generator.randrange(7) / 10 for _ in places]
        one, other = np.zeros((4, 9)), np.zeros((4, 9))
        for place, value in zip(places, values, strict=True):
            one[place] = value
        for place, value in zip(generator.sample(places, len(places)), values, strict=True):
            other[place] = value
        ranking = rank_metrics(
            Judgments.from_scores(human, {"one": one, "other": other}), name, by="item", trials=200, seed=7
        )
        better, worse = (metric.name for metric in ranking)
        people, first = flat(human, one if worse == "one" else other, "item")
        _, second = flat(human, one if better == "one" else other, "item")
        assert sum(map(len, people)) == len(places)
        # The scale does not matter, so the definition is computed with whole numbers.
        first, second = ([round(10 * v) for group in groups for v in group] for groups in (first, second))
        statistic, flat_people = flat_statistic(name, [len(group) for group in people]), [*itertools.chain(*people)]
        lead, as_large = statistic(flat_people, second) - statistic(flat_people, first), 1
        for row in swaps(7, 200, len(first)):
            mixed = [(b, a) if swap else (a, b) for a, b, swap in zip(first, second, row, strict=True)]
            a, b = map(list, zip(*mixed, strict=True))
            as_large += statistic(flat_people, b) - statistic(flat_people, a) >= lead - 1e-10
        assert ranking.p(better, worse) == pytest.approx(as_large / 201)


@pytest.mark.parametrize("trials", [1, 30])
def test_soft_pairwise_accuracy(trials):
    human, metrics = generate(12, 3, 6, gaps=0.05, metrics=3)
    rated = [k for k in range(6) if all(row[k] is not None for row in human)]
    people = [[row[k] for k in rated] for row in human]
    signs = (1 - 2 * draws.swaps(5, 0, 1000, len(rated))()).tolist()

    def statistic(_, metric):
        return oracle.soft_pairwise_accuracy(people, split(metric, [len(rated)] * 3), signs)

    ranking = rank_metrics(Judgments.from_scores(human, metrics), "spa", trials=trials, seed=5)
    for better, worse in itertools.combinations([metric.name for metric in ranking], 2):
        one, other = ([row[k] for row in metrics[name] for k in rated] for name in (worse, better))
        expected = oracle.perm_both(statistic, [*itertools.chain(*people)], one, other, swaps(5, trials, len(one)))
        assert ranking.p(better, worse) == pytest.approx(expected)


def exchangeable_p_values(name, level, repeats):
    """Return the p-values of "b is better" and of "a is better", where both metrics have the same distribution."""
    generator = np.random.default_rng(17)
    values = []
    for seed in range(repeats):
        truth = generator.normal(size=(4, 15) if level == "segment" else (20, 1))
        human = np.round(truth + generator.normal(size=truth.shape))
        metrics = {key: truth + generator.normal(size=truth.shape) for key in "ab"}
        drawn = sample([Judgments.from_scores(human, metrics)], level, "item" if level == "segment" else "none")
        bits = draws.native_generator(draws.generator(seed, draws.METRICS))
        test = _native.SwapTest(drawn.human, drawn.starts, STATISTICS[name].rule(), bits, 99)
        standardized, _ = standardize(drawn.metrics)
        values.append(test.p_values(standardized, np.array([[0, 1], [1, 0]]), 1).tolist())
    return np.array(values).T


@pytest.mark.parametrize(("name", "level"), [("pearson", "system"), ("acc-eq", "segment")])
def test_p_is_uniform_if_only_chance_differs(name, level):
    """The distance of Kolmogorov and Smirnov exceeds 1.95 / sqrt(repeats) once in 1,000 times: 2 * exp(-2 * 1.95**2).

    The observed difference is exchangeable with those of the draws, so its rank is uniform with ties broken at random.
    Draws with the observed difference count in both directions, which gives their share.
    """
    repeats = 600
    bound = 1.95 / math.sqrt(repeats)
    p, opposite = exchangeable_p_values(name, level, repeats)
    ties = p + opposite - 1
    assert (ties > 0).all()  # the observed scores count as a draw
    broken = np.sort(p - ties * np.random.default_rng(5).random(repeats))
    steps = np.arange(1, repeats + 1) / repeats
    assert max((steps - broken).max(), (broken - steps + 1 / repeats).max()) < bound
    # Ties only make p larger, so the test does not reject too often.
    assert all((p <= alpha + 1e-9).mean() < alpha + bound for alpha in (0.01, 0.05, 0.1, 0.5))


@pytest.mark.parametrize("name", ["pearson", "tau-b", "acc-eq", "spa"])
def test_threads_do_not_change_results(name):
    human, metrics = generate(2, 4, 12, levels=None if name == "spa" else 4, metrics=7)
    results = [
        rank_metrics(Judgments.from_scores(human, metrics), name, trials=15, resamples=9, threads=threads).to_dict()
        for threads in (1, 2, 5, None)
    ]
    assert all(result == results[0] for result in results)


def plain_clusters(p, alpha):
    """Return clusters by the definition: one ends before the first metric that one of its metrics beats."""
    clusters, current = [], []
    for k in range(len(p)):
        if any(p[member][k] <= alpha for member in current):
            clusters.append(current)
            current = []
        current.append(k)
    clusters.append(current)
    return [number for number, members in enumerate(clusters, 1) for _ in members]


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.3, 0.9])
def test_clusters(alpha):
    for seed in range(4):
        human, metrics = generate(seed, 4, 15, levels=6, metrics=8)
        for name in ("acc-eq", "pearson"):
            ranking = rank_metrics(Judgments.from_scores(human, metrics), name, trials=100, alpha=alpha, seed=seed)
            expected = plain_clusters(ranking.p_values.tolist(), alpha)
            assert [metric.cluster for metric in ranking] == expected


def test_ranking():
    """The best metric is first; equal ones are in the order of names; metrics without a value are last."""
    human, metrics = generate(2, 3, 9)
    metrics = {"z": metrics["metric 1"], "flat": [[1.0] * 9] * 3, "a": metrics["metric 1"], "best": metrics["metric 0"]}
    ranking = rank_metrics(Judgments.from_scores(human, metrics), "pearson", by="none", trials=50, resamples=5)
    assert [metric.name for metric in ranking] == ["best", "a", "z", "flat"]
    assert math.isnan(ranking["flat"].value) and ranking["flat"].interval is None
    assert np.isnan(ranking.p_values[np.tril_indices(4)]).all() and (ranking.p_values[np.triu_indices(3, 1)] > 0).all()
    assert "–" in str(ranking) and ranking.to_dict()["metrics"][3]["interval"] is None
    # An undefined metric is not compared, and has no cluster.
    assert np.isnan(ranking.p_values[:, 3]).all() and ranking["flat"].cluster is None
    assert next(line for line in str(ranking).splitlines() if line.startswith("flat")).split() == [
        "flat",
        "–",
        "–",
        "–",
    ]
    alone = rank_metrics(Judgments.from_scores(human, {"flat": metrics["flat"]}), "pearson", by="none", trials=50)
    assert alone["flat"].cluster is None and "*" not in str(alone)
    assert rank_metrics(Judgments.from_scores(human, metrics), trials=0).p_values is None


def resampled(human, scores, rows, columns):
    return [[human[s][k] for k in columns] for s in rows], [[scores[s][k] for k in columns] for s in rows]


@pytest.mark.parametrize("resample", ["segments", "systems", "both"])
@pytest.mark.parametrize("level", ["segment", "system"])
def test_intervals(resample, level):
    systems, segments, count, seed = 6, 10, 50, 9
    human, metrics = generate(7, systems, segments, gaps=0.1)
    ranking = rank_metrics(
        Judgments.from_scores(human, metrics), "pearson", level=level, by="none", trials=0,
        resamples=count, resample=resample, seed=seed, confidence=0.9,
    )  # fmt: skip
    # Without resampled segments, systems keep their scores.
    fixed = {name: [sum(row) / segments for row in scores] for name, scores in metrics.items()}
    people_fixed = [sum(rated) / len(rated) for row in human if (rated := [h for h in row if h is not None])]
    for name, scores in metrics.items():
        values = []
        for index in range(count):
            rows, columns = range(systems), range(segments)
            if resample != "segments":
                rows = draws.below(draws.words(seed, draws.SYSTEMS, index * systems, systems), systems).tolist()
            if resample != "systems":
                columns = draws.below(draws.words(seed, draws.SEGMENTS, index * segments, segments), segments).tolist()
            people, chosen = resampled(human, scores, rows, columns)
            if level == "segment":
                values.append(oracle.grouped(oracle.pearson, people, chosen, "none"))
            elif resample == "systems":
                values.append(oracle.pearson([people_fixed[s] for s in rows], [fixed[name][s] for s in rows]))
            else:
                rated = [[h for h in row if h is not None] for row in people]
                means = [sum(row) / len(row) if row else None for row in rated]
                values.append(oracle.grouped(oracle.pearson, [means], [[sum(r) / len(r) for r in chosen]], "none"))
        found = ranking[name].interval
        assert [found.mean, found.low, found.high] == pytest.approx(resampling.interval(values, 0.9), rel=1e-9)
        assert found.resamples == count


def test_resamples_without_a_value_are_left_out():
    """Only one segment has two ratings, so many resamples have none, and some metrics never have a value."""
    human = [[1.0, 2.0, None, None], [2.0, None, 3.0, None], [3.0, None, None, 1.0]]
    metrics = {"good": [[1.0] * 4, [2.0] * 4, [3.0] * 4], "flat": [[1.0] * 4] * 3}
    ranking = rank_metrics(Judgments.from_scores(human, metrics), "tau-b", by="item", trials=0, resamples=50)
    found = ranking["good"].interval
    assert (found.low, found.high) == (1, 1) and 0 < found.resamples < 50
    assert ranking["flat"].interval is None


def test_progress():
    human, metrics = generate(2, 3, 9, metrics=7)
    # Pairs of metrics, or the draws that all pairs share.
    for name, steps, total in (("acc-eq", [16, 21], 21), ("spa", [2], 2)):
        calls = Mock()
        rank_metrics(Judgments.from_scores(human, metrics), name, trials=2, progress=calls)
        assert calls.call_args_list == [call("testing pairs of metrics", step, total) for step in steps]


def test_wrong_settings():
    judgments = Judgments.from_scores(*generate(2, 3, 9))
    for settings, message in (
        ({"statistic": "kendall"}, "unknown statistic 'kendall'; did you mean 'kendall-like'"),
        ({"level": "word"}, "level must be segment or system"),
        ({"by": "document"}, "by must be none, item or system"),
        ({"statistic": "kendall-like", "level": "system"}, "kendall-like needs level='segment'"),
        ({"statistic": "spa", "level": "segment"}, "spa needs level='system'"),
        ({"level": "system", "by": "item"}, "cannot be grouped by item"),
        ({"trials": -1}, "trials must be a whole number of at least 0"),
        ({"trials": 10**9}, "trials must be at most 10,000,000"),
        ({"alpha": 5}, "alpha must be a number between 0 and 1"),
        ({"confidence": 95}, "confidence must be a number between 0 and 1"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"resamples": 5, "resample": "words"}, "unknown resample 'words'.*both, segments, systems"),
    ):
        with pytest.raises(refscore.SettingError, match=message):
            rank_metrics(judgments, **settings)


def test_a_plain_interval():
    """Values are the quantiles of all resamples."""
    judgments = Judgments.from_scores(*generate(2, 3, 9))
    sampling = Sampling(19, seed=4, confidence=0.9)
    found = intervals([judgments], lambda drawn: agreement(drawn, "pearson", by="none"), "segments", sampling)
    values = []
    intervals(
        [judgments],
        lambda drawn: values.append(agreement(drawn, "pearson", by="none")["metric 0"]) or {"x": 0.0},
        "segments",
        sampling,
    )
    assert (found["metric 0"].low, found["metric 0"].high) == (min(values), max(values))


def test_too_many_pairs():
    with pytest.raises(refscore.InputError, match=r"17,997,000 pairs of scores .* group them by item"):
        agreement(
            Judgments.from_scores(np.arange(6000.0).reshape(2, -1), {"m": np.ones((2, 3000))}), "acc-eq", by="none"
        )
