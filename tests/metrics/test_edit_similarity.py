"""Edit similarity and ANLS: the corners that the common comparison (test_originals.py) does not have, and its steps."""

import math
from collections import defaultdict

import pytest

import refscore
from refscore import EditSimilarity
from tests.corpora import TEXTS

ANLS, STAR = EditSimilarity.preset("anls"), EditSimilarity.preset("anls-star")


@pytest.mark.parametrize(
    ("hypothesis", "reference", "strict", "lenient"),
    [
        ("ab", "a", 0, 0.5),  # exactly at the threshold
        ("abcd", "abxy", 0, 0.5),
        ("abc", "abx", 2 / 3, 2 / 3),
        ("abc", "axy", 0, 0),
        ("Room\n B1", " room  b1 ", 1, 1),
        ("", "", 1, 1),
        ("", "a", 0, 0),
        ("a", " ", 0, 0),
    ],
)
def test_the_threshold(hypothesis, reference, strict, lenient):
    assert math.isclose(ANLS.segment(hypothesis, reference).value, strict)
    assert math.isclose(STAR.segment(hypothesis, reference).value, lenient)


def test_titles():
    named = refscore.scores(["ab"], ["ac"], metrics=["anls", "anls:anls-star", "edit_similarity"])
    assert {label: score.metric.title for label, score in named.items()} == {
        "anls": "ANLS",
        "anls:anls-star": "ANLS",
        "edit_similarity": "EditSim",
    }
    assert [score.value for score in named.values()] == [0, 0.5, 0.5]
    assert named["anls"].metric == ANLS and named["anls:anls-star"].metric == STAR


def test_the_threshold_needs_segments():
    with pytest.raises(refscore.SettingError, match='threshold needs average="segments"'):
        EditSimilarity(threshold=0.5, average="characters")


def test_pages_of_omnidocbench():
    """Its average over pages is the mean over groups, without pages on which both sides are empty."""
    distance = pytest.importorskip("rapidfuzz.distance").Levenshtein.distance
    texts = [*TEXTS, *TEXTS[::-1], ""]
    references = [*TEXTS[3:], *TEXTS[:3], *TEXTS, ""]
    pages = [i // 4 for i in range(len(texts) - 1)] + [-1]
    evaluation = refscore.evaluate(texts, references, "edit_similarity:omnidocbench", groups={"page": pages})
    edits, longer = defaultdict(int), defaultdict(int)
    for page, *pair in zip(pages, texts, references, strict=True):
        edits[page] += distance(*pair)
        longer[page] += max(map(len, pair))
    expected = [edits[page] / longer[page] for page in longer if longer[page]]
    scores = [part.score() for part in evaluation.by("page").values()]
    found = [score.distance for score in scores if score.segments]
    assert found == pytest.approx(expected, abs=1e-12)
    assert evaluation.score().distance == pytest.approx(sum(edits.values()) / sum(longer.values()), abs=1e-12)


@pytest.mark.parametrize("metric", [EditSimilarity(), ANLS, STAR, EditSimilarity.preset("omnidocbench")])
def test_worked_steps(metric):
    for text in TEXTS:
        for references in (["a cat"], ["", "x", text], [text.upper(), "The Cat"]):
            steps = metric.explain(text, references)
            value = metric.segment(text, references).value
            assert steps.result == f"{metric.title} = {value:.4f} ({100 * value:.2f} %)"


def test_steps_tell_the_threshold():
    assert "= the threshold, 0.5, so the segment scores 0." in str(ANLS.explain("abcd", "abxy"))
    assert "= the threshold, 0.5, so the segment counts." in str(STAR.explain("abcd", "abxy"))
    assert "The segment does not count." in str(EditSimilarity(both_empty="skip").explain("", ""))
