"""The locations of the drop-ins' input errors, as data."""

import numpy as np
import pytest

import refscore
from refscore import compat
from refscore.compat import evaluate, jiwer, nltk, sacrebleu
from refscore.compat.rouge_score import rouge_scorer
from refscore.errors import Location

TEXTS = ["a b", "c d"]
REFERENCES, HYPOTHESES, HYPOTHESIS = map(Location, ("references", "hypotheses", "hypothesis"))
CORPUS_METRICS = ("bleu", "gleu", "nist", "ribes")
CORPUS_CALLS = pytest.mark.parametrize("call", [getattr(nltk, f"corpus_{name}") for name in CORPUS_METRICS])


@pytest.fixture(autouse=True)
def _strict():
    libraries = ("nltk", "rouge_score", "sacrebleu")
    compat.install(*libraries, strict=True)
    yield
    compat.uninstall(*libraries)


def check(location, call, *arguments, **options):
    with pytest.raises(refscore.InputError) as caught:
        call(*arguments, **options)
    assert caught.value.location == location
    assert str(caught.value).startswith(f"{location} ")


@CORPUS_CALLS
@pytest.mark.parametrize(
    ("references", "hypotheses", "location"),
    [
        ("a", [["a"]], REFERENCES),
        ({}, [["a"]], REFERENCES),
        ([[["a"]], "a"], [["a"], ["a"]], Location("references", 1)),
        ([[["a"]], ["a"]], [["a"], ["a"]], Location("references", 1, 0)),
        ([[["a"]], [["b"], 3]], [["a"], ["a"]], Location("references", 1, 1)),
        ([[["a"]]], "a", HYPOTHESES),
        ([[["a"]]], 7, HYPOTHESES),
        ([[["a"]]] * 2, [["a"], "a"], Location("hypotheses", 1)),
    ],
)
def test_corpora_of_nltk(call, references, hypotheses, location):
    check(location, call, references, hypotheses)


@pytest.mark.parametrize("call", [nltk.sentence_bleu, nltk.sentence_gleu, nltk.sentence_nist, nltk.sentence_ribes])
@pytest.mark.parametrize(
    ("references", "hypothesis", "location"),
    [
        ("a", ["a"], REFERENCES),
        (None, ["a"], REFERENCES),
        (["a"], ["a"], Location("references", reference=0)),
        ([["a"], None], ["a"], Location("references", reference=1)),
        *(([["a"]], wrong, HYPOTHESIS) for wrong in ("a", "", None, b"a", {"a"}, iter("a"), np.array([["ab", "c"]]))),
    ],
)
def test_sentences_of_nltk(call, references, hypothesis, location):
    check(location, call, references, hypothesis)


@pytest.mark.parametrize(
    ("location", "call", "arguments"),
    [
        (REFERENCES, nltk.sentence_bleu, ([], ["a"])),
        (REFERENCES, nltk.sentence_bleu, ([], [])),
        (REFERENCES, nltk.modified_precision, ([], ["a"], 1)),
        (REFERENCES, nltk.closest_ref_length, ([], 1)),
        (Location("references", 1), nltk.corpus_bleu, ([[["a"]], []], [["a"], ["a"]])),
        (HYPOTHESES, nltk.corpus_bleu, ([], [])),
        (Location("hypothesis", token=0), nltk.sentence_bleu, ([["a"]], [["a"]])),
        (Location("references", reference=0), nltk.modified_precision, (["a"], ["a"], 1)),
        (HYPOTHESIS, nltk.modified_precision, ([["a"]], "a", 1)),
        (HYPOTHESIS, nltk.modified_precision, ([["a"]], "", 1)),
        (Location("references", reference=0), nltk.closest_ref_length, (["a"], 1)),
        (Location("reference"), nltk.word_rank_alignment, ("ab", ["a"])),
        (HYPOTHESIS, nltk.word_rank_alignment, (["a"], "ab")),
        (Location("ngram"), nltk.position_of_ngram, ("a", ["a"])),
        (Location("sentence"), nltk.position_of_ngram, (("a",), "a")),
        (Location("sentence"), nltk.position_of_ngram, ((), "a")),
        (Location("worder"), nltk.kendall_tau, ("12",)),
        (Location("worder"), nltk.kendall_tau, (iter([1]),)),
        (Location("worder"), nltk.spearman_rho, (None,)),
        (REFERENCES, nltk.corpus_chrf, ("abc", ["abc"])),
        (Location("hypotheses", 1), nltk.corpus_chrf, (TEXTS, ["a", 3])),
        (REFERENCES, nltk.meteor_score, ("a b", ["a"])),
        (Location("hypotheses", 1), sacrebleu.corpus_bleu, (["a", None], [TEXTS])),
        (Location("references", reference=1), sacrebleu.corpus_bleu, (TEXTS, [TEXTS, "ab"])),
        (Location("references", reference=1), sacrebleu.sentence_ter, ("a", ["a", 3])),
        (Location("reference_transform"), jiwer.wer, ("a", "a", jiwer.Strip(), jiwer.Strip())),
        (Location("targets", reference=1), rouge_scorer.RougeScorer(["rouge1"]).score_multi, (["a", None], "a")),
    ],
)
def test_other_calls(location, call, arguments):
    check(location, call, *arguments)


@pytest.mark.parametrize(
    ("predictions", "references", "location"),
    [
        ("a", "a", Location("predictions")),
        (["a"], None, Location("references")),
        (["a", 3], TEXTS, Location("predictions", 1)),
        (TEXTS, [["a"], []], Location("references", 1)),
        (["a"], [[1]], Location("references", 0)),
    ],
)
def test_evaluate(predictions, references, location):
    module = evaluate.load("bleu")
    check(location, module.compute, predictions=predictions, references=references)
    assert module.compute(predictions=["a b c d"], references=["a b c d"])["bleu"] == 1.0


@CORPUS_CALLS
@pytest.mark.parametrize(("sets", "count"), [(1, 2), (2, 1), (1, 0)])
def test_unequal_numbers(call, sets, count):
    if call is nltk.corpus_ribes and count == 0:  # as in NLTK
        assert call([[["a"]]] * sets, []) == 0
        return
    with pytest.raises(refscore.InputError, match=rf"\({sets}\) .*\({count}\)") as caught:
        call([[["a"]]] * sets, [["a"]] * count)
    assert isinstance(caught.value, AssertionError) and isinstance(caught.value, ValueError)
