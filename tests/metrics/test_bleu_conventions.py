"""Published and recorded numbers of every convention, and cases that only one of them has."""

import json
import math
from pathlib import Path

import pytest
import sacrebleu

import refscore
from tests.corpora import SENTENCES
from tests.differential import streams
from tests.reference import bleu as oracle, close

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
    candidate, refs = hypothesis.split(), list(map(str.split, references))
    metric = refscore.BLEU.preset("textbook", max_order=max_order)
    assert close(metric.segment(candidate, refs).value, value)
    assert close(metric.segment(hypothesis, references).value, value)
    assert close(refscore.ngram_precision_score(candidate, refs, max_order), value)
    assert close(oracle.segment(oracle.Settings(max_order=max_order, smoothing="none"), candidate, refs).value, value)


def test_mteval_lowercases_ascii_only():
    score = refscore.BLEU.preset("mteval", max_order=1).segment("ABC ÄÖ", ["abc äö"])
    assert score.counts == (1,)


def test_coco_caption_counts_next_to_nothing_for_orders_without_a_match():
    metric = refscore.BLEU.preset("coco-caption")
    assert close(metric.segment("a b", "a b").value, (2e-12 / (2 + 1e-9) / (1 + 1e-9)) ** 0.25 * math.exp(-5e-10))
    assert metric.segment("", "").value == metric.segment("", "a").value == 0


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(refscore.bleu, sacrebleu.corpus_bleu), (refscore.chrf, sacrebleu.corpus_chrf)],
    ids=["bleu", "chrf"],
)
def test_forms_of_references(ours, theirs):
    """Streams, and one reference without a list."""
    hypotheses, references = SENTENCES
    expected = theirs(hypotheses, streams(references)).score
    assert close(ours(hypotheses, refscore.from_streams(streams(references))).percent, expected)
    first = [refs[0] for refs in references]
    assert close(ours(hypotheses, first).percent, theirs(hypotheses, [first]).score)


def test_functions_for_sentences():
    bleu, chrf = refscore.BLEU.preset("sacrebleu-sentence"), refscore.CHRF.preset("chrf++")
    for segment in zip(*SENTENCES, strict=True):
        assert close(bleu.segment(*segment).percent, sacrebleu.sentence_bleu(*segment).score)
        assert close(chrf.segment(*segment).percent, sacrebleu.sentence_chrf(*segment, word_order=2).score)


def test_chinese_keeps_the_defect_only_in_the_preset():
    """sacrebleu treats U+2026 as Chinese, but not extension B."""
    assert refscore.BLEU.preset("sacrebleu", tokenizer="zh") == refscore.BLEU(tokenizer="zh-sacrebleu")
    own = refscore.BLEU(tokenizer="zh").segment("他说……𠮷野家", "他说…𠮷野屋")
    assert own.hyp_len == len(["他", "说", "……", "𠮷", "野", "家"])
