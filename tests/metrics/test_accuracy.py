"""Accuracy of answers: the numbers of the programs themselves, corners of the rules, and worked steps."""

import json
from pathlib import Path

import pytest

import refscore
from refscore import Accuracy
from tests.reference import accuracy as oracle

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "accuracy.json").read_text(encoding="utf-8"))
PRESETS = ("vqa", "textvqa", "chartqa")


@pytest.mark.parametrize("preset", PRESETS)
def test_programs(preset):
    metric = Accuracy.preset(preset)
    scores = metric.segments(GOLDEN["answers"], GOLDEN["references"])
    assert scores.tolist() == pytest.approx(GOLDEN[preset], abs=1e-12)
    assert 0.1 < scores.mean() < 0.9
    total = metric.corpus(GOLDEN["answers"], GOLDEN["references"])
    assert total.value == pytest.approx(sum(GOLDEN[preset]) / len(GOLDEN[preset]), abs=1e-12)


@pytest.mark.parametrize(
    ("answer", "references", "expected"),
    [
        ("Yes", ["yes"] * 10, 0),  # equal references are compared as they are
        ("Yes", ["yes"] * 9 + ["no"], 1),
        ("yes", ["yes"], 0),  # no other annotator is left
        ("yes", ["yes"] * 4, 1),
        ("3", ["3", "three", "3.", "a 3", "2"], 1),
        ("", ["", "the", "a", "an"], 1),
        ("12,000", ["12000", "12000", "12000", "12000", "x"], 1),
        ("a/b", ["a b"] * 3 + ["b"] * 7, 1),
    ],
)
def test_vqa(answer, references, expected):
    assert Accuracy.preset("vqa").segment(answer, references).value == expected
    assert oracle.row(answer, references, processing="vqa", annotators="vote")[0] == expected


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        ("105", "100", 1),
        ("105.01", "100", 0),
        ("5%", "0.05", 1),
        ("5 %", "5%", 1),
        ("5", "5%", 0),
        ("5 cm", "5", 0),  # a unit makes a text
        ("5 CM", "5 cm", 1),
        ("$5", "5", 0),
        ("0", "0.0", 0),  # nothing is relative to 0, so the texts are compared
        ("1,000", "1000", 0),
        ("1_000", "1000", 1),
        ("nan", "nan", 0),  # no number is close to it
        ("inf", "infinity", 0),
        ("1e400", "5", 0),
        ("-95", "-100", 1),
        ("٤٢", "42", 1),
        ("", "", 1),
        ("", "0", 0),
    ],
)
def test_chartqa(answer, reference, expected):
    assert Accuracy.preset("chartqa").segment(answer, reference).value == expected
    assert oracle.row(answer.lower(), [reference.lower()], match="number")[0] == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        *(("B", 1), ("b) cats", 1), (" (B)", 1), ("Option b", 1), ("The answer is B.", 1), ("The answer\nis b", 1)),
        *(("", 0), ("Answer: B", 0), ("((b", 0), ("A", 0), ("option: b", 0), ("Because", 1)),
    ],
)
def test_choices(answer, expected):
    assert Accuracy.preset("mmstar").segment(answer, "B").value == expected


def test_containment():
    metric = Accuracy.preset("containment")
    texts = ["It is in Paris.", "in paris", "concatenate", "", "", "aab" * 1000 + "aaa"]
    references = [["Lyon", "Paris"], "Paris", "cat", "", "x", "aaaa"]
    assert metric.segments(texts, references).tolist() == [1, 0, 1, 1, 0, 0]
    words = Accuracy(match="contains", tokenizer="squad", lowercase=True)
    assert words.segments(texts[:3], references[:3]).tolist() == [1, 1, 0]


def test_tokens_are_joined():
    metric = Accuracy.preset("chartqa")
    assert metric.segment(["about", "5"], [["about", "5"]]).value == 1
    assert metric.segment([41], [[40]]).value == 1
    with pytest.raises(refscore.InputError):
        metric.segment(["a", 1], [["a", 1]])


def test_processing_needs_equality():
    with pytest.raises(refscore.SettingError, match='processing="vqa" needs match="equal"'):
        Accuracy(processing="vqa", match="contains")


@pytest.mark.parametrize("metric", [Accuracy(), *map(Accuracy.preset, Accuracy.presets)])
def test_worked_steps(metric):
    for answer, references in zip(GOLDEN["answers"][:60], GOLDEN["references"], strict=False):
        for refs in (references, references[:1], ["x", answer]):
            value = metric.segment(answer, refs).value
            assert metric.explain(answer, refs).result == f"Accuracy = {value:.4f} ({100 * value:.2f} %)"


def test_steps_tell_equal_references():
    metric = Accuracy.preset("vqa")
    assert "All references are equal" in str(metric.explain("Yes.", ["yes"] * 3))
    assert "All references are equal" not in str(metric.explain("Yes.", ["yes", "no", "yes"]))
