"""The preset `sacrebleu` compared with sacrebleu, with all options."""

import itertools

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

import refscore
from tests import strategies
from tests.examples import examples
from tests.metrics.test_bleu_sacrebleu import CORPUS as BLEU_CORPUS
from tests.metrics.test_bleu_sacrebleu import streams
from tests.reference import close
from tests.sacrebleu_options import chrf_settings


def check(hypotheses, references, **options):
    """Compare the corpus, every single segment, all segments at once, and the statistics."""
    original = sacrebleu.CHRF(**options)
    metric = refscore.CHRF.preset("sacrebleu", **chrf_settings(**options))
    score = metric.corpus(hypotheses, references)
    theirs = original.corpus_score(hypotheses, streams(references))
    assert close(score.percent, theirs.score)
    if isinstance(original.beta, int):
        assert str(score).startswith(f"{theirs.name} = ")
    expected = [original.sentence_score(*pair).score for pair in zip(hypotheses, references, strict=True)]
    for hypothesis, refs, percent in zip(hypotheses, references, expected, strict=True):
        assert close(metric.segment(hypothesis, refs).percent, percent)
    values = metric.segments(hypotheses, references)
    assert all(close(value * 100, percent) for value, percent in zip(values, expected, strict=True))
    rows = original._extract_corpus_statistics(hypotheses, streams(references))
    assert metric.stats(hypotheses, references).tolist() == [list(map(int, row)) for row in rows]


@given(
    corpus=strategies.text_corpora,
    char_order=st.integers(1, 8),
    word_order=st.integers(0, 3),
    beta=st.integers(0, 4),
    lowercase=st.booleans(),
    whitespace=st.booleans(),
    eps_smoothing=st.booleans(),
)
@examples(300)
def test_equal_to_sacrebleu(corpus, **options):
    check(*corpus, **options)


@given(corpus=strategies.text_corpora, word_order=st.integers(1, 4), eps_smoothing=st.booleans())
@examples(60)
def test_words_alone(corpus, **options):
    check(*corpus, char_order=0, **options)


CORPUS = (
    [*BLEU_CORPUS[0], "ΟΔΟΣ İstanbul \ud83d \x00 𐐀", "a\x1cb\x85c\u2028d\u3000e\u200bf", "x"],
    [
        *BLEU_CORPUS[1],
        ["οδος i̇stanbul \ud83d\x00 𐐨", "ΟΔΟς ISTANBUL"],
        ["a b c d e f", "abcdef"],
        [""],
    ],
)


def test_every_combination_on_one_corpus():
    names = ("char_order", "word_order", "beta", "lowercase", "whitespace", "eps_smoothing")
    choices = ((1, 6, 40), (0, 2), (0, 2), (False, True), (False, True), (False, True))
    for values in itertools.product(*choices):
        check(*CORPUS, **dict(zip(names, values, strict=True)))


def test_functions():
    hypotheses, references = CORPUS
    theirs = sacrebleu.corpus_chrf(hypotheses, streams(references)).score
    assert close(refscore.chrf(hypotheses, references).percent, theirs)
    assert close(refscore.chrf(hypotheses, refscore.from_streams(streams(references))).percent, theirs)
    plus = refscore.CHRF.preset("chrf++").segments(hypotheses, references)
    for hypothesis, refs, value in zip(hypotheses, references, plus, strict=True):
        assert close(100 * value, sacrebleu.sentence_chrf(hypothesis, refs, word_order=2).score)


def test_fractional_beta():
    for beta in (0.5, 10.25, 1e-9, 1e9):
        for eps_smoothing in (False, True):
            check(*CORPUS, beta=beta, word_order=1, eps_smoothing=eps_smoothing)


@pytest.mark.slow
@pytest.mark.parametrize("word_order", [0, 2])
def test_long_texts(word_order):
    line = "The quick brown fox, it says, jumps over 12.5 lazy dogs… 你好，世界！ "
    hypothesis, reference = line * 1200, (line[:40] + "x" + line[40:]) * 1100
    check([hypothesis, "short"], [[reference, hypothesis[5:]], ["a short one"]], word_order=word_order)
