"""Scores of all metrics as objects: they behave like numbers, are immutable, and can be converted to JSON."""

import copy
import json
import math
import pickle
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import refscore
from refscore.metrics import METRICS
from tests.derived_sources import derive_sources
from tests.locations import raises_at

HYPOTHESES = ["the cat sat on a mat", "a dog", "x"]
REFERENCES = [["the cat sat on the mat", "a cat"], ["a dog ran"], ["y"]]

every_metric = pytest.mark.parametrize(
    "metric",
    [
        derive_sources(METRICS[name]().fit(REFERENCES))
        for name in METRICS
        if METRICS[name].__module__.startswith("refscore.")
    ],
    ids=lambda metric: metric.name,
)


def test_scores_behave_like_numbers():
    metric = refscore.BLEU(max_order=2)
    score, worse = metric.segment("a b c d e", "a b c d e f"), metric.segment("a x", "a b c d e f")
    assert type(float(score)) is float
    for number in (score.value, np.float64(score.value), Fraction(score.value), metric.score(score.row)):
        assert score == number and number == score
        assert score <= number <= score and score >= number >= score
        assert not score < number and not score > number
    assert worse < score and score > worse and worse <= score and score >= worse and worse != score
    assert worse.value < score and score > worse.value and worse < score.value
    assert worse < math.inf and score > -1 and worse < 10**400
    assert sorted([score, -1.0, worse]) == [-1.0, worse, score]
    assert hash(score) == hash(score.value)
    assert len({score, worse, metric.score(score.row), score.value}) == 2
    for other in (str(score.value), None, [score.value], complex(score.value), Decimal(score.value), metric):
        assert score != other
        for compare in (lambda other: score < other, lambda other: score >= other):
            if not isinstance(other, Decimal):
                with pytest.raises(TypeError):
                    compare(other)
    for digits in (0, 2, 10, -1, None):
        assert round(score, digits) == round(score.value, digits)
        assert type(round(score, digits)) is (int if digits is None else float)
    for spec in (".2f", ">12.4e", "08.3f", "g"):
        assert f"{score:{spec}}" == f"{score.value:{spec}}"
    assert f"{score}" == str(score) == repr(score)[1:-1]
    assert np.array([score, score], dtype=float).tolist() == [score.value] * 2
    # Scores of different metrics compare by value.
    assert refscore.bleu(["a b c d"], ["a b c d"]) == refscore.wer(["a"], ["b"]) == 1
    assert max(refscore.scores(["a b c d"], ["a b c d"], ["ter", "chrf"]).values()).metric.name == "chrf"


@every_metric
def test_scores_are_immutable_and_can_be_pickled(metric):
    score = metric.corpus(HYPOTHESES, REFERENCES)
    for name in ("value", "percent", "row", "metric", "something"):
        with pytest.raises(AttributeError):
            setattr(score, name, 1)
        with pytest.raises(AttributeError):
            delattr(score, name)
    with pytest.raises(ValueError, match="read-only"):
        score.row[0] = 100
    row = np.array(score.row)
    same = metric.score(row)
    row[:] = 0
    assert same == score
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(score, protocol))
        assert type(again) is type(score)
        assert (again.metric, again.row.tolist(), again.row.dtype) == (metric, score.row.tolist(), score.row.dtype)
        counts = (1, 2) if metric.needs_references else None
        assert (again.to_dict(), str(again), again.reference_counts) == (score.to_dict(), str(score), counts)


@every_metric
def test_scores_are_ready_for_json_and_notebooks(metric):
    for hypothesis in ("the cat sat on a mat", "", "x"):
        score = metric.corpus([hypothesis], [["the cat sat on the mat", "a"]])
        data = score.to_dict()
        assert json.loads(json.dumps(data, allow_nan=False)) == data
        expected = {"metric": metric.name, "value": score.value, "percent": score.percent, **score.details()}
        assert data == {**expected, "signature": score.signature}
        for name, value in score.details().items():
            attribute = getattr(score, name)
            assert value == (list(attribute) if isinstance(attribute, tuple) else attribute)
        assert f"{score.value:.4f}" in score._repr_html_()
        assert score.signature in score._repr_html_()


@every_metric
def test_wrong_rows(metric):
    count = len(metric.columns)
    for row in (
        *([1] * (count - 1), [1] * (count + 1), [[1] * count], 5, None, "1" * count, ["1"] * count, [None] * count),
        *([1j] * count, [True] * count, [[1], [2, 3]], [math.nan] * count, [math.inf] * count),
        *(() if metric._has_negative_rows else ([-1] * count, [2**63] * count)),
    ):
        with raises_at(refscore.InputError, metric.columns[0]):
            metric.score(row)
    for rows in ([1] * count, [[1] * (count + 1)], [[None] * count], [["1"] * count]):
        with pytest.raises(refscore.InputError, match=metric.columns[0]):
            metric.values(rows)


@every_metric
def test_rows_of_other_types(metric):
    row = metric.stats(["a b c d e"], ["a b c d e"])[0]
    for other in (list(row), tuple(row.tolist()), np.array(row, ">f8"), np.array(row, "f4").astype("f8")):
        score = metric.score(other)
        assert score.value == pytest.approx(metric.score(row).value, rel=1e-6)
        assert {type(value) for value in score.details().values()} <= {int, float, list, str}


def test_attributes_of_other_libraries_get_a_hint():
    metric = refscore.TER()
    score = metric.segment("a", "a b")
    for owner, name, hint in [
        (score, "score", "percent"),
        (score, "fmeasure", "value"),
        (metric, "corpus_score", r"corpus\(hypotheses, references\)"),
        (metric, "sentence_score", r"segment\(hypothesis, references\)"),
    ]:
        with pytest.raises(AttributeError, match=hint):
            getattr(owner, name)
    for owner in (score, metric):
        with pytest.raises(AttributeError) as caught:
            owner.valeu  # noqa: B018
        assert (caught.value.name, caught.value.obj) == ("valeu", owner)  # for suggestions by Python
        assert not hasattr(owner, "__array_interface__")
        assert pickle.loads(pickle.dumps(owner)) == copy.deepcopy(owner) == owner
