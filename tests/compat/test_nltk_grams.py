"""The drop-ins for NLTK's GLEU, NIST and chrF compared with NLTK; sequences, errors and settings of all metrics."""

import collections
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore.compat import error_types, nltk as ours
from tests import strategies
from tests.compat.nltk_inputs import CORPUS, GUIDE, GUIDE_REFERENCES, ORIGINALS, check, corpora, words
from tests.examples import examples
from tests.reference import close
from tests.wordnets import WITHOUT_SYNONYMS

TROOPS = words("It is to insure the troops forever hearing the activity guidebook that party direct")
THE_THE = [words("the cat is on the mat")], words("the the the the the the the")
orders = st.lists(st.integers(1, 6), min_size=2, max_size=2).map(sorted)


@given(corpus=corpora, orders=st.one_of(orders, st.tuples(st.integers(1, 3), st.just(-1))))
@examples(250)
def test_gleu(corpus, orders):
    hypotheses, references = corpus
    check("corpus_gleu", references, hypotheses, *orders)
    for hypothesis, refs in zip(*corpus, strict=True):
        check("sentence_gleu", refs, hypothesis, *orders)


@given(corpus=corpora, n=st.integers(1, 6))
@examples(200)
def test_nist(corpus, n):
    hypotheses, references = corpus
    check("corpus_nist", references, hypotheses, n)
    for hypothesis, refs in zip(*corpus, strict=True):
        check("sentence_nist", refs, hypothesis, n)


@given(ref_len=st.integers(0, 100), hyp_len=st.integers(0, 100))
def test_length_penalty_of_nist(ref_len, hyp_len):
    check("nist_length_penalty", ref_len, hyp_len)


@st.composite
def sentence_pairs(draw):
    """Return texts and lists of words."""
    hypotheses, references = draw(strategies.text_corpora)
    texts = [group[0] for group in references], hypotheses
    return [[draw(st.sampled_from([text, text.split()])) for text in side] for side in texts]


@given(
    pair=sentence_pairs(),
    orders=st.lists(st.integers(1, 8), min_size=2, max_size=2),
    beta=st.sampled_from([3.0, 1, 0, 2.5, -2]),
    ignore_whitespace=st.booleans(),
)
@examples(300)
def test_chrf(pair, orders, beta, ignore_whitespace):
    check("corpus_chrf", *pair, *orders, beta, ignore_whitespace)
    for reference, hypothesis in zip(*pair, strict=True):
        check("sentence_chrf", reference, hypothesis, *orders, beta, ignore_whitespace)


@given(
    corpus=st.one_of(strategies.word_corpora, strategies.text_corpora),
    n=st.integers(1, 5),
    beta=st.sampled_from([3.0, 1, 0, 0.5]),
    epsilon=st.sampled_from([1e-16, 0, 0.5]),
)
@examples(200)
def test_parts_of_chrf(corpus, n, beta, epsilon):
    for hypothesis, references in zip(*corpus, strict=True):
        check("chrf_precision_recall_fscore_support", references[0], hypothesis, n, beta, epsilon)


CASES = {
    "corpus_bleu": [CORPUS, (*CORPUS, [(0.5, 0.5), (0.333, 0.333, 0.334), (0.25,) * 4, (0.2,) * 5])],
    "corpus_ribes": [CORPUS, ([[["a"]]], [["a"], ["b"]])],
    "corpus_gleu": [CORPUS, ([], []), ([[]], [["a"]]), ([[], [["a"]]], [["a"], ["a"]]), ([[[], ["a"]]], [[]])],
    "sentence_gleu": [THE_THE, (GUIDE_REFERENCES, TROOPS), ([], ["a"]), ([[], ["a"]], []), ([[]], [])],
    "corpus_nist": [CORPUS, ([], []), ([[]], [["a"]])],
    "sentence_nist": [
        *((GUIDE_REFERENCES, GUIDE), (GUIDE_REFERENCES, TROOPS), ([["a", "b"]], ["a", "b"])),
        *(([[]], list("abcde")), ([["a"]], [])),
    ],
    "sentence_chrf": [
        *((GUIDE_REFERENCES[0], GUIDE), (" ".join(GUIDE_REFERENCES[0]), " ".join(TROOPS)), ([1, 2], "a"), (None, "a"))
    ],
    "corpus_chrf": [(GUIDE_REFERENCES[:2], [GUIDE, " ".join(TROOPS)]), ([], []), (["a"], ["a", "b"])],
}


@pytest.mark.parametrize(("name", "arguments"), [(name, case) for name, cases in CASES.items() for case in cases])
def test_cases(name, arguments):
    check(name, *arguments)


def test_a_lower_order_is_suggested_for_short_segments():
    with pytest.raises(refscore.InputError, match=r"no hypothesis has 3 tokens, .* order 5 needs: use a lower n"):
        ours.sentence_nist([["a", "b"]], ["a", "b"])


NO_COUNTS = [0, -1, 1.5, "2", None, True]
NO_WEIGHTS = [(), [], [()], [(0.5, 0.5), ()], "ab", None, 0.25, ("a",), [1, (1,)]]
NO_EXPONENTS = [-1, math.nan, math.inf, "x", None, [0.25]]
NO_VERSIONS = ["", "new", "3.x", "3..9", 3.9, (3, 9), "3.9 or so", "٣.٩", "9" * 5000]
WRONG = [
    *(("sentence_bleu", {"weights": weights}) for weights in NO_WEIGHTS),
    *(("sentence_bleu", {"smoothing_function": no_function}) for no_function in (ours.SmoothingFunction(), "method1")),
    *(("modified_precision", {"n": n}) for n in NO_COUNTS),
    *(("sentence_gleu", {"min_len": low, "max_len": high}) for low, high in ((3, 2), (1, 0), (1, -2), (1, 2.5))),
    *((f"sentence_{metric}", {"min_len": n}) for metric in ("gleu", "chrf") for n in NO_COUNTS),
    *(("sentence_chrf", {"max_len": n}) for n in (2.5, True)),
    *(("sentence_nist", {"n": n}) for n in (0, -1, True, 2.5, None, 65)),
    *(("meteor_score", {"wordnet": WITHOUT_SYNONYMS, **weights}) for weights in ({"alpha": 2}, {"alpha": None})),
    *(("meteor_score", {"wordnet": WITHOUT_SYNONYMS, **weights}) for weights in ({"beta": -1}, {"gamma": 1.5})),
    *(("sentence_ribes", {name: value}) for name in ("alpha", "beta") for value in NO_EXPONENTS),
    *((name, {"version": v}) for name in ("sentence_ribes", "corpus_ribes", "kendall_tau") for v in NO_VERSIONS),
]


@pytest.mark.parametrize(("name", "options"), WRONG)
def test_settings_that_make_no_sense(name, options):
    arguments = {"sentence_chrf": ("a b", "a b"), "corpus_ribes": ([], []), "kendall_tau": ([1],)}
    with pytest.raises(refscore.SettingError):
        getattr(ours, name)(*arguments.get(name, ([["a"]], ["a"])), **options)


@pytest.mark.parametrize("metric", ["bleu", "gleu", "nist", "ribes"])
class TestSequences:
    @pytest.mark.parametrize(
        "make", [tuple, np.array, collections.deque, lambda tokens: np.array(tokens, dtype=object)]
    )
    def test_every_kind(self, metric, make):
        references, hypotheses = CORPUS
        made = [[make(reference) for reference in group] for group in references], [make(text) for text in hypotheses]
        expected = ORIGINALS[f"corpus_{metric}"](*CORPUS)
        for given_as in (made, (tuple(map(tuple, made[0])), tuple(made[1]))):
            assert close(getattr(ours, f"corpus_{metric}")(*given_as), expected)
        expected = ORIGINALS[f"sentence_{metric}"](references[0], hypotheses[0])
        assert close(getattr(ours, f"sentence_{metric}")(made[0][0], made[1][0]), expected)

    @pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint8, np.float32, bool, "S1"])
    def test_arrays(self, metric, kind):
        reference, hypothesis = np.array([1, 0, 1, 1, 0, 1]).astype(kind), np.array([1, 0, 1, 1, 1, 1]).astype(kind)
        batch = np.stack([hypothesis, reference])
        for level, arguments in (("sentence", ([reference], hypothesis)), ("corpus", (np.stack([batch] * 2), batch))):
            expected = ORIGINALS[f"{level}_{metric}"](*(np.array(part).tolist() for part in arguments))
            assert close(getattr(ours, f"{level}_{metric}")(*arguments), expected)


def test_errors_can_be_pickled():
    for kind in ("InputAssertionError", "InputTypeError", "InputZeroDivisionError"):
        error = getattr(error_types, kind)(None, "message")
        assert str(pickle.loads(pickle.dumps(error))) == "message"
