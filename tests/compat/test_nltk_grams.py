"""The drop-ins for NLTK's GLEU, NIST and chrF compared with NLTK, and the sequences that all metrics accept."""

import collections
import math
import pickle
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import bleu_score, chrf_score, gleu_score, nist_score, ribes_score

import refscore
from refscore.compat import nltk as ours
from refscore.compat.nltk import inputs
from tests import strategies
from tests.compat.nltk_inputs import CORPUS, GUIDE, GUIDE_REFERENCES, corpora, words
from tests.examples import examples
from tests.reference import close

TROOPS = words("It is to insure the troops forever hearing the activity guidebook that party direct")
THE_THE = words("the the the the the the the"), [words("the cat is on the mat")]


def outcome(call, *args, **kwargs):
    """Return the value, or the type of the error."""
    try:
        return call(*args, **kwargs)
    except (ZeroDivisionError, ValueError, AssertionError) as error:
        return ZeroDivisionError if isinstance(error, ZeroDivisionError) else type(error)


def assert_same(mine, theirs):
    assert mine == theirs if isinstance(theirs, type) else close(mine, theirs)


class TestGleu:
    @given(corpus=corpora, orders=st.lists(st.integers(1, 6), min_size=2, max_size=2).map(sorted))
    @examples(200)
    def test_equal_to_nltk(self, corpus, orders):
        hypotheses, references = corpus
        args = (references, hypotheses, *orders)
        assert close(ours.corpus_gleu(*args), gleu_score.corpus_gleu(*args))
        for hypothesis, refs in zip(*corpus, strict=True):
            args = (refs, hypothesis, *orders)
            assert close(ours.sentence_gleu(*args), gleu_score.sentence_gleu(*args))

    @given(corpus=strategies.word_corpora, shortest=st.integers(1, 3))
    @examples(60)
    def test_all_orders(self, corpus, shortest):
        hypotheses, references = corpus
        theirs = gleu_score.corpus_gleu(references, hypotheses, min_len=shortest, max_len=-1)
        assert close(ours.corpus_gleu(references, hypotheses, min_len=shortest, max_len=-1), theirs)

    def test_documented_calls(self):
        assert round(ours.sentence_gleu(THE_THE[1], THE_THE[0]), 4) == 0.0909
        assert math.floor(1e4 * ours.sentence_gleu(GUIDE_REFERENCES[:1], GUIDE)) == 4393
        assert math.floor(1e4 * ours.sentence_gleu(GUIDE_REFERENCES[:1], TROOPS)) == 1206
        assert math.floor(1e4 * ours.corpus_gleu(*CORPUS)) == 5673

    @pytest.mark.parametrize(
        ("references", "hypotheses"),
        [([], []), ([[]], [["a"]]), ([[], [["a"]]], [["a"], ["a"]]), ([[[], ["a"]]], [[]]), ([[[]]], [[]])],
    )
    def test_nothing_to_count(self, references, hypotheses):
        assert ours.corpus_gleu(references, hypotheses) == gleu_score.corpus_gleu(references, hypotheses)
        if len(hypotheses) == 1:
            theirs = gleu_score.sentence_gleu(references[0], hypotheses[0])
            assert ours.sentence_gleu(references[0], hypotheses[0]) == theirs

    @pytest.mark.parametrize("orders", [(0, 4), (3, 2), (1, 0), (1, -2), (True, 4), (1, 2.5)])
    def test_orders_that_make_no_sense(self, orders):
        with pytest.raises(refscore.SettingError, match=r"min_len|max_len"):
            ours.sentence_gleu([["a"]], ["a"], *orders)


class TestNist:
    @given(corpus=corpora, n=st.integers(1, 6))
    @examples(200)
    def test_equal_to_nltk(self, corpus, n):
        hypotheses, references = corpus
        assert_same(
            outcome(ours.corpus_nist, references, hypotheses, n),
            outcome(nist_score.corpus_nist, references, hypotheses, n),
        )
        for hypothesis, refs in zip(*corpus, strict=True):
            assert_same(
                outcome(ours.sentence_nist, refs, hypothesis, n), outcome(nist_score.sentence_nist, refs, hypothesis, n)
            )

    def test_longer_segments(self):
        generator = random.Random(3)
        hypotheses = [generator.choices("abcdef", k=generator.randrange(5, 60)) for _ in range(30)]
        references = [[generator.choices("abcdef", k=generator.randrange(60)) for _ in range(3)] for _ in range(30)]
        assert close(ours.corpus_nist(references, hypotheses), nist_score.corpus_nist(references, hypotheses))

    def test_documented_calls(self):
        assert math.floor(1e4 * ours.sentence_nist(GUIDE_REFERENCES, GUIDE)) == 33709
        assert math.floor(1e4 * ours.sentence_nist(GUIDE_REFERENCES, TROOPS)) == 14619

    def test_a_script_that_catches_nltks_error(self):
        for references, hypothesis in [([["a", "b"]], ["a", "b"]), ([[]], list("abcde")), ([["a"]], [])]:
            for library in (ours, nist_score):
                with pytest.raises(ZeroDivisionError):
                    library.sentence_nist(references, hypothesis)
        with pytest.raises(refscore.InputError, match=r"no hypothesis has 3 tokens, .* order 5 needs: use a lower n"):
            ours.sentence_nist([["a", "b"]], ["a", "b"])
        for library in (ours, nist_score):
            with pytest.raises(ZeroDivisionError):
                library.corpus_nist([], [])
            with pytest.raises(ValueError, match=r"references|empty"):
                library.corpus_nist([[]], [["a"]])

    @given(ref_len=st.integers(1, 100), hyp_len=st.integers(0, 100))
    def test_length_penalty(self, ref_len, hyp_len):
        theirs = nist_score.nist_length_penalty(ref_len, hyp_len)
        assert close(ours.nist_length_penalty(ref_len, hyp_len), theirs)

    def test_length_penalty_without_a_length(self):
        for library in (ours, nist_score):
            with pytest.raises(ZeroDivisionError):
                library.nist_length_penalty(0, 1)

    @pytest.mark.parametrize("n", [0, -1, True, 2.5, None, 65])
    def test_orders_that_make_no_sense(self, n):
        with pytest.raises(refscore.SettingError, match="max_order"):
            ours.sentence_nist([["a"]], ["a"], n)


@st.composite
def sentence_pairs(draw):
    """Return texts and lists of words."""
    hypotheses, references = draw(strategies.text_corpora)
    return [draw(st.sampled_from([r[0], r[0].split()])) for r in references], [
        draw(st.sampled_from([h, h.split()])) for h in hypotheses
    ]


class TestChrf:
    @given(
        pair=sentence_pairs(),
        orders=st.lists(st.integers(1, 8), min_size=2, max_size=2).map(sorted),
        beta=st.sampled_from([3.0, 1, 0, 2.5, -2]),
        ignore_whitespace=st.booleans(),
    )
    @examples(300)
    def test_equal_to_nltk(self, pair, orders, beta, ignore_whitespace):
        references, hypotheses = pair
        args = (*orders, beta, ignore_whitespace)
        assert close(ours.corpus_chrf(*pair, *args), chrf_score.corpus_chrf(*pair, *args))
        for reference, hypothesis in zip(references, hypotheses, strict=True):
            theirs = chrf_score.sentence_chrf(reference, hypothesis, *args)
            assert close(ours.sentence_chrf(reference, hypothesis, *args), theirs)

    @given(
        corpus=st.one_of(strategies.word_corpora, strategies.text_corpora),
        n=st.integers(1, 5),
        beta=st.sampled_from([3.0, 1, 0, 0.5]),
        epsilon=st.sampled_from([1e-16, 0, 0.5]),
    )
    @examples(200)
    def test_parts(self, corpus, n, beta, epsilon):
        for hypothesis, references in zip(*corpus, strict=True):
            args = (references[0], hypothesis, n, beta, epsilon)
            mine = ours.chrf_precision_recall_fscore_support(*args)
            theirs = chrf_score.chrf_precision_recall_fscore_support(*args)
            assert list(map(type, mine)) == list(map(type, theirs))
            assert all(map(close, mine, theirs))

    def test_documented_calls(self):
        reference, hypothesis = GUIDE_REFERENCES[0], GUIDE
        for convert in (list, " ".join):
            assert math.floor(1e4 * ours.sentence_chrf(convert(reference), convert(hypothesis))) == 6349
            assert math.floor(1e4 * ours.sentence_chrf(convert(reference), convert(TROOPS))) == 3330
        assert math.floor(1e4 * ours.sentence_chrf(THE_THE[1][0], THE_THE[0])) == 1468
        assert math.floor(1e4 * ours.sentence_chrf(reference, hypothesis, min_len=2, max_len=3)) == 6617
        other, troops = GUIDE_REFERENCES[1], " ".join(TROOPS)
        corpus = [reference, other, reference, other], [hypothesis, troops, troops, hypothesis]
        assert math.floor(1e4 * ours.corpus_chrf(*corpus)) == 3910

    def test_errors_are_of_nltks_kinds(self):
        for library in (ours, chrf_score):
            with pytest.raises(ZeroDivisionError):
                library.corpus_chrf([], [])
            with pytest.raises(ZeroDivisionError):
                library.sentence_chrf("a", "a", min_len=3, max_len=2)
            with pytest.raises(AssertionError):
                library.corpus_chrf(["a"], ["a", "b"])
            with pytest.raises(TypeError):
                library.sentence_chrf([1, 2], "a")
            with pytest.raises(TypeError):
                library.sentence_chrf(None, "a")

    @pytest.mark.parametrize("options", [{"min_len": 0}, {"max_len": 2.5}, {"min_len": True}])
    def test_orders_that_make_no_sense(self, options):
        with pytest.raises(refscore.SettingError, match="must be a whole number"):
            ours.sentence_chrf("a", "a", **options)


METRICS = {"bleu": bleu_score, "gleu": gleu_score, "nist": nist_score, "ribes": ribes_score}


@pytest.mark.parametrize("metric", METRICS)
class TestSequences:
    @pytest.mark.parametrize(
        "make", [tuple, np.array, collections.deque, lambda tokens: np.array(tokens, dtype=object)]
    )
    def test_every_kind(self, metric, make):
        references, hypotheses = CORPUS
        made = [[make(reference) for reference in group] for group in references], [make(text) for text in hypotheses]
        expected = getattr(METRICS[metric], f"corpus_{metric}")(*CORPUS)
        for given_as in (made, (tuple(map(tuple, made[0])), tuple(made[1]))):
            assert close(getattr(ours, f"corpus_{metric}")(*given_as), expected)
        expected = getattr(METRICS[metric], f"sentence_{metric}")(references[0], hypotheses[0])
        assert close(getattr(ours, f"sentence_{metric}")(made[0][0], made[1][0]), expected)

    @pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint8, np.float32, bool, "S1"])
    def test_arrays(self, metric, kind):
        reference, hypothesis = np.array([1, 0, 1, 1, 0, 1]).astype(kind), np.array([1, 0, 1, 1, 1, 1]).astype(kind)
        batch = np.stack([hypothesis, reference])
        for level, arguments in (("sentence", ([reference], hypothesis)), ("corpus", (np.stack([batch] * 2), batch))):
            expected = getattr(METRICS[metric], f"{level}_{metric}")(*(np.array(part).tolist() for part in arguments))
            assert close(getattr(ours, f"{level}_{metric}")(*arguments), expected)


def test_errors_can_be_pickled():
    for kind in ("NothingToScoreError", "NotTokensError", "UnequalCountsError"):
        error = getattr(inputs, kind)(None, "message")
        assert str(pickle.loads(pickle.dumps(error))) == "message"
