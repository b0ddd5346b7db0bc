"""The drop-in for NLTK's BLEU compared with NLTK, to 1e-12, and errors where NLTK's scores are meaningless."""

import copy
import pickle
from fractions import Fraction
from itertools import product

import nltk.translate.bleu_score as original
import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore.compat import nltk as ours
from tests.compat.nltk_inputs import GUIDE, GUIDE_REFERENCES, check, corpora, outcome
from tests.examples import examples
from tests.reference import close

UNIFORM = (0.25, 0.25, 0.25, 0.25)
METHODS = pytest.mark.parametrize("method", range(8))
weight_tuples = st.lists(st.sampled_from([0, 0.1, 0.25, 0.5, 1, 0.3333333333333333]), min_size=1, max_size=7).map(tuple)
some_weights = st.one_of(
    st.just(UNIFORM), weight_tuples, weight_tuples.map(list), st.lists(weight_tuples, min_size=1, max_size=3)
)
PARAMETERS = [
    {},
    {"epsilon": 0.01, "alpha": 2, "k": 3},
    {"epsilon": 0.5, "alpha": 0.7, "k": 0.3},
    {"epsilon": 0, "alpha": 11},
]


@pytest.mark.parametrize("method", [None, *range(8)])
@given(corpus=corpora, weights=some_weights, parameters=st.sampled_from(PARAMETERS), auto_reweigh=st.booleans())
@examples(120)
def test_scores(method, corpus, weights, parameters, auto_reweigh):
    hypotheses, references = corpus
    smoothing = None if method is None else (method, parameters)
    options = {"weights": weights, "smoothing": smoothing, "auto_reweigh": auto_reweigh}
    check("corpus_bleu", references, hypotheses, **options)
    check("corpus_bleu", references[::-1], hypotheses[::-1], **options)  # methods 5 to 7 use the last segment
    for refs, hypothesis in zip(references, hypotheses, strict=True):
        check("sentence_bleu", refs, hypothesis, **options)


@given(corpus=corpora, n=st.integers(1, 7))
@examples(150)
def test_parts(corpus, n):
    for hypothesis, references in zip(*corpus, strict=True):
        check("modified_precision", references, hypothesis, n)
        check("closest_ref_length", references, len(hypothesis))
        closest = ours.closest_ref_length(iter(references), len(hypothesis))
        check("brevity_penalty", closest, len(hypothesis))
    for lengths in ((3, -1), (-1, -2), (-2, 0), (0, 0)):
        check("brevity_penalty", *lengths)


CASES = [
    (([["a"]], ["b"]), {}),  # 0 is an integer
    (([["a"]], [], [(1.0,), (0.5, 0.5)]), {}),
    (([[]], []), {}),
    (([["a", "b"]], ["a", "b"]), {}),  # a warning for each order without matches
    (([["a", "b"]], ["a", "b"], (0.5, 0.5)), {"smoothing": (6, {})}),
    (([["a", "b"]], ["a", "b"]), {"smoothing": (6, {})}),
    (([["a", "b"]], ["a", "c"], (-1, 2)), {"smoothing": (1, {})}),
    *((([[*"abcdefghxyzxyz"]], [*"abcdefghqxyzq"], (1 / 13,) * 13), {"smoothing": (m, {})}) for m in (5, 6, 7)),
]


@pytest.mark.parametrize(("arguments", "options"), CASES)
def test_cases(arguments, options):
    check("sentence_bleu", *arguments, **options)
    check("corpus_bleu", [arguments[0]] * 2, [arguments[1]] * 2, *arguments[2:], **options)


def test_precision_without_references_where_nltk_has_one():
    check("modified_precision", [], [], 1)
    check("modified_precision", [], ["a"], 2)


def test_a_function_of_the_users():
    seen = {}

    def smooth(p_n, **context):
        seen.update(context, p_n=list(p_n))
        return [max(p, Fraction(1, 1000)) for p in p_n]

    references, hypotheses = [[["a", "b"]], [["a", "c", "d"], ["x"]]], [["a", "b"], ["a", "b", "d"]]
    score = ours.corpus_bleu(references, hypotheses, smoothing_function=smooth)
    assert [(p.numerator, p.denominator) for p in seen["p_n"]] == [(4, 5), (1, 3), (0, 2), (0, 2)]
    assert seen["references"] == references[1] and seen["hypothesis"] is hypotheses[1] and seen["hyp_len"] == 5
    assert close(score, original.corpus_bleu(references, hypotheses, smoothing_function=smooth))


@METHODS
def test_methods_of_one_library_in_the_other(method):
    references, hypotheses = [[list("abcdef")], [list("abcxy")]], [list("abcdxf"), list("abcdy")]
    methods = [getattr(library.SmoothingFunction(), f"method{method}") for library in (ours, original)]
    scores = [
        outcome(library.corpus_bleu, references, hypotheses, smoothing_function=smooth)[0]
        for library, smooth in product((ours, original), methods)
    ]
    assert all(close(score, scores[-1]) for score in scores)


@METHODS
def test_methods_called_directly(method):
    counts = [(5, 6), (3, 5), (2, 4), (0, 3), (0, 2)]
    results = []
    for library in (ours, original):
        given = [library.Fraction(*count) for count in counts]
        before = list(given)
        smooth = getattr(library.SmoothingFunction(), f"method{method}")
        results.append(outcome(smooth, given, [list("abcde")], list("abcdxe"))[0])
        assert all(one is other for one, other in zip(given, before, strict=True)) or library is original
    assert all(close(float(one), float(other)) for one, other in zip(*results, strict=True))


@pytest.mark.parametrize("method", [3, 4, 5, 6, 7])
@pytest.mark.parametrize("orders", [40, 1500])
def test_many_orders(method, orders):
    """Exact fractions would double in length with every order, and halves would underflow."""
    reference, hypothesis = list("abcdefgh") + list("xyz"), list("abcdefgh") + ["q"] * 40
    smooth = getattr(ours.SmoothingFunction(), f"method{method}")
    assert 0 <= ours.sentence_bleu([reference], hypothesis, (1 / orders,) * orders, smooth) <= 1


@pytest.mark.parametrize("make", [tuple, np.array])
def test_smoothing_and_weights_accept_every_kind_of_sequence(make):
    """Method 7 reads the tokens of the segment."""
    smooth, theirs = (library.SmoothingFunction().method7 for library in (ours, original))
    actual = ours.sentence_bleu([make(text) for text in GUIDE_REFERENCES], make(GUIDE), smoothing_function=smooth)
    assert close(actual, original.sentence_bleu(GUIDE_REFERENCES, GUIDE, smoothing_function=theirs))
    for weights in ([0.5, 0.5], [[0.5, 0.5], [0.25, 0.75]]):
        expected = original.sentence_bleu(GUIDE_REFERENCES, GUIDE, weights)
        assert np.allclose(ours.sentence_bleu(GUIDE_REFERENCES, GUIDE, make(weights)), expected, rtol=1e-12)


def test_fractions_keep_their_counts():
    half = ours.modified_precision([["a", "b", "c", "d"]], ["a", "b", "x", "a"], 1)
    assert (half.numerator, half.denominator) == (2, 4)
    assert float(half) == 0.5
    assert half == 0.5 == half and half == Fraction(1, 2) == half and half != Fraction(1, 3) and half == copy.copy(half)
    assert hash(half) == hash(0.5) and 0.4 < half < 0.6 and half >= 0.5 and half > 0 and half < 1 and bool(half)
    assert float(half + 1) == 1.5 and float(half * 2) == 1 and float(half**2) == 0.25 and half - 0.25 == 0.25
    assert repr(half) == "Fraction(2, 4)" and str(half) == "2/4"
    for twin in (pickle.loads(pickle.dumps(half)), copy.deepcopy(half)):
        assert type(twin) is type(half) and (twin.numerator, twin.denominator) == (2, 4)
    nothing = ours.modified_precision([["a"]], ["b", "b"], 1)
    assert nothing == 0 and not nothing and (nothing.numerator, nothing.denominator) == (0, 2)


def test_divisors_of_0_and_extreme_weights():
    with pytest.raises(refscore.SettingError):
        ours.sentence_bleu([["a", "b"]], ["a", "b"], smoothing_function=ours.SmoothingFunction(k=0).method4)
    with pytest.raises(refscore.SettingError):
        ours.corpus_bleu(
            [[list("abcd")], [["a"]]], [list("abcd"), ["a"]], smoothing_function=ours.SmoothingFunction(alpha=0).method6
        )
    for weights in ((-1e9,), (1e400,), (10**400, 1)):
        check("sentence_bleu", [["a", "b"]], ["a", "c"], weights)


@pytest.mark.parametrize("method", [1, 3, 4])
def test_smoothing_rounds_like_nltk(method):
    for counts in (
        [(2, 3), (1, 2), (0, 1), (0, 1)],
        [(5, 6), (3, 5), (0, 4), (0, 3)],
        [(3, 7), (0, 6), (0, 5), (0, 4)],
    ):
        for length in (2, 3, 7, 11):
            values = []
            for library in (ours, original):
                smooth = getattr(library.SmoothingFunction(), f"method{method}")
                given = [library.Fraction(*count) for count in counts]
                values.append([float(p) for p in smooth(given, [["a"]], ["a"], length)])
            assert values[0] == values[1]
