"""SARI compared with recorded numbers of four programs. tests/originals compares it with the oracle."""

import json
from pathlib import Path

import pytest

import refscore
from refscore import SARI
from tests import reference

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "sari.json").read_text(encoding="utf-8"))
SIDES = GOLDEN["hypotheses"], GOLDEN["references"]
EASSE = GOLDEN["easse 0.2.4"]


@pytest.mark.parametrize(
    ("metric", "expected", "scale"),
    [
        (SARI.preset("easse"), EASSE["segments"], 100),
        (SARI.preset("easse-paper"), EASSE["paper"], 100),
        (SARI.preset("easse", deletion="precision"), EASSE["precision"], 100),
        (SARI.preset("tensor2tensor"), GOLDEN["tensor2tensor 1.15.7"], 1),
        (SARI.preset("evaluate"), GOLDEN["evaluate 0.4.6"], 1),
        (SARI.preset("xu"), GOLDEN["xu"], 1),
    ],
    ids=["easse", "easse-paper", "easse-precision", "tensor2tensor", "evaluate", "xu"],
)
def test_recorded_segments(metric, expected, scale):
    values = metric.segments(*SIDES, sources=GOLDEN["sources"])
    for i, (value, other) in enumerate(zip(values, expected, strict=True)):
        assert reference.close(scale * value, other), i
    if metric.average == "segments":
        score = metric.corpus(*SIDES, sources=GOLDEN["sources"])
        assert reference.close(scale * score.value, sum(expected) / len(expected))


def test_recorded_corpus():
    chosen = [[side[i] for i in EASSE["corpus of segments"]] for side in (*SIDES, GOLDEN["sources"])]
    score = SARI.preset("easse").corpus(*chosen[:2], sources=chosen[2])
    assert reference.close(score.percent, EASSE["corpus"])


def test_the_score_is_the_mean_of_its_operations():
    score = refscore.sari(*SIDES, sources=GOLDEN["sources"])
    assert score.value == pytest.approx((score.keep + score.delete + score.add) / 3, rel=1e-15)
    assert {*score.to_dict()} >= {"keep", "delete", "add"}


def test_ratios_cannot_be_summed():
    with pytest.raises(refscore.SettingError, match="average"):
        SARI(counting="ratios")
    assert SARI(counting="ratios", average="segments").columns == ("keep", "delete", "add", "segments")


def test_unknown_words_are_distinct():
    # Two added words that no other text has are two n-grams, and an added word twice is one.
    metric = SARI(max_order=1, tokenizer="none")
    rows = metric.stats(["p q", "p p", "p"], ["x", "x", "x"], sources=["x", "x", "x"])
    assert rows[:, list(metric.columns).index("add_selected_1")].tolist() == [2, 1, 1]
