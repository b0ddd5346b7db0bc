"""The preset `nltk` compared with NLTK."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.chrf_score import corpus_chrf, sentence_chrf

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import close

# NLTK removes whitespace with the regex package, which does not include the separators U+001C to U+001F.
SEPARATORS = dict.fromkeys(range(0x1C, 0x20), " ")


def one_reference(corpus):
    hypotheses, references = corpus
    return [text.translate(SEPARATORS) for text in hypotheses], [refs[0].translate(SEPARATORS) for refs in references]


texts = strategies.text_corpora.map(one_reference)


def check(hypotheses, references, *, max_len=6, beta=3.0, ignore_whitespace=True):
    metric = refscore.CHRF.preset("nltk", char_order=max_len, beta=beta, whitespace=not ignore_whitespace)
    options = {"max_len": max_len, "beta": beta, "ignore_whitespace": ignore_whitespace}
    assert close(metric.corpus(hypotheses, references).value, corpus_chrf(references, hypotheses, **options))
    values = metric.segments(hypotheses, references).tolist()
    for hypothesis, reference, value in zip(hypotheses, references, values, strict=True):
        expected = sentence_chrf(reference, hypothesis, **options)
        assert close(value, expected)
        assert close(metric.segment(hypothesis, reference).value, expected)


@given(corpus=texts, max_len=st.integers(1, 8), beta=st.sampled_from([0.5, 1.0, 2.0, 3.0]), ignore=st.booleans())
@examples(300)
def test_equal_to_nltk(corpus, max_len, beta, ignore):
    check(*corpus, max_len=max_len, beta=beta, ignore_whitespace=ignore)


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [("", ""), ("", "a"), ("a", ""), (" ", "a"), ("abc", "xyz"), ("a", "a"), ("ab", "abcdefgh"), ("a" * 500, "a")],
)
def test_empty_short_and_different(hypothesis, reference):
    check([hypothesis], [reference])
    check([hypothesis, "some text"], [reference, "some test"], ignore_whitespace=False)


def test_the_mean_of_segments_and_not_the_sum_of_counts():
    hypotheses, references = ["a b c d e f g", "x"], ["a b c d e f h", "y"]
    check(hypotheses, references)
    of_counts = refscore.CHRF.preset("nltk", average="micro").corpus(hypotheses, references)
    assert of_counts.value != pytest.approx(corpus_chrf(references, hypotheses))


def test_tokens_are_text_to_nltk():
    """NLTK joins tokens to a text; refscore treats tokens as characters."""
    hypothesis, reference = ["the", "cat", "sat"], ["the", "cat", "is"]
    expected = sentence_chrf(reference, hypothesis)
    assert close(refscore.CHRF.preset("nltk").segment(" ".join(hypothesis), " ".join(reference)).value, expected)
    assert refscore.CHRF.preset("nltk").segment(hypothesis, [reference]).value != pytest.approx(expected)


def test_separators_are_white_space_here():
    """Whitespace by str.split, as in sacrebleu; NLTK counts these four as characters."""
    metric = refscore.CHRF.preset("nltk")
    for code in SEPARATORS:
        assert metric.segment("ab", f"a{chr(code)}b").value == metric.segment("ab", "ab").value
        assert sentence_chrf(f"a{chr(code)}b", "ab") < sentence_chrf("ab", "ab")


def test_best_of_several_references():
    """NLTK accepts one reference; with several, refscore uses the best score."""
    metric = refscore.CHRF.preset("nltk")
    references = ["the cat", "a cat sat", "dogs"]
    expected = max(sentence_chrf(reference, "the cat sat") for reference in references)
    assert close(metric.segment("the cat sat", references).value, expected)
