"""chrF's settings, rows and scores as objects: validation with locations, equality, representation."""

import dataclasses
import math

import numpy as np
import pytest
import sacrebleu

import refscore
from tests.reference import chrf as oracle, close

CHRF = refscore.CHRF


# Metrics as objects


def test_presets():
    assert set(CHRF.presets) == set(oracle.PRESETS)
    for name, setting in oracle.PRESETS.items():
        metric = CHRF.preset(name)
        assert {field.name: getattr(metric, field.name) for field in dataclasses.fields(metric)} == vars(setting)
    assert CHRF.preset("chrf++", beta=3) == CHRF(word_order=2, beta=3)
    assert refscore.chrf(["a b"], ["a c"], preset="nltk").metric == CHRF.preset("nltk")


def test_equality_and_names():
    assert CHRF() == CHRF(beta=np.float32(2), char_order=np.int64(6)) != refscore.BLEU()
    titles = [CHRF(beta=beta, word_order=n).title for beta, n in [(2, 0), (3, 1), (0.5, 2)]]
    assert titles == ["chrF2", "chrF3+", "chrF0.5++"]
    assert CHRF(char_order=1, word_order=1).title == "chrF2+"
    # More than nine are not distinguished.
    assert [CHRF(word_order=n).title.count("+") for n in (8, 9, 10, 30)] == [8, 9, 9, 9]


# Scores as objects


def test_score():
    hypotheses, references = ["The cat sat on a mat.", "a dog"], ["The cat sat on the mat.", "cats"]
    score = CHRF(word_order=2).corpus(hypotheses, references)
    theirs = sacrebleu.CHRF(word_order=2).corpus_score(hypotheses, [references])
    assert close(score.percent, theirs.score)
    assert str(score).startswith(f"{theirs} ".split(" (")[0].strip())
    assert len(score.matches) == len(score.hyp_ngrams) == len(score.ref_ngrams) == 8
    assert {type(count) for count in (*score.matches, *score.hyp_ngrams, *score.ref_ngrams)} == {int}
    assert (type(score.precision), type(score.recall), type(score.value)) == (float, float, float)


def test_score_of_means():
    score = CHRF.preset("nltk").corpus(["a b", "c", "d"], ["a b", "c", "e"])
    assert str(score).endswith("(mean of 3)")
    assert score.to_dict()["segments"] == 3
    assert CHRF.preset("nltk").score([0.0, 0]).value == 0  # the empty sum of rows


def test_rows_of_fractions_are_scored():
    """Use weighted sums of rows, as in a bootstrap."""
    metric = CHRF(char_order=1)
    assert metric.score([2.0, 4.0, 1.0]).value == metric.score([4, 8, 2]).value
    assert metric.score([1.5, 3.0, 0.75]).precision == 0.5


# Values on which implementations disagree, or without another meaning


def test_beta_without_bounds():
    """A larger beta moves the score towards recall, and never gives NaN."""
    for eps in ("none", "epsilon", "nltk"):
        for hypothesis, reference in [("abc", "abd efg"), ("", "a"), ("a", ""), ("x", "y"), ("", "")]:
            recall = [CHRF(beta=beta, smoothing=eps).segment(hypothesis, reference) for beta in (1e100, 1e200, 1e308)]
            values = [score.value for score in recall]
            assert all(map(math.isfinite, values))
            assert close(values[0], values[1]) and close(values[1], values[2])
            if eps == "none":
                assert close(values[2], recall[2].recall)
    for beta in (0, 1e-200, 5e-324):
        score = CHRF(beta=beta).segment("abc", "abd efg")
        assert close(score.value, score.precision)


# Tokens


@pytest.mark.parametrize("tokens", [["a", "b"], [1, 2], [(1,), "b"], np.array([1, 2]), []], ids=repr)
def test_tokens_have_no_words(tokens):
    metric = CHRF(word_order=1)
    for call in (
        lambda: metric.segment(tokens, [tokens]),
        lambda: metric.stats([tokens], [[tokens]]),
        lambda: metric.segments([tokens], [[tokens]]),
        lambda: metric.prepare([[tokens]]),
        lambda: metric.explain(tokens, [tokens]),
        lambda: metric.pairwise([tokens], [tokens], tokens=True),
        lambda: metric.aggregate([tokens], [tokens], tokens=True),
    ):
        with pytest.raises(refscore.InputError, match="tokens"):
            call()
