"""Cases of GLEU that the common comparison (test_originals.py) does not have, and its worked steps."""

import pytest
from nltk.translate import gleu_score as original

import refscore
from refscore import GLEU
from tests.metrics.step_parts import tables


def test_thousands_of_references():
    references = [[str(i), str(j), "x", "y"] for i in range(50) for j in range(40)]
    hypothesis = ["7", "7", "x", "y"]
    assert GLEU().segment(hypothesis, references).value == original.sentence_gleu(references, hypothesis) == 1.0


def test_the_default_splits_as_sacrebleu_does():
    for metric, value in ((GLEU(), 1 / 3), (GLEU.preset("evaluate"), 1.0)):
        assert metric.segment("Well -\n", "Well").value == value
    assert GLEU().segment("don't, a-b", "don't , a-b").value == 1.0


@pytest.mark.parametrize(
    ("hypothesis", "references", "row"),
    [
        ([], [[]], (0, 0)),
        ([], [[], list("abc"), ["a"]], (0, 6)),
        (["a"], [[], ["a"]], (1, 1)),
        (list("abc"), [list("abd"), list("xbc")], (3, 6)),
        (list("ab"), [list("abcd"), list("ba")], (2, 3)),
    ],
)
def test_which_reference_counts(hypothesis, references, row):
    assert tuple(GLEU().stats([hypothesis], [references])[0]) == row


def test_orders_beyond_the_segment():
    metric = GLEU(min_order=5, max_order=10**6)
    assert metric.stats([list("abcd"), list("abcde")], [[list("abcd")], [list("abcdef")]]).tolist() == [[0, 0], [1, 3]]


def test_score():
    score = refscore.gleu(["a b c", "x"], ["a b d", "x y"], preset="nltk")
    assert str(score) == "GLEU = 44.44 (matches = 4 total = 9)"
    assert score.to_dict() == {
        "metric": "gleu",
        "value": 4 / 9,
        "percent": pytest.approx(400 / 9),
        "matches": 4,
        "total": 9,
        "signature": score.signature,
    }


SEGMENTS = [
    ("the the cat", "the cat sat"),
    ("a b c d", ["a b", "a b c e", "a b c f"]),
    ("", ["", "a b"]),
    ("", ""),
    ("a", "a b c d e f"),
    ([1, 2, (3,)], [[1, 2], [(3,), 2, 1]]),
    ("<b>&amp;</b>", "<b> | [x]"),
]


@pytest.mark.parametrize("metric", [GLEU(), GLEU(min_order=2, max_order=3), GLEU.preset("nltk")], ids=str)
def test_worked_steps(metric):
    for segment in SEGMENTS:
        steps, score = metric.explain(*segment), metric.segment(*segment)
        shown = str(steps)
        assert steps.result == f"GLEU = {score.value:.4f} ({score.percent:.2f} %)"
        assert metric.signature in shown
        if score.total:
            assert f"= {score.matches}/{score.total} = {score.value:.4f}" in shown
            ngrams = [table for title, table in tables(steps).items() if "-grams" in title]
            assert sum(int(row.cells[3]) for table in ngrams for row in table.rows) == score.matches
        else:
            assert "the score is 0" in shown


def test_worked_steps_say_which_reference_counts():
    text = str(GLEU().explain("a b c d", ["a b", "a b c e", "a b c f"]))
    assert "Reference 2 is the first with the best score" in text
    assert "ignored" in str(GLEU(min_order=2).explain("a", ["", "a b"]))
