"""The preset `nltk` compared with NLTK, on token lists."""

import random
import warnings

import nltk.translate.bleu_score as original
import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import close

VALUE_NAMES = {1: "epsilon", 4: "k", 6: "alpha", 7: "k"}


def expected(hypotheses, references, weights, method, value):
    """Return NLTK's number, or None if it is undefined: method 6 without a matching trigram."""
    options = {} if value is None else {VALUE_NAMES[method]: value}
    smoothing = getattr(original.SmoothingFunction(**options), f"method{method}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return original.corpus_bleu(references, hypotheses, weights=weights, smoothing_function=smoothing)
        except AssertionError:
            assert method == 6
            return None


def check(hypotheses, references, weights, method, value=None):
    if method == 6 and len(weights) < 3:
        return
    metric = refscore.BLEU.preset(
        "nltk", max_order=len(weights), weights=weights, smoothing=f"nltk-{method}", smoothing_value=value
    )
    if method < 5:  # in a corpus, the others only use the last segment
        number = expected(hypotheses, references, weights, method, value)
        assert close(metric.corpus(hypotheses, references).value, number)
    for hypothesis, refs in zip(hypotheses, references, strict=True):
        number = expected([hypothesis], [refs], weights, method, value)
        if number is not None:
            assert close(metric.segment(hypothesis, refs).value, number)
            assert close(metric.segments([hypothesis], [refs])[0], number)
            assert close(metric.corpus([hypothesis], [refs]).value, number)


@pytest.mark.parametrize("method", range(8))
@given(
    corpus=st.one_of(strategies.word_corpora, strategies.id_corpora),
    weights=st.lists(st.floats(0.05, 1), min_size=1, max_size=7).map(tuple),
    value=st.sampled_from([None, 0.3, 2]),
)
@examples(100)
def test_equal_to_nltk(method, corpus, weights, value):
    check(*corpus, weights, method, value if method in VALUE_NAMES else None)


@pytest.mark.parametrize("method", range(8))
@pytest.mark.parametrize("weights", [(0.0, 1.0), (0.0, 0.0, 0.0, 1.0), (0.125,) * 8], ids=str)
def test_longer_segments(method, weights):
    generator = random.Random(7)
    hypotheses = [generator.choices("abcdef", k=generator.randrange(1, 60)) for _ in range(8)]
    references = [[generator.choices("abcdef", k=generator.randrange(60)) for _ in range(3)] for _ in range(8)]
    check(hypotheses, references, weights, method)


def test_defaults_are_sentence_bleu():
    references = [list("abcdefg"), list("ahi")]
    hypothesis = list("abcdef")
    ours = refscore.BLEU.preset("nltk").segment(hypothesis, references)
    assert close(ours.value, original.sentence_bleu(references, hypothesis))


def test_short_segments_inflate_the_denominators():
    hypotheses, references = [["a"], list("abcde")], [[["a"]], [list("abcde")]]
    ours = refscore.BLEU.preset("nltk").corpus(hypotheses, references)
    assert close(ours.value, original.corpus_bleu(references, hypotheses))
    assert ours.value < 1 == refscore.BLEU.preset("textbook").corpus(hypotheses, references).value


def test_zeros_are_tiny_without_smoothing_and_skipped_with():
    preset = refscore.BLEU.preset
    tiny = preset("nltk").segment(["a"], [["a"]]).value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert close(tiny, original.sentence_bleu([["a"]], ["a"]))
    assert 0 < tiny < 1e-200
    assert preset("nltk", smoothing="nltk-4").segment(["a"], [["a"]]).value == 1.0


@pytest.mark.parametrize("weights", [(0.0, 1.0), (0.0, 0.0, 0.5, 0.5), (0.5, 0.5)])
@pytest.mark.parametrize("reference", ["a", "ab", "bcd"])
@pytest.mark.parametrize(("method", "value"), [(4, None), (1, 0)])
def test_one_token_whose_order_has_no_weight(weights, reference, method, value):
    check([["a"]], [[list(reference)]], weights, method, value)


def test_method_6_without_interpolation_skips_what_is_still_0():
    hypothesis, reference = list("abcdxy"), list("abcexz")
    method = original.SmoothingFunction(alpha=0).method6
    theirs = original.sentence_bleu([reference], hypothesis, smoothing_function=method)
    ours = refscore.BLEU.preset("nltk", smoothing="nltk-6", smoothing_value=0).segment(hypothesis, [reference]).value
    assert ours == pytest.approx(theirs, rel=1e-12)
