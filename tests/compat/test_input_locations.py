"""The locations of the drop-ins' input errors, as data."""

import pytest

import refscore
from refscore.compat import evaluate, jiwer, nltk, sacrebleu
from refscore.compat.rouge_score import rouge_scorer
from refscore.errors import Location

GOOD = ["a b", "c d"]
TOKENS = [["a", "b"], ["c"]]


@pytest.mark.parametrize(
    ("call", "location"),
    [
        (lambda: sacrebleu.corpus_bleu(["a", None], [GOOD]), Location("hypotheses", 1)),
        (lambda: sacrebleu.corpus_bleu(GOOD, [GOOD, "ab"]), Location("references", reference=1)),
        (lambda: sacrebleu.sentence_ter("a", ["a", 3]), Location("references", reference=1)),
        (lambda: nltk.sentence_bleu([["a"], "b"], ["a"]), Location("references", reference=1)),
        (lambda: nltk.sentence_bleu([["a"]], "a"), Location("hypothesis")),
        (lambda: nltk.corpus_gleu([[["a"]], [["b"], 3]], TOKENS), Location("references", 1, 1)),
        (lambda: nltk.corpus_ribes([[["a"]], [["b"]]], [["a"], "b"]), Location("hypotheses", 1)),
        (lambda: nltk.corpus_chrf(GOOD, ["a", 3]), Location("hypotheses", 1)),
        (lambda: nltk.meteor_score("a b", ["a"]), Location("references")),
        (lambda: jiwer.wer("a", "a", jiwer.Strip(), jiwer.Strip()), Location("reference_transform")),
        (lambda: rouge_scorer.RougeScorer(["rouge1"]).score_multi(["a", None], "a"), Location("targets", reference=1)),
        (
            lambda: evaluate.load("bleu").compute(predictions=["a", 3], references=GOOD),
            Location("predictions", 1),
        ),
        (
            lambda: evaluate.load("bleu").compute(predictions=GOOD, references=[["a"], []]),
            Location("references", 1),
        ),
    ],
)
def test_locations(call, location):
    with pytest.raises(refscore.InputError) as caught:
        call()
    assert caught.value.location == location
    assert str(caught.value).startswith(f"{location} ")


def test_locations_in_torchmetrics():
    pytest.importorskip("torchmetrics")
    from refscore.compat.torchmetrics import functional

    with pytest.raises(refscore.InputError) as caught:
        functional.bleu_score(["a", "b"], [["a"], ["b", 3]])
    assert caught.value.location == Location("target", 1, 1)
    with pytest.raises(refscore.InputError) as caught:
        functional.word_error_rate(["a", 3], ["a", "b"])
    assert caught.value.location == Location("preds", 1)
