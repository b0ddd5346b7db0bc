"""The drop-in for NLTK's BLEU compared with NLTK, to 1e-12, and errors where NLTK's scores are meaningless."""

import copy
import math
import pickle
import random
import warnings
from fractions import Fraction

import nltk.translate.bleu_score as original
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from refscore.compat import nltk as ours
from tests import strategies
from tests.compat.nltk_inputs import CORPUS, GUIDE, GUIDE_REFERENCES, corpora
from tests.examples import examples
from tests.reference import close

UNIFORM = (0.25, 0.25, 0.25, 0.25)
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


def outcome(call, *args, **kwargs):
    """Return the result of a call, the number of its warnings, or the type of its error."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            result = call(*args, **kwargs)
        except (AssertionError, IndexError) as error:
            return next(kind for kind in (AssertionError, IndexError) if isinstance(error, kind)), None
    assert all(warning.category is UserWarning for warning in said)
    return result, len(said)


def same(actual, expected):
    if isinstance(expected, list):
        return isinstance(actual, list) and len(actual) == len(expected) and all(map(same, actual, expected))
    if isinstance(expected, type):
        return actual is expected
    return type(actual) is type(expected) and close(actual, expected)


def check(name, *args, smoothing=None, **kwargs):
    """Call both libraries with the same arguments; the smoothing is given by name and parameters."""
    options = [{}, {}]
    if smoothing is not None:
        method, parameters = smoothing
        options = [
            {"smoothing_function": getattr(library.SmoothingFunction(**parameters), f"method{method}")}
            for library in (ours, original)
        ]
    actual, our_warnings = outcome(getattr(ours, name), *args, **kwargs, **options[0])
    expected, their_warnings = outcome(getattr(original, name), *args, **kwargs, **options[1])
    assert same(actual, expected)
    assert our_warnings == their_warnings


@pytest.mark.parametrize("method", range(8))
@given(
    corpus=corpora,
    weights=some_weights,
    parameters=st.sampled_from(PARAMETERS),
    auto_reweigh=st.booleans(),
)
@examples(120)
def test_equal_to_nltk(method, corpus, weights, parameters, auto_reweigh):
    hypotheses, references = corpus
    options = {"weights": weights, "smoothing": (method, parameters), "auto_reweigh": auto_reweigh}
    check("corpus_bleu", references, hypotheses, **options)
    check("corpus_bleu", references[::-1], hypotheses[::-1], **options)
    for refs, hypothesis in zip(references, hypotheses, strict=True):
        check("sentence_bleu", refs, hypothesis, **options)


@given(corpus=corpora, weights=some_weights, auto_reweigh=st.booleans())
@examples(100)
def test_equal_to_nltk_without_smoothing(corpus, weights, auto_reweigh):
    hypotheses, references = corpus
    check("corpus_bleu", references, hypotheses, weights, None, auto_reweigh)
    check("corpus_bleu", references, hypotheses)
    check("sentence_bleu", references[0], hypotheses[0], weights, auto_reweigh=auto_reweigh)


@given(corpus=corpora, n=st.integers(1, 7))
@examples(150)
def test_parts_equal_to_nltk(corpus, n):
    for hypothesis, references in zip(*corpus, strict=True):
        actual = ours.modified_precision(references, hypothesis, n)
        expected = original.modified_precision(references, hypothesis, n)
        assert (actual.numerator, actual.denominator) == (expected.numerator, expected.denominator)
        length = len(hypothesis)
        assert ours.closest_ref_length(references, length) == original.closest_ref_length(references, length)
        closest = ours.closest_ref_length(iter(references), length)
        assert ours.brevity_penalty(closest, length) == original.brevity_penalty(closest, length)


@pytest.mark.parametrize("method", range(8))
@pytest.mark.parametrize("weights", [UNIFORM, (0.5, 0.5), (1.0,), (0, 0, 1), (0.125,) * 8, [UNIFORM, (0.2,) * 5]])
def test_longer_segments(method, weights):
    generator = random.Random(11)
    references = [[generator.choices("abcdef", k=generator.randrange(60)) for _ in range(3)] for _ in range(12)]
    hypotheses = [strategies.noisy_copy(i, refs[0]) for i, refs in enumerate(references)]
    for parameters in PARAMETERS:
        check("corpus_bleu", references, hypotheses, weights, smoothing=(method, parameters))
        for refs, hypothesis in zip(references, hypotheses, strict=True):
            check("sentence_bleu", refs, hypothesis, weights, smoothing=(method, parameters))


@pytest.mark.parametrize("method", [5, 6, 7])
def test_the_last_segment_decides(method):
    long, short = list("abcdefgh"), list("abc")
    smoothing = (method, {})
    check("corpus_bleu", [[long], [short]], [long, short], smoothing=smoothing)
    check("corpus_bleu", [[short], [long]], [short, long], smoothing=smoothing)
    function = getattr(ours.SmoothingFunction(), f"method{method}")
    values = {
        ours.corpus_bleu([[one], [other]], [one, other], smoothing_function=function)
        for one, other in ((long, short), (short, long))
    }
    assert len(values) == 2


def test_nltks_own_doctests():
    assert round(ours.sentence_bleu(GUIDE_REFERENCES, GUIDE), 4) == 0.5046
    assert round(ours.corpus_bleu(*CORPUS), 4) == 0.5921
    check("corpus_bleu", *CORPUS, [(0.5, 0.5), (0.333, 0.333, 0.334), UNIFORM, (0.2,) * 5])


def test_no_match_is_the_integer_0():
    zero = ours.sentence_bleu([["a"]], ["b"])
    assert zero == 0 and type(zero) is int
    assert ours.sentence_bleu([["a"]], [], [(1.0,), (0.5, 0.5)]) == [0, 0]
    assert ours.sentence_bleu([[]], []) == 0
    assert ours.corpus_bleu([[["a"]], [["b"]]], [[], []], smoothing_function=ours.SmoothingFunction().method2) == 0


def test_without_smoothing_it_warns_of_every_order():
    with pytest.warns(UserWarning, match=r"no [34]-gram") as said:
        tiny = ours.sentence_bleu([["a", "b"]], ["a", "b"])
    assert 0 < tiny < 1e-100
    assert len(said) == 2


def test_a_function_of_the_users():
    seen = {}

    def smooth(p_n, **context):
        seen.update(context, p_n=list(p_n))
        return [max(p, Fraction(1, 1000)) for p in p_n]

    references, hypotheses = [[["a", "b"]], [["a", "c", "d"], ["x"]]], [["a", "b"], ["a", "b", "d"]]
    score = ours.corpus_bleu(references, hypotheses, smoothing_function=smooth)
    assert close(score, original.corpus_bleu(references, hypotheses, smoothing_function=smooth))
    assert [(p.numerator, p.denominator) for p in seen["p_n"]] == [(4, 5), (1, 3), (0, 2), (0, 2)]
    assert seen["references"] == references[1] and seen["hypothesis"] is hypotheses[1] and seen["hyp_len"] == 5


@pytest.mark.parametrize("method", range(8))
def test_methods_of_one_library_in_the_other(method):
    references, hypotheses = [[list("abcdef")], [list("abcxy")]], [list("abcdxf"), list("abcdy")]
    scores = [
        outcome(
            scorer.corpus_bleu,
            references,
            hypotheses,
            smoothing_function=getattr(smoother.SmoothingFunction(), f"method{method}"),
        )[0]
        for scorer in (ours, original)
        for smoother in (ours, original)
    ]
    assert all(close(score, scores[-1]) for score in scores)


@pytest.mark.parametrize("method", range(8))
def test_methods_called_directly(method):
    counts = [(5, 6), (3, 5), (2, 4), (0, 3), (0, 2)]
    given = [ours.modified_precision([["a"]], ["a"], 1).__class__(*count) for count in counts]
    kept = list(given)
    context = ([list("abcde")], list("abcdxe"))
    actual = outcome(getattr(ours.SmoothingFunction(), f"method{method}"), given, *context)[0]
    theirs = [original.Fraction(*count) for count in counts]
    expected = outcome(getattr(original.SmoothingFunction(), f"method{method}"), theirs, *context)[0]
    assert all(close(float(one), float(other)) for one, other in zip(actual, expected, strict=True))
    assert all(one is other for one, other in zip(given, kept, strict=True))


def test_method_6_refuses_as_nltk_does():
    smooth = ours.SmoothingFunction().method6
    for kind in (refscore.SettingError, IndexError):
        with pytest.raises(kind, match="at least 3 weights, not 2"):
            ours.sentence_bleu([["a", "b"]], ["a", "b"], (0.5, 0.5), smooth)
    for kind in (refscore.InputError, AssertionError):
        with pytest.raises(kind, match="a matching trigram"):
            ours.sentence_bleu([["a", "b"]], ["a", "b"], smoothing_function=smooth)


def test_divisors_of_0_are_errors():
    with pytest.raises(refscore.SettingError, match="k must not be 0"):
        ours.sentence_bleu([["a", "b"]], ["a", "b"], smoothing_function=ours.SmoothingFunction(k=0).method4)
    references, hypotheses = [[list("abcd")], [["a"]]], [list("abcd"), ["a"]]
    with pytest.raises(refscore.SettingError, match="no 3-gram"):
        ours.corpus_bleu(references, hypotheses, smoothing_function=ours.SmoothingFunction(alpha=0).method6)


@pytest.mark.parametrize("method", [3, 4, 5, 6, 7])
@pytest.mark.parametrize("orders", [40, 1500])
def test_many_orders(method, orders):
    """Exact fractions would double in length with every order, and halves would underflow."""
    reference, hypothesis = list("abcdefgh") + list("xyz"), list("abcdefgh") + ["q"] * 40
    smooth = getattr(ours.SmoothingFunction(), f"method{method}")
    score = ours.sentence_bleu([reference], hypothesis, (1 / orders,) * orders, smooth)
    assert 0 <= score <= 1


@pytest.mark.parametrize("method", [5, 6, 7])
def test_bounded_fractions_are_as_good(method):
    reference = [*"abcdefgh", *"xyzxyz"]
    hypothesis = [*"abcdefgh", *"qxyzq"]
    check("sentence_bleu", [reference], hypothesis, (1 / 13,) * 13, smoothing=(method, {}))


@pytest.mark.parametrize("make", [tuple, np.array])
def test_smoothing_accepts_every_kind_of_sequence(make):
    """Method 7 reads the tokens of the segment."""
    smooth, theirs = (library.SmoothingFunction().method7 for library in (ours, original))
    actual = ours.sentence_bleu([make(text) for text in GUIDE_REFERENCES], make(GUIDE), smoothing_function=smooth)
    assert close(actual, original.sentence_bleu(GUIDE_REFERENCES, GUIDE, smoothing_function=theirs))


def test_arrays_of_weights():
    references, hypothesis = [list("abcdefg")], list("abcdxfg")
    assert close(
        ours.sentence_bleu(references, hypothesis, np.full(2, 0.5)),
        ours.sentence_bleu(references, hypothesis, (0.5, 0.5)),
    )
    assert len(ours.sentence_bleu(references, hypothesis, np.full((3, 2), 0.5))) == 3


def test_a_string_is_not_split_into_characters():
    with pytest.raises(refscore.InputError, match=r"^hypothesis is a string: .*list\(text\) for characters"):
        ours.sentence_bleu([["a"]], "a")
    with pytest.raises(refscore.InputError):
        ours.brevity_penalty(3, -1)


def test_precision_without_references_where_nltk_has_one():
    for hypothesis, n in [([], 1), (["a"], 2)]:
        expected = original.modified_precision([], hypothesis, n)
        actual = ours.modified_precision([], hypothesis, n)
        assert (actual.numerator, actual.denominator) == (expected.numerator, expected.denominator) == (0, 1)


@pytest.mark.parametrize(
    "weights", [(), [], [()], [(0.5, 0.5), ()], "ab", None, 0.25, ("a",), (math.nan,), (10**400,), [1, (1,)]]
)
def test_weights_that_cannot_be(weights):
    with pytest.raises(refscore.SettingError, match="weights must be one number per order"):
        ours.sentence_bleu([["a"]], ["a"], weights)


def test_weights_without_bound():
    with pytest.raises(refscore.SettingError, match="overflows a float"):
        ours.sentence_bleu([["a", "b"]], ["a", "c"], (-1e9,))
    check("sentence_bleu", [["a", "b"]], ["a", "c"], (-1, 2), smoothing=(1, {}))


@pytest.mark.parametrize("n", [0, -1, 1.5, "2", None, True])
def test_orders_that_cannot_be(n):
    with pytest.raises(refscore.SettingError, match="n must be a whole number"):
        ours.modified_precision([["a"]], ["a"], n)


def test_smoothing_that_is_no_function():
    with pytest.raises(refscore.SettingError, match=r"pass one of its methods, such as \.method1"):
        ours.sentence_bleu([["a"]], ["a"], smoothing_function=ours.SmoothingFunction())
    with pytest.raises(refscore.SettingError, match="must be a function, not 'method1'"):
        ours.sentence_bleu([["a"]], ["a"], smoothing_function="method1")


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


@pytest.mark.slow
def test_long_segments():
    tokens = ["a"] * 100_000
    assert ours.sentence_bleu([tokens], tokens) == 1.0
    assert ours.modified_precision([tokens, tokens[1:]], tokens, 4).numerator == 99_997
