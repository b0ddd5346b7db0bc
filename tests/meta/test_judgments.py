"""Judgments keep the numbers that they are given. Mistakes are errors that name the place and the fix."""

import json
import math

import numpy as np
import pytest

import refscore
from refscore.errors import UnknownNameError
from refscore.meta import Judgments, agreement, average, rank_metrics

HUMAN = {"a": [4, 2, None], "b": [3, None, 1]}
METRIC = {"a": [9, 4, 7], "b": [8, 3, 5]}


def fails(match, call):
    with pytest.raises(refscore.InputError, match=match) as caught:
        call()
    assert caught.value.fix
    return caught.value


def test_dictionaries_and_arrays():
    by_name = Judgments.from_scores(HUMAN, {"m": {"b": [8, 3, 5], "a": [9, 4, 7]}})
    by_place = Judgments.from_scores([[4, 2, math.nan], [3, None, 1]], {"m": np.array([[9, 4, 7], [8, 3, 5]])})
    assert (by_name.systems, by_place.systems) == (("a", "b"), ("1", "2"))
    for judgments in (by_name, by_place):
        assert np.array_equal(judgments.human, [[4, 2, np.nan], [3, np.nan, 1]], equal_nan=True)
        assert judgments.human_systems.tolist() == [3, 2]
        assert judgments.metrics["m"].segments.tolist() == [[9, 4, 7], [8, 3, 5]]
        assert judgments.metrics["m"].systems.tolist() == pytest.approx([20 / 3, 16 / 3])
        assert judgments.ratings == 4


@pytest.mark.parametrize(
    "systems", [{"b": 1, "a": 2}, {"a": [2], "b": [1]}, [2, 1], np.array([2.0, 1.0]), np.array([[2], [1]])]
)
def test_scores_of_systems(systems):
    judgments = Judgments.from_scores(HUMAN)
    assert judgments.with_scores("m", METRIC, systems).metrics["m"].systems.tolist() == [2, 1]
    only = judgments.with_scores("m", None, systems, higher_is_better=False)
    assert only.metrics["m"].systems.tolist() == [-2, -1] and only.metrics["m"].segments is None
    assert agreement(only, "pearson", level="system") == {"m": pytest.approx(-1)}
    fails("no metrics with scores of segments: add scores", lambda: agreement(only, "pearson"))
    fails("no metrics with scores of segments: add scores", lambda: agreement(only, "spa"))


def test_judgments_do_not_change():
    judgments = Judgments.from_scores(HUMAN, {"m": METRIC})
    judgments.with_scores("n", METRIC)
    judgments.with_scores("m", None, [1, 2])
    assert list(judgments.metrics) == ["m"] and judgments.metrics["m"].segments is not None


def test_wrong_human_scores():
    for human, message in (
        ({}, r"human is empty: give one score per system and segment"),
        ([], r"human is empty"),
        ([[], []], r"human is empty"),
        ([[1, 2], [1]], r"human has systems with 1 and 2 segments: give one score"),
        ([[None, None]], r"human has no scores: give at least two"),
        ([[math.inf, 1]], r"human has an infinite score: use None"),
        ([["x", 1]], r"human must have numbers: use None"),
        ([[10**400, 1]], r"human has a number that is too large"),
        ({1: [1, 2], "1": [2, 3]}, r"human has two systems with the name '1': rename one"),
        ([[[1], [2]]], r"human has lists as scores: give one number"),
        (5, r"human must have scores of systems: pass a dictionary or an array"),
        ("ab", r"human must have scores of systems"),
        (None, r"human must have scores of systems"),
    ):
        fails(message, lambda human=human: Judgments.from_scores(human))


def test_wrong_metric_scores():
    judgments = Judgments.from_scores(HUMAN)
    for scores, systems, message in (
        ({"a": [1, 2, 3]}, None, r"metrics\['m'\] has no system 'b': give every system the same name"),
        ([[1, 2, 3]], None, r"metrics\['m'\] has 1 systems, but there are human scores of 2: give"),
        ([[1, 2], [3, 4]], None, r"metrics\['m'\] has 2 segments, but there are 3 human scores: give"),
        ([[1, 2, None], [3, 4, 5]], None, r"has no score for segment 2 of the system 'a': metrics must score all"),
        ([[1, 2, 3], [3, math.nan, 5]], None, r"has no score for segment 1 of the system 'b': metrics must score all"),
        ([[1, 2, math.inf], [3, 4, 5]], None, r"metrics\['m'\] has an infinite score: use None"),
        (None, None, r"metrics\['m'\] has no scores: give scores"),
        (None, [1, None], r"metrics\['m'\] has no score of the system 'b': metrics must score all systems"),
        (METRIC, {"a": math.nan, "b": 1}, r"metrics\['m'\] has no score of the system 'a'"),
        (None, {"a": 1}, r"metrics\['m'\] has no system 'b'"),
        (None, METRIC, r"metrics\['m'\] has 3 scores of the system 'a': give one score per system"),
        (None, [1, 2, 3], r"metrics\['m'\] has 3 systems, but there are human scores of 2"),
        (None, 7, r"metrics\['m'\] must have scores of systems"),
    ):
        error = fails(message, lambda scores=scores, systems=systems: judgments.with_scores("m", scores, systems))
        assert error.location.side == "metrics['m']"
    fails(
        r"lower_is_better has an unknown metric, 'x': the metrics are m",
        lambda: Judgments.from_scores(HUMAN, {"m": METRIC}, lower_is_better=["x"]),
    )


def test_without_systems():
    human, metric = np.arange(12.0).reshape(4, 3), np.arange(12.0)[::-1].reshape(4, 3)
    judgments = Judgments.from_scores(dict(zip("abcd", human, strict=True)), {"m": metric}).with_scores(
        "n", None, range(4)
    )
    fewer = judgments.without_systems(["c", "a"])
    assert fewer.systems == ("b", "d")
    assert fewer.human.tolist() == human[[1, 3]].tolist() and fewer.human_systems.tolist() == [4, 10]
    assert fewer.metrics["m"].segments.tolist() == metric[[1, 3]].tolist()
    assert fewer.metrics["n"].systems.tolist() == [1, 3] and fewer.metrics["n"].segments is None
    fails(r"no system 'x': the systems are a, b, c, d", lambda: judgments.without_systems(["x"]))
    fails(r"no group has two human scores: give more", lambda: agreement(fewer.without_systems([*"bd"]), "pearson"))


def test_evaluations():
    references = ["the cat sat on the mat", "a dog ran by the tree", "it was late"]
    outputs = {"a": ["the cat sat on a mat", "the dog ran", "it was late"], "b": ["x", "dogs ran by the tree", "late"]}
    evaluation = refscore.evaluate(outputs, references, ["bleu", "ter", "sari"], sources=references, threads=1)
    judgments = evaluation.agreement(HUMAN)
    for label, metric in (("bleu", refscore.BLEU()), ("ter", refscore.TER()), ("sari", refscore.SARI())):
        sign = 1 if metric.higher_is_better else -1
        scores = judgments.metrics[label]
        for k, system in enumerate("ab"):
            rows = metric.stats(outputs[system], references, sources=references)
            segments = metric.for_segments().printed_values(rows)
            assert scores.segments[k].tolist() == (sign * segments).tolist()
            assert scores.systems[k] == sign * metric.corpus(outputs[system], references, sources=references).percent
    only = refscore.evaluate({"a": outputs["a"]}, references, ["bleu"])
    fails(r"the evaluation has no system 'b': evaluate every system", lambda: only.agreement(HUMAN))
    fewer = refscore.evaluate({name: texts[:2] for name, texts in outputs.items()}, references[:2], ["bleu"])
    fails(r"the evaluation has 2 segments for 3 human scores", lambda: fewer.agreement(HUMAN))
    sums = refscore.evaluate(outputs, references, ["bleu"], retain="sums")
    fails(r"rows are not retained, only their sums", lambda: sums.agreement(HUMAN))


def test_too_little_to_compare():
    fails("there are no judgments: pass Judgments.from_scores", lambda: agreement([]))
    fails("no metrics with scores of segments", lambda: rank_metrics(Judgments.from_scores(HUMAN)))
    one = Judgments.from_scores({"a": [1, 2]}, {"m": [[1, 2]]})
    fails("no group has two human scores", lambda: agreement(one, by="item"))
    fails("soft pairwise accuracy needs two systems", lambda: agreement(one, "spa"))
    apart = Judgments.from_scores([[1, None], [None, 2]], {"m": [[1, 2], [2, 1]]})
    fails("segments that people rated for all systems: leave out systems", lambda: agreement(apart, "spa"))
    fails("is computed for one language pair: average several", lambda: agreement([one, one], "spa"))


def test_systems_with_one_name_are_not_merged():
    twice = {1: [1], "1": [2]}
    fails(r"metrics\['m'\] has two systems with the name '1'", lambda: Judgments.from_scores({1: [1]}, {"m": twice}))
    table = {"system": [1, "1"], "segment": [1, 2], "human": [3, 4]}
    fails(r"human has two systems with the name '1'", lambda: Judgments.from_table(table))


def test_means_of_huge_numbers():
    """The sum is too large for a number, but the mean is not."""
    judgments = Judgments.from_scores([[1.7e308, 1.7e308, None], [-1.5e308, -1.7e308, -1.6e308], [1, 2, 4.5]])
    assert judgments.human_systems.tolist() == [1.7e308, pytest.approx(-1.6e308, rel=1e-15), 2.5]


def test_ragged_tables():
    table = {"system": ["a", "b"], "segment": [1, 1], "human": [3], "m": [1, 2]}
    fails(r"table has 1 row in the column 'human': the column 'system' has 2", lambda: Judgments.from_table(table))


def test_unknown_names():
    judgments = Judgments.from_scores({"a": [1, 2, 3], "b": [3, 1, 2]}, {"new": [[1, 2, 3], [3, 1, 1]]})
    for statistic in (None, "persson", ["pearson"]):
        with pytest.raises(UnknownNameError, match="unknown statistic"):
            agreement(judgments, statistic)
    ranking = rank_metrics(judgments, "pearson", by="none")
    for call in (lambda: ranking.p("new", "nwe"), lambda: ranking["nwe"]):
        with pytest.raises(UnknownNameError, match=r"^unknown metric 'nwe'; did you mean 'new'\?"):
            call()
    with pytest.raises(UnknownNameError, match="unknown leaderboard 'wmt-25'; did you mean 'wmt25'"):
        average({"en-de": judgments}, "wmt-25")
    fails("tasks is empty: pass at least one task", lambda: average({"en-de": judgments}, []))


def test_means_are_exact():
    """The order of segments does not change a bit, so equal systems tie."""
    scores = [0.1, 0.2, 0.3, 0.4]
    judgments = Judgments.from_scores({"a": scores, "b": scores[::-1]}, {"m": [scores, scores[::-1]]})
    assert sum(scores) != sum(scores[::-1])
    assert judgments.human_systems.tolist() == judgments.metrics["m"].systems.tolist() == [0.25, 0.25]


def test_views_of_judgments():
    judgments = Judgments.from_scores(HUMAN, {"m": METRIC}).with_scores("n", None, [1, 2])
    assert repr(judgments) == "<judgments of 2 systems on 3 segments: 4 ratings, 2 metrics>"
    assert judgments.table(digits=0).rows[0].cells == ("a", "3", "2", "7", "1")
    content = json.loads(judgments.render("json"))
    assert content["human"] == [[4, 2, None], [3, None, 1]] and content["metrics"]["n"]["segments"] is None
    assert '<div class="scroll"><table>' in judgments._repr_html_()


def test_equal_means():
    """Means that differ only by the rounding of scores are equal; others are different, by how little so ever."""
    human = {"a": [0.1, 0.2, 0.3], "b": [0.2, 0.2, 0.2], "c": [0.3, 0.3, 0.0], "d": [0.2, 0.2, 0.2 + 1e-14]}
    means = Judgments.from_scores(human).human_systems.tolist()
    assert means[0] == means[1] == means[2] != means[3]
    for scale in (7.3, 1e-9, 1e150):
        scaled = {name: [scale * score for score in scores] for name, scores in human.items()}
        means = Judgments.from_scores(scaled).human_systems.tolist()
        assert means[0] == means[1] == means[2] != means[3]
