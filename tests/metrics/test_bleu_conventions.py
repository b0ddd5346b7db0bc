"""Published and recorded numbers of every convention, under the preset of the same name."""

import json
import math
from pathlib import Path

import pytest

import refscore
from tests.reference import bleu as oracle
from tests.reference import close

GOLDEN = Path(__file__).parent.parent / "golden"
RECORDS = json.loads((GOLDEN / "bleu.json").read_text(encoding="utf-8"))


def read_lines(name):
    return (GOLDEN / name).read_text(encoding="utf-8").split("\n")[:-1]


def corpus_of(record):
    if "files" not in record:
        return record["hypotheses"], record["references"]
    hypotheses, *streams = map(read_lines, record["files"])
    return hypotheses, refscore.from_streams(streams)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: f"{record['tool']}: {record['command']}")
def test_recorded_values(record):
    metric = refscore.BLEU.preset(record["preset"], **record["settings"])
    score = metric.corpus(*corpus_of(record))
    assert score.value == pytest.approx(record["value"], rel=0, abs=record["tolerance"])


def words(*texts):
    return [text.split() for text in texts]


@pytest.mark.parametrize(
    ("hypothesis", "references", "max_order", "value"),
    [
        ("a b c d", ["a b x d"], 2, 0.5),
        ("the cat sat on the mat", ["the cat sat on the mat"], 4, 1.0),
        ("the quick brown fox", ["a fast brown fox", "the slow brown dog"], 2, 0.5),
        ("the the the the the the", ["the cat is on the mat"], 1, 2 / 6),
        ("a b c", ["a b c"], 4, 0.0),
        ("", ["a b"], 1, 0.0),
        ("a b", ["c d"], 1, 0.0),
        ("a b", ["a b c d"], 1, math.exp(-1)),
    ],
)
def test_textbook(hypothesis, references, max_order, value):
    candidate, refs = hypothesis.split(), words(*references)
    metric = refscore.BLEU.preset("textbook", max_order=max_order)
    assert close(metric.segment(candidate, refs).value, value)
    assert close(metric.segment(hypothesis, references).value, value)
    assert close(refscore.ngram_precision_score(candidate, refs, max_order), value)
    assert close(oracle.segment(oracle.Settings(max_order=max_order, smoothing="none"), candidate, refs).value, value)


@pytest.mark.parametrize(
    ("preset", "value"),
    [("textbook", 0.0), ("sacrebleu", 0.0), ("sacrebleu-sentence", 1.0), ("mteval", 1.0)],
)
def test_two_words_against_themselves(preset, value):
    assert refscore.BLEU.preset(preset).corpus(["a test"], ["a test"]).value == value


def test_addition_scores_orders_that_do_not_exist():
    metric = refscore.BLEU.preset("sacrebleu", smoothing="add-k")
    assert close(metric.corpus(["a test"], ["a test"]).percent, 100.0)


@pytest.mark.parametrize(
    ("preset", "ref_len"), [("textbook", 2), ("sacrebleu", 2), ("nltk", 2), ("mteval", 2), ("r", 4)]
)
def test_equally_close_references(preset, ref_len):
    assert refscore.BLEU.preset(preset).segment([1, 2, 3], [[1, 2, 3, 4], [1, 2]]).ref_len == ref_len


def test_mteval_lowercases_ascii_only():
    score = refscore.BLEU.preset("mteval", max_order=1).segment("ABC ÄÖ", ["abc äö"])
    assert score.counts == (1,)


def test_no_match_at_all():
    hypothesis, references = "this is a cat sat", ["okay thanks you very much"]
    for preset in ("sacrebleu", "sacrebleu-sentence", "nltk", "textbook", "r"):
        assert refscore.BLEU.preset(preset).segment(hypothesis, references).value == 0.0
    assert refscore.BLEU.preset("nltk", smoothing="nltk-3").segment(hypothesis, references).value == 0.0
    assert refscore.BLEU.preset("mteval").segment(hypothesis, references).value > 0.05
    assert refscore.BLEU.preset("r", smoothing="add-k-all").segment(hypothesis, references).value > 0.1


def test_a_corpus_is_not_the_mean_of_its_segments():
    hypotheses, references = words("a b c d e", "x y"), [words("a b c d e"), words("a b")]
    metric = refscore.BLEU.preset("textbook", max_order=2)
    assert close(metric.corpus(hypotheses, references).value, (5 / 7 * 4 / 5) ** 0.5)
    assert metric.segments(hypotheses, references).tolist() == [1.0, 0.0]
