"""Every statistic equals its definition in tests/reference/meta.py."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore.meta import STATISTICS, Judgments, agreement, rank_metrics
from refscore.significance import draws
from tests.meta.scores import generate
from tests.reference import meta as oracle

DEFINITIONS = {
    "pearson": oracle.pearson,
    "spearman": oracle.spearman,
    "tau-b": oracle.tau_b,
    "tau-c": oracle.tau_c,
    "tau-23": oracle.tau_23,
    "acc-23": oracle.acc_23,
}
GROUPINGS = ["none", "item", "system"]

# Systems, segments, levels of scores, and the share of missing human scores.
SHAPES = {
    "ties and gaps": (4, 9, 3, 0.3),
    "no ties": (5, 8, None, 0.2),
    "two systems": (2, 12, 3, 0.2),
    "one segment": (9, 1, 4, 0.0),
    "few ratings": (4, 7, 2, 0.6),
    "sorted": (7, 15, 5, 0.1),
    "sorted without ties": (3, 60, None, 0.1),
    "only ties": (3, 20, 1, 0.1),
}
every_shape = pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
every_grouping = pytest.mark.parametrize("by", GROUPINGS)


def close(value, expected, tolerance=1e-12):
    return value == pytest.approx(expected, rel=tolerance, abs=tolerance, nan_ok=True)


def rated_groups(human, metric, by):
    pairs = [oracle.rated(*group) for group in zip(oracle.groups(human, by), oracle.groups(metric, by), strict=True)]
    return [tuple(map(list, zip(*group, strict=True))) for group in pairs if len(group) > 1]


def mean_with_zeros(statistic, human, metric, by):
    values = [statistic(*group) for group in rated_groups(human, metric, by)]
    return math.fsum(0.0 if math.isnan(value) else value for value in values) / len(values)


def kendall_like(human, metric, by, threshold=25):
    """Return the mean over groups by their pairs; NaN without pairs."""
    values = [oracle.kendall_like(*group, threshold) for group in rated_groups(human, metric, by)]
    pairs = sum(count for _, count in values)
    return math.fsum(value * count for value, count in values) / pairs if pairs else math.nan


def has_groups(human, metric, by):
    return bool(rated_groups(human, metric, by))


def test_all_statistics_are_tested():
    assert set(STATISTICS) == {*DEFINITIONS, "acc-eq", "kendall-like", "pairwise-accuracy", "pdp", "spa"}


@every_shape
@every_grouping
def test_segments(shape, by):
    systems, segments, levels, gaps = shape
    for seed in range(3):
        human, metrics = generate(seed, systems, segments, levels=levels, gaps=gaps)
        if not has_groups(human, metrics["metric 0"], by):
            with pytest.raises(refscore.InputError, match="no group has two human scores"):
                agreement(Judgments.from_scores(human, metrics), "pearson", by=by)
            continue
        for name, definition in DEFINITIONS.items():
            for zeros in (False, True):
                found = agreement(Judgments.from_scores(human, metrics), name, by=by, zero_if_undefined=zeros)
                for metric, scores in metrics.items():
                    if zeros:
                        expected = mean_with_zeros(definition, human, scores, by)
                    else:
                        expected = oracle.grouped(definition, human, scores, by)
                    assert close(found[metric], expected), (name, metric, seed)


@every_shape
@every_grouping
def test_accuracy_with_calibrated_ties(shape, by):
    systems, segments, levels, gaps = shape
    human, metrics = generate(5, systems, min(segments, 20), levels=levels, gaps=gaps)
    if not has_groups(human, metrics["metric 0"], by):
        return
    ranking = rank_metrics(Judgments.from_scores(human, metrics), "acc-eq", by=by, trials=0)
    for metric, scores in metrics.items():
        value, threshold = oracle.acc_eq(human, scores, by)
        assert close(ranking[metric].value, value)
        assert ranking[metric].threshold == threshold


@pytest.mark.parametrize("by", ["item", "system"])
def test_groups_of_many_sizes(by):
    """A perfect metric has accuracy 1, although the common multiple of the numbers of pairs is beyond 64 bits."""
    generator = np.random.default_rng(3)
    human = generator.integers(0, 4, (12, 150)).astype(float)
    human[np.tril_indices(12, -1, 150)] = np.nan  # every system has a different number of ratings
    human[:, 12:60][generator.random((12, 48)) < 0.3] = np.nan
    metrics = {"perfect": np.nan_to_num(human), "noisy": np.nan_to_num(human) + generator.normal(size=human.shape)}
    found = agreement(Judgments.from_scores(human, metrics), "acc-eq", by=by)
    assert found["perfect"] == pytest.approx(1, abs=1e-11)
    at_best = rank_metrics(Judgments.from_scores(human, metrics), "acc-eq", by=by, trials=0)["noisy"]
    people = [[None if np.isnan(score) else score for score in row] for row in human.tolist()]
    definition = oracle.grouped(
        lambda h, m: oracle.acc_23(h, m, at_best.threshold), people, metrics["noisy"].tolist(), by
    )
    assert at_best.value == pytest.approx(definition, abs=1e-11)


@every_grouping
def test_kendall_like(by):
    for seed in range(4):
        human, metrics = generate(seed, 4, 9, levels=6, gaps=0.2, scale=12.0)
        found = agreement(Judgments.from_scores(human, metrics), "kendall-like", by=by)
        for metric, scores in metrics.items():
            assert close(found[metric], kendall_like(human, scores, by))
    # All scores are less than 25 apart.
    human, metrics = generate(1, 4, 9)
    for zeros in (False, True):
        found = agreement(Judgments.from_scores(human, metrics), "kendall-like", by=by, zero_if_undefined=zeros)
        assert all(map(math.isnan, found.values()))


@pytest.mark.parametrize("systems", [2, 3, 12, 70])
@pytest.mark.parametrize("levels", [None, 2])
def test_systems(systems, levels):
    human, metrics = generate(systems, systems, 6, levels=levels, gaps=0.1)
    judgments = Judgments.from_scores(human, metrics)
    people = [math.fsum(rated) / len(rated) for row in human if (rated := [h for h in row if h is not None])]
    assert close(judgments.human_systems.tolist(), people)
    people = judgments.human_systems.tolist()
    for metric, scores in metrics.items():
        means = judgments.metrics[metric].systems.tolist()
        assert close(means, [math.fsum(row) / len(row) for row in scores])
        for name, definition in DEFINITIONS.items():
            assert close(agreement(judgments, name, level="system")[metric], definition(people, means)), name
        assert close(agreement(judgments, "pairwise-accuracy")[metric], oracle.pairwise_accuracy(people, means))
        value = agreement(judgments, "acc-eq", level="system")[metric]
        if systems <= 12:
            assert close(value, oracle.acc_eq([people], [means], "none")[0])


def test_systems_without_ratings_are_left_out():
    human = [[1.0, 2.0], [None, None], [3.0, 5.0], [2.0, 2.0]]
    metric = [[1.0, 1.0], [9.0, 9.0], [4.0, 4.0], [3.0, 2.0]]
    judgments = Judgments.from_scores(human, {"m": metric})
    assert math.isnan(judgments.human_systems[1])
    for name, definition in DEFINITIONS.items():
        assert close(agreement(judgments, name, level="system")["m"], definition([1.5, 4.0, 2.0], [1.0, 4.0, 2.5]))


def test_pairwise_accuracy_of_several_language_pairs():
    """Pairs of systems count equally, so a language pair with more systems has a larger weight."""
    right = pairs = 0
    listed = []
    for seed, systems in enumerate((2, 5, 9)):
        human, metrics = generate(seed, systems, 4, gaps=0.1)
        listed.append(Judgments.from_scores(human, metrics))
        people, means = (listed[-1].human_systems.tolist(), listed[-1].metrics["metric 1"].systems.tolist())
        count = systems * (systems - 1) // 2
        right, pairs = right + oracle.pairwise_accuracy(people, means) * count, pairs + count
    assert close(agreement(listed, "pairwise-accuracy")["metric 1"], right / pairs)


def test_several_language_pairs_are_separate_groups():
    sets = [generate(seed, 3, 5, levels=3, gaps=0.1) for seed in (1, 2)]
    listed = [Judgments.from_scores(*each) for each in sets]
    del listed[1].metrics["metric 0"]
    found = agreement(listed, "tau-b", by="none")
    values = [oracle.grouped(oracle.tau_b, human, metrics["metric 1"], "none") for human, metrics in sets]
    assert close(found, {"metric 1": sum(values) / 2})  # the other metric is missing in one of them


@pytest.mark.parametrize("exponent", [-1000, -600, -60, 60, 600, 1000])
def test_scales(exponent):
    """Statistics do not depend on the scale; powers of 2 do not round."""
    human, metrics = generate(2, 4, 20, levels=9, gaps=0.1, metrics=3)
    people = [[None if score is None else math.ldexp(score, exponent) for score in row] for row in human]
    scaled = {
        name: [[math.ldexp(score, exponent) for score in row] for row in scores] for name, scores in metrics.items()
    }
    for name in (*DEFINITIONS, "acc-eq"):
        for by in GROUPINGS:
            plain = rank_metrics(Judgments.from_scores(human, metrics), name, by=by, trials=50)
            large = rank_metrics(Judgments.from_scores(people, scaled), name, by=by, trials=50)
            assert [each.name for each in plain] == [each.name for each in large]
            assert close([each.value for each in large], [each.value for each in plain]), name
            assert np.array_equal(large.p_values, plain.p_values, equal_nan=True), name


def test_constant_scores():
    """The mean of equal scores may differ from them by rounding. They are still constant."""
    human, metrics = generate(4, 3, 5)
    metrics["constant"] = [[0.1] * 5] * 3
    judgments = Judgments.from_scores(human, metrics)
    for name in ("pearson", "spearman", "tau-b", "tau-c"):
        assert math.isnan(agreement(judgments, name, by="none")["constant"])
        assert agreement(judgments, name, by="none", zero_if_undefined=True)["constant"] == 0
        assert rank_metrics(judgments, name, by="none", trials=20).metrics[-1].name == "constant"
    equal = Judgments.from_scores([[2.5] * 5] * 3, metrics)
    assert all(map(math.isnan, agreement(equal, "pearson", by="none").values()))
    assert agreement(equal, "acc-eq")["constant"] == 1


def test_lower_is_better():
    human, metrics = generate(6, 4, 6)
    turned = {name: [[-score for score in row] for row in scores] for name, scores in metrics.items()}
    plain = Judgments.from_scores(human, metrics)
    for name in DEFINITIONS:
        assert agreement(plain, name) == agreement(Judgments.from_scores(human, turned, lower_is_better=turned), name)


SCORES = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e9, 1e9, allow_subnormal=False, width=32))


@given(data=st.data(), systems=st.integers(2, 6), segments=st.integers(1, 10), by=st.sampled_from(GROUPINGS))
def test_any_scores(data, systems, segments, by):
    def matrix(scores):
        return data.draw(
            st.lists(st.lists(scores, min_size=segments, max_size=segments), min_size=systems, max_size=systems)
        )

    human, metric = matrix(st.none() | SCORES), matrix(SCORES)
    if not has_groups(human, metric, by):
        return
    judgments = Judgments.from_scores(human, {"m": metric})
    for name, definition in DEFINITIONS.items():
        # Pearson's r of nearly constant scores has few right digits in any order of summation.
        tolerance = 1e-6 if name == "pearson" else 1e-12
        assert close(agreement(judgments, name, by=by)["m"], oracle.grouped(definition, human, metric, by), tolerance)
    ranking = rank_metrics(judgments, "acc-eq", by=by)
    assert (close(ranking["m"].value, oracle.acc_eq(human, metric, by)[0])) and ranking.p_values is None
    assert ranking["m"].threshold == oracle.acc_eq(human, metric, by)[1]
    assert close(agreement(judgments, "kendall-like", by=by)["m"], kendall_like(human, metric, by))


def signs(seed, segments):
    return (1 - 2 * draws.swaps(seed, 0, 1000, segments)()).tolist()


@pytest.mark.parametrize("levels", [None, 3])
@pytest.mark.parametrize("systems", [2, 4])
def test_soft_pairwise_accuracy(levels, systems):
    human, metrics = generate(3, systems, 9, levels=levels, gaps=0.1)
    found = agreement(Judgments.from_scores(human, metrics), "spa", seed=11)
    rated = [k for k in range(9) if all(row[k] is not None for row in human)]
    assert len(rated) < 9
    people = [[row[k] for k in rated] for row in human]
    for metric, scores in metrics.items():
        chosen = [[row[k] for k in rated] for row in scores]
        assert close(found[metric], oracle.soft_pairwise_accuracy(people, chosen, signs(11, len(rated))))
    assert agreement(Judgments.from_scores(human, metrics), "spa", seed=11, threads=1) == found


def test_soft_pairwise_accuracy_of_sums_that_round():
    """Sums that are equal but for rounding count as equal: 0.1 + 0.2 and 0.3."""
    human = [[0.1, 0.2, 0.3, 0.4], [0.3, 0.1, 0.4, 0.2], [0.2, 0.2, 0.3, 0.3]]
    metric = [[0.7, 0.1, 0.2, 0.6], [0.1, 0.7, 0.6, 0.2], [0.4, 0.4, 0.4, 0.4]]
    tens = [[[round(10 * score) for score in row] for row in scores] for scores in (human, metric)]
    found = agreement(Judgments.from_scores(human, {"m": metric}), "spa", seed=2)["m"]
    assert close(found, oracle.soft_pairwise_accuracy(*tens, signs(2, 4)))


@pytest.mark.parametrize("library", ["dictionary", "pandas", "polars", "pyarrow"])
def test_tables(library):
    columns = {
        "system": ["a", "b", "a", "b"],
        "segment": [7, 7, 9, 9],
        "human": [3.0, 1.0, None, 2.0],
        "ter": [0.4, 0.3, 0.2, 0.1],
    }
    if library == "dictionary":
        table = columns
    elif library == "pyarrow":
        table = pytest.importorskip("pyarrow").table(columns)
    else:
        table = pytest.importorskip(library).DataFrame(columns)
    judgments = Judgments.from_table(table, lower_is_better=["ter"])
    assert judgments.systems == ("a", "b")
    np.testing.assert_array_equal(judgments.human, [[3, np.nan], [1, 2]])
    np.testing.assert_array_equal(judgments.metrics["ter"].segments, [[-0.4, -0.2], [-0.3, -0.1]])


def test_tables_with_mistakes():
    columns = {"system": ["a", "a"], "segment": [1, 1], "human": [1, 2]}
    with pytest.raises(refscore.InputError, match="segment 1 of the system 'a' twice"):
        Judgments.from_table(columns)
    with pytest.raises(refscore.InputError, match="no column 'score'"):
        Judgments.from_table(columns, human="score")
