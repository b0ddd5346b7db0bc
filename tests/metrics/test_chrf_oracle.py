"""chrF compared with the oracle on inputs of other kinds and sizes than the shared corpora, and with NLTK's cases."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st
from nltk.translate.chrf_score import sentence_chrf

import refscore
from tests import strategies
from tests.differential import compare
from tests.examples import examples
from tests.originals.chrf import ORACLE, token_settings
from tests.reference import chrf as oracle, close


def check(hypotheses, references, setting=None, **settings):
    compare(ORACLE, hypotheses, references, setting=setting or oracle.Settings(**settings))


# Tokens, which count as characters


@given(setting=token_settings, corpus=strategies.id_corpora, dtype=st.sampled_from(["int32", "int64", "uint16"]))
@examples(80)
def test_arrays_of_ids(setting, corpus, dtype):
    hypotheses, references = corpus
    arrays = [np.array(h, dtype) for h in hypotheses], [[np.array(r, dtype) for r in refs] for refs in references]
    check(*arrays, setting)


def test_ids_beyond_the_first_plane_of_code_points():
    numbers = [0, 1, 0xFFFF, 0x10000, 0x110000, 2**31, 2**32, 2**32 + 1, 2**63 - 1, -1, -(2**63)]
    shuffled = [numbers[i * 7 % len(numbers)] for i in range(40)]
    check([numbers, shuffled], [[shuffled, numbers[::-1]], [shuffled[3:] + numbers]])


def test_padded_batches():
    batch = np.array([[1, 2, 3, 4, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0], [5, 4, 3, 2, 1]])
    others = np.array([[1, 2, 3, 0, 0], [1, 0, 0, 0, 0], [2, 0, 0, 0, 0], [0, 0, 0, 0, 0]])
    dropped = [[[token for token in row if token != 0] for row in rows] for rows in (batch.tolist(), others.tolist())]
    expected = oracle.rows(oracle.Settings(), dropped[0], [[row] for row in dropped[1]])
    sides = (refscore.inputs.padded(side, pad_id=0) for side in (batch, others))
    assert refscore.CHRF().stats(*sides).tolist() == expected


def test_settings_for_text_do_nothing_to_tokens():
    tokens = ["A", " ", "e\u0301", "x y", "你好", "", "Σ", "\n"]
    other = [token.upper() for token in tokens[::-1]]
    check([tokens], [[other, tokens[3:]]], lowercase=True, normalize="NFKC")
    check([tokens], [[other, tokens[3:]]], characters="graphemes")


# Sizes at which the kernel changes its algorithm: it counts in tables up to 65,535 characters and 2^20 entries


def noisy(seed, length, distinct):
    codes = strategies.random_tokens(seed, length, distinct)
    kept = [code for i, code in enumerate(codes) if i % 11]
    middle = len(kept) // 2
    return codes, [*kept[:middle], distinct, 0, *kept[middle:]]


@pytest.mark.parametrize("first", [0x21, 0x4E00, 0x20000], ids=["ASCII", "first plane", "beyond"])
@pytest.mark.parametrize(
    ("length", "distinct"),
    [
        *[(1000, 1), (1022, 5000), (1023, 5000), (1024, 5000)],
        *(
            pytest.param(*size, marks=pytest.mark.slow)
            for size in [(70_000, 1), (65_535, 15), (65_536, 15), (65_535, 16), (30_000, 20_000)]
        ),
    ],
)
def test_long_texts(first, length, distinct):
    codes, other = noisy(1, length, distinct)
    text, changed = ("".join(chr(first + code) for code in side) for side in (codes, other))
    # A short segment after a long one, whose state must not leak.
    check([changed, "abc", text, changed], [[text], ["abd"], [changed, text], [""]])


@pytest.mark.slow
@pytest.mark.parametrize(("length", "distinct"), [(66_000, 3), (70_000, 69_000), (1024, 900)])
def test_long_tokens(length, distinct):
    codes, other = noisy(2, length, distinct)
    check([other, [1, 2]], [[codes, other[5:]], [[2, 1]]], char_order=3)


@pytest.mark.slow
def test_long_texts_as_clusters():
    text = "e\u0301a👍🏽 " * 9000 + "\r\n" * 50
    check([text, text[1:]], [[text[7:]], [text]], characters="graphemes", char_order=2)


def test_orders_beyond_the_length():
    for smoothing, average in itertools.product(oracle.SMOOTHINGS, oracle.AVERAGES):
        settings = {"char_order": 70, "word_order": 40, "smoothing": smoothing, "average": average}
        check(["abc de", "a" * 71], [["abc df", "abd"], ["a" * 69]], **settings)


def test_the_first_of_equally_good_references():
    metric = refscore.CHRF(char_order=1)
    assert metric.stats(["ab"], [["ax", "bxx", "bx"]]).tolist() == [[2, 2, 1]]
    assert metric.stats(["ab"], [["xyz", "zz"]]).tolist() == [[2, 3, 0]]  # both score 0


# Differences to NLTK


def test_tokens_are_text_to_nltk():
    """NLTK joins tokens to a text; refscore treats tokens as characters."""
    hypothesis, reference = ["the", "cat", "sat"], ["the", "cat", "is"]
    expected = sentence_chrf(reference, hypothesis)
    assert close(refscore.CHRF.preset("nltk").segment(" ".join(hypothesis), " ".join(reference)).value, expected)
    assert refscore.CHRF.preset("nltk").segment(hypothesis, [reference]).value != pytest.approx(expected)


def test_separators_are_white_space_here():
    """Whitespace by str.split, as in sacrebleu; NLTK counts these four as characters."""
    metric = refscore.CHRF.preset("nltk")
    for separator in map(chr, range(0x1C, 0x20)):
        assert metric.segment("ab", f"a{separator}b").value == metric.segment("ab", "ab").value
        assert sentence_chrf(f"a{separator}b", "ab") < sentence_chrf("ab", "ab")


def test_best_of_several_references():
    """NLTK accepts one reference; with several, refscore uses the best score."""
    references = ["the cat", "a cat sat", "dogs"]
    expected = max(sentence_chrf(reference, "the cat sat") for reference in references)
    assert close(refscore.CHRF.preset("nltk").segment("the cat sat", references).value, expected)
