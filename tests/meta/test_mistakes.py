"""Wrong arguments raise refscore's errors, which say what to pass."""

import pytest

import refscore
from refscore.meta import (
    JudgedTestSet,
    Judgments,
    agreement,
    average,
    judge_evaluation,
    rank_metrics,
    read_leaderboard,
)

HUMAN = {"a": [4, 2, 5, 3], "b": [3, 3, 1, 3], "c": [4, 1, 2, 5]}
METRICS = {"new": {"a": [9, 4, 7, 6], "b": [8, 6, 5, 5], "c": [9, 2, 4, 8]}}
TABLE = {"system": ["a", "b"], "segment": [1, 1], "human": [1, 2]}


def judgments():
    return Judgments.from_scores(HUMAN, METRICS)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: agreement(judgments(), None), "unknown statistic None"),
        (lambda: agreement(judgments(), ["pearson"]), "unknown statistic"),
        (lambda: agreement(judgments(), by=["item"]), "by must be none, item or system"),
        (lambda: agreement(judgments(), level=3), "level must be segment or system"),
        (lambda: agreement(judgments(), "spa", seed="x"), "seed must be a whole number"),
        (lambda: agreement(judgments(), "spa", seed=-1), "seed must be a whole number"),
        (lambda: agreement(None), "judgments must be of type Judgments, not NoneType"),
        (lambda: agreement([]), "there are no judgments"),
        (lambda: average({"x": judgments()}, []), "tasks is empty"),
        (lambda: average({"x": judgments()}, 3), "tasks must be of type Iterable, not int"),
        (lambda: average({"x": judgments()}, ["wmt23"]), "tasks must be of type Task, not str"),
        (lambda: average({"x": judgments()}, "foo"), "unknown leaderboard 'foo'"),
        (lambda: average({"x": judgments()}, seed="x"), "seed must be a whole number"),
        (lambda: rank_metrics(judgments()).p("x", "new"), r"unknown metric 'x' \(there are: new\)"),
        (lambda: Judgments.from_scores({1: [1, 2], "1": [2, 3]}), "two systems with the name '1'"),
        (lambda: Judgments.from_scores([[1, 2], [3]]), "systems with 1 and 2 segments"),
        (lambda: Judgments.from_scores([[10**400, 2], [3, 4]]), "number that is too large"),
        (lambda: Judgments.from_scores(HUMAN, [1]), "metrics must be of type Mapping, not list"),
        (lambda: Judgments.from_scores(HUMAN, METRICS, lower_is_better=3), "lower_is_better must be of type Iterable"),
        (lambda: Judgments.from_scores(HUMAN, METRICS, lower_is_better="new"), "lower_is_better is the text 'new'"),
        (lambda: Judgments.from_table({**TABLE, "human": 3}), "table\\['human'\\] must be of type Iterable, not int"),
        (lambda: Judgments.from_table({**TABLE, "human": [1]}), "has 1 row in the column 'human'"),
        (
            lambda: Judgments.from_table({**TABLE, "system": [["a"], "b"]}),
            "has the list \\['a'\\] in the column 'system'",
        ),
        (lambda: Judgments.from_table({**TABLE, "human": [10**400, 1]}), "number that is too large"),
        (lambda: judgments().without_systems("a"), "names is the text 'a': pass a list of names"),
        (lambda: judgments().without_systems(None), "names must be of type Iterable"),
        (lambda: judgments().without_systems(["x"]), "there is no system 'x': the systems are a, b, c"),
        (lambda: judgments().select(["x"]), "there is no system 'x'"),
        (lambda: judgments().with_evaluation(None), "evaluation must be of type Evaluation"),
        (lambda: judge_evaluation(None, HUMAN), "evaluation must be of type Evaluation"),
        (lambda: JudgedTestSet.open(None), "folder must be a path, not NoneType"),
        (lambda: read_leaderboard(3), "folder must be a path, not int"),
    ],
)
def test_mistakes(call, message):
    with pytest.raises((refscore.InputError, refscore.SettingError), match=message):
        call()


def test_metrics_with_sources():
    """SARI needs sources, which an evaluation has."""
    outputs = {"a": ["the cat sat", "b c"], "b": ["a cat", "d"]}
    references, sources = ["the cat sat", "b"], ["the big cat sat", "c"]
    evaluation = refscore.evaluate(outputs, references, ["sari"], sources=sources)
    found = evaluation.agreement({"a": [1, 2], "b": [3, 4]}).metrics["sari"]
    for row, texts in zip(found.segments, outputs.values(), strict=True):
        assert row.tolist() == (100 * refscore.SARI().segments(texts, references, sources=sources)).tolist()
