"""Several metrics in one call."""

import pytest
import sacrebleu
from nltk.translate.bleu_score import corpus_bleu

import refscore
from refscore.metrics import METRICS

HYPOTHESES = ["the cat sat on a mat", "it rained for three days"]
REFERENCES = [["the cat sat on the mat", "a cat was on the mat"], "it rained three days long"]


def test_every_metric_by_its_name():
    found = refscore.scores(HYPOTHESES, REFERENCES, list(METRICS))
    assert list(found) == list(METRICS)
    for name, score in found.items():
        assert score == getattr(refscore, name)(HYPOTHESES, REFERENCES)
        assert score.metric.name == name


def test_the_default_row():
    assert list(refscore.scores(HYPOTHESES, REFERENCES)) == ["bleu", "chrf", "ter"]


def test_one_metric_alone():
    assert refscore.scores(HYPOTHESES, REFERENCES, "bleu") == {"bleu": refscore.bleu(HYPOTHESES, REFERENCES)}
    metric = refscore.BLEU(max_order=2)
    assert refscore.scores(HYPOTHESES, REFERENCES, metric)["bleu"] == metric.corpus(HYPOTHESES, REFERENCES)


def test_names_of_ones_own():
    metrics = {"two": refscore.BLEU(max_order=2), "four": refscore.BLEU(), "order": "ribes"}
    found = refscore.scores(HYPOTHESES, REFERENCES, metrics, threads=1)
    assert list(found) == ["two", "four", "order"]
    assert found["two"].value == refscore.BLEU(max_order=2).corpus(HYPOTHESES, REFERENCES).value


def test_mistakes():
    with pytest.raises(refscore.SettingError, match="two metrics of the name 'bleu'"):
        refscore.scores(HYPOTHESES, REFERENCES, ["bleu", refscore.BLEU(max_order=2)])
    with pytest.raises(refscore.UnknownNameError, match="did you mean 'bleu'"):
        refscore.scores(HYPOTHESES, REFERENCES, ["blue"])
    with pytest.raises(refscore.UnknownNameError):
        refscore.scores(HYPOTHESES, REFERENCES, [None])
    with pytest.raises(refscore.InputError):
        refscore.scores(HYPOTHESES, REFERENCES[:1])


def test_iterators_serve_all_metrics():
    found = refscore.scores(iter(HYPOTHESES), iter(REFERENCES))
    assert found == refscore.scores(HYPOTHESES, REFERENCES)


@pytest.mark.parametrize("metrics", [None, 5, refscore.BLEU, b"bleu", [[]]])
def test_metrics_that_are_none(metrics):
    with pytest.raises(refscore.SettingError):
        refscore.scores(HYPOTHESES, REFERENCES, metrics)


def test_names_with_presets():
    references = ["the cat sat on the mat", "it rained three days long"]
    found = refscore.scores(HYPOTHESES, references, ["chrf++", "bleu:nltk", "rougeL", "TER"])
    assert list(found) == ["chrf++", "bleu:nltk", "rougeL", "ter"]
    original = sacrebleu.corpus_chrf(HYPOTHESES, [references], word_order=2).score
    assert found["chrf++"].percent == pytest.approx(original, rel=1e-12)
    original = corpus_bleu([[text.split()] for text in references], [text.split() for text in HYPOTHESES])
    assert found["bleu:nltk"].value == pytest.approx(original, rel=1e-12)
    with pytest.raises(refscore.UnknownNameError, match="preset of bleu"):
        refscore.scores(HYPOTHESES, references, ["bleu:nltkk"])
