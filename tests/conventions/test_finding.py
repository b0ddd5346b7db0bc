"""Find the settings of a number: presets, and presets with one or two changes."""

import json

import numpy as np
import pytest
import sacrebleu

import refscore
from refscore.conventions import compare_conventions

HYPOTHESES = [
    "The cat sat on a mat, and looked at it.",
    "He read the book because he was interested in World History.",
    "A small test of it all",
    "it doesn't cost €3.50, he said to me",
]
REFERENCES = [
    "the cat sat on the mat and looked at it.",
    "He was interested in world history because he read the book.",
    "a small test of all",
    "It doesn't cost €3.50 he said.",
]


@pytest.fixture(scope="module")
def result():
    return compare_conventions(HYPOTHESES, REFERENCES, presets=["sacrebleu", "sacrebleu-sentence", "nltk", "textbook"])


def words(finding):
    return [match.words for match in finding.matches]


def test_numbers_of_sacrebleu(result):
    plain = sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES]).score
    assert words(result.find(f"{plain:.6f}"))[0] == "sacrebleu"
    assert words(result.find(f"{plain / 100:.6f}"))[0] == "sacrebleu"
    lowercased = sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES], lowercase=True).score
    assert "sacrebleu with lowercase=yes" in words(result.find(f"{lowercased:.6f}"))
    split = sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES], tokenize="intl").score
    assert "sacrebleu with tokenizer=intl" in words(result.find(f"{split:.6f}"))
    both = sacrebleu.corpus_bleu(HYPOTHESES, [REFERENCES], tokenize="char", lowercase=True).score
    finding = result.find(f"{both:.6f}")
    assert "sacrebleu with tokenizer=char and lowercase=yes" in words(finding)
    switches = [match.switches for match in finding.matches]
    assert switches == sorted(switches)


def test_means_of_sentence_scores(result):
    scores = [sacrebleu.sentence_bleu(*pair).score for pair in zip(HYPOTHESES, [[r] for r in REFERENCES], strict=True)]
    finding = result.find(f"{np.mean(scores):.6f}")
    assert "sacrebleu-sentence, as the mean of the segments' scores" in words(finding)
    assert finding.matches[0].mean_of_segments and finding.matches[0].switches == 1


@pytest.mark.parametrize(
    ("written", "is_it"),
    [("33", True), ("33.3", True), ("33.33", True), ("33.30", False), ("0.333", True), ("0.33", True), ("33.4", False)],
)
def test_numbers_are_as_exact_as_they_are_written(written, is_it):
    # One word of three matches.
    result = compare_conventions(["a b c"], ["a x y"], presets=["textbook"], max_order=1)
    assert (words(result.find(written)) == ["textbook"]) == is_it


def test_switches_that_change_nothing_are_not_told():
    result = compare_conventions(["a b c d e"], ["a b c d e"], presets=["sacrebleu"])
    assert words(result.find(100)) == ["sacrebleu"]


def test_nothing_is_found(result):
    seen = []
    finding = result.find("99.99", progress=lambda *done: seen.append(done))
    assert seen[0][:2] == ("searching", 1) and seen[-1][1] == seen[-1][2]
    assert finding.matches == () and len(finding.nearest) == 5
    gaps = [abs(match.value * match.scale - 99.99) for match in finding.nearest]
    assert gaps == sorted(gaps)
    assert f" {finding.tried:,} settings" in str(finding)
    assert finding.table().title.endswith("Closest:")


def test_settings_that_are_given_are_not_switched():
    result = compare_conventions(HYPOTHESES, REFERENCES, lowercase=True, max_order=2)
    for match in result.find("99.99").nearest:
        assert not match.switched.keys() & {"lowercase", "max_order"}
        assert refscore.from_signature(match.signature).lowercase is True


def test_matches_can_be_repeated(result):
    for number in ("30", "40"):
        for match in result.find(number).matches:
            metric = refscore.from_signature(match.signature)
            if not match.mean_of_segments:
                assert metric.corpus(HYPOTHESES, REFERENCES).value == match.value


def test_only_available_presets_are_tried():
    result = compare_conventions(["a b", "a"], ["a b", ""], "ribes")
    assert {match.convention for match in result.find("0.123456").nearest} <= {"nltk", "nltk-3.9"}


@pytest.mark.parametrize("metric", ["cer", "chrf", "gleu", "nist", "ribes", "rouge", "ter", "wer"])
def test_other_metrics(metric):
    result = compare_conventions(HYPOTHESES, REFERENCES, metric)
    for convention in result:
        finding = result.find(f"{convention.score.value:.9f}")
        assert convention.name in words(finding)
    data = finding.to_dict()
    assert json.loads(json.dumps(data)) == data


@pytest.mark.parametrize("number", ["", "many", "-1", float("nan"), "inf", True, None])
def test_mistakes(result, number):
    with pytest.raises(refscore.SettingError, match="number"):
        result.find(number)
