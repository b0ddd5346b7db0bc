"""Rows and scores compared with the slow oracle: every setting, every kind of token, every difficult size."""

import itertools
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import bleu as oracle
from tests.reference import close
from tests.reference import tokenizers as oracle_tokenizers

REFERENCE_LENGTHS = ["closest", "closest-first", "shortest", "average"]
HAS_VALUE = sorted(oracle.DEFAULT_VALUES)


def make(setting, **others):
    return refscore.BLEU(**{"tokenizer": "none", **asdict(setting), **others})


def check(setting, hypotheses, references, expected_tokens=None, **others):
    """Compare rows exactly and scores to 1e-12. expected_tokens is the oracle's input, if it differs."""
    metric = make(setting, **others)
    seen_hypotheses, seen_references = expected_tokens or (hypotheses, references)
    expected = oracle.rows(setting, seen_hypotheses, seen_references)
    rows = metric.stats(hypotheses, references)
    assert tuple(metric.columns) == setting.columns
    assert rows.shape == (len(hypotheses), len(setting.columns))
    if setting.reference_length == "average":
        assert rows.dtype == np.float64
        assert np.allclose(rows, expected, rtol=1e-12, atol=0)
    else:
        assert rows.dtype == np.int64
        assert rows.tolist() == expected
    total = [sum(column) for column in zip(*expected, strict=True)]
    assert_same(metric.corpus(hypotheses, references), oracle.score(setting, total))
    for value, row in zip(metric.segments(hypotheses, references), expected, strict=True):
        assert close(value, oracle.score(setting, row).value)
        assert_same(metric.score(np.array(row, rows.dtype)), oracle.score(setting, row))


def assert_same(actual, expected):
    assert close(actual.value, expected.value)
    assert close(actual.brevity_penalty, expected.brevity_penalty)
    assert len(actual.precisions) == len(expected.precisions)
    assert all(close(p, q) for p, q in zip(actual.precisions, expected.precisions, strict=True))


@st.composite
def setting_strategy(draw):
    """Return any settings but nltk-6, which is only defined if a trigram matches."""
    max_order = draw(st.integers(1, 9))
    smoothing = draw(st.sampled_from([name for name in oracle.SMOOTHINGS if name != "nltk-6"]))
    weights = draw(st.none() | st.lists(st.integers(1, 9), min_size=max_order, max_size=max_order))
    return oracle.Settings(
        max_order=max_order,
        weights=weights and tuple(weight / sum(weights) for weight in weights),
        smoothing=smoothing,
        smoothing_value=draw(st.sampled_from([None, 0.25, 3])) if smoothing in HAS_VALUE else None,
        effective_order=draw(st.booleans()),
        reference_length=draw(st.sampled_from(REFERENCE_LENGTHS)),
        short_order=draw(st.sampled_from(["zero", "pad", "perfect"])),
        no_match=draw(st.sampled_from(["zero", "smooth", "zero-if-any"])),
    )


@given(setting=setting_strategy(), corpus=strategies.word_corpora)
@examples(550)
def test_every_combination(setting, corpus):
    check(setting, *corpus)


@pytest.mark.parametrize("smoothing", oracle.SMOOTHINGS)
@pytest.mark.parametrize("short_order", ["zero", "pad", "perfect"])
def test_every_smoothing_on_one_corpus(smoothing, short_order):
    """Includes nltk-6, which is only defined if a trigram matches."""
    hypotheses = [list("abcdxy"), list("abcq"), list("ab"), list("a")]
    references = [[list("abcexz"), list("bcd")], [list("abc")], [list("ab")], [list("ab")]]
    if smoothing == "nltk-6":
        hypotheses, references = hypotheses[:2], references[:2]
    for max_order in (3, 4, 7):
        check(
            oracle.Settings(max_order=max_order, smoothing=smoothing, short_order=short_order), hypotheses, references
        )


@pytest.mark.parametrize("name", oracle.PRESETS)
@given(corpus=strategies.word_corpora)
@examples(40)
def test_presets_on_tokens(name, corpus):
    metric = refscore.BLEU.preset(name)
    assert metric.stats(*corpus).tolist() == oracle.rows(oracle.PRESETS[name], *corpus)
    assert_same(metric.corpus(*corpus), oracle.corpus(oracle.PRESETS[name], *corpus))


@pytest.mark.parametrize("tokenizer", oracle_tokenizers.TOKENIZERS)
@given(
    corpus=strategies.text_corpora,
    lowercase=st.sampled_from([False, True, "ascii"]),
    normalize=st.sampled_from(["none", "NFC", "NFKC"]),
)
@examples(60)
def test_text(tokenizer, corpus, lowercase, normalize):
    hypotheses, references = corpus
    options = {"tokenizer": tokenizer, "lowercase": lowercase, "normalize": normalize}

    def prepare(text):
        return oracle_tokenizers.prepare(text, **options)

    tokens = [prepare(text) for text in hypotheses], [[prepare(text) for text in refs] for refs in references]
    check(oracle.Settings(), hypotheses, references, tokens, **options)


@pytest.mark.parametrize(("form", "matches"), [("none", 1), ("NFC", 2), ("NFKC", 3)])
def test_normalize(form, matches):
    metric = refscore.BLEU(tokenizer="none", normalize=form, max_order=1)
    assert metric.segment("same e\u0301 ﬁ", ["same é fi"]).counts == (matches,)


def test_settings_for_text_do_nothing_to_tokens():
    tokens = [["A.b", "&amp;", "e\u0301", "x y", "你好", ""]]
    for tokenizer in oracle_tokenizers.TOKENIZERS:
        metric = refscore.BLEU(tokenizer=tokenizer, lowercase=True, normalize="NFKC")
        changed = [[[token.lower() + "?" for token in tokens[0]]]]
        assert metric.corpus(tokens, [tokens]).value == 1.0
        assert metric.corpus(tokens, changed).counts == (0, 0, 0, 0)


@given(corpus=strategies.any_corpora, max_order=st.integers(1, 6))
@examples(200)
def test_tokens_of_any_kind(corpus, max_order):
    check(oracle.Settings(max_order=max_order), *corpus)


class Word(str):
    """A user's token type, equal to the plain string."""


@pytest.mark.parametrize(
    ("hypothesis", "reference", "matches"),
    [
        ([1, 2, 3], [1.0, 2.0, 3.5], 2),
        ([True, False], [1, 0], 2),
        ([1, "1"], ["1", b"1"], 1),
        ([-1, -2], [-2, -2], 1),
        ([0, 2**61 - 1], [2**61 - 1, 2**61 - 1], 1),
        ([2**53 + 1], [2.0**53], 0),
        ([2**53], [2.0**53], 1),
        ([2**64, 2**64 + 1, 10**40], [0, 1, 10**40], 1),
        ([-1, 2**63], [2**64 - 1, -(2**63)], 0),
        ([(1, 2), ("a",)], [(1.0, 2), ("b",)], 1),
        ([Word("a"), "b"], ["a", Word("b")], 2),
        ([None, ()], [(), None], 2),
        ([np.int64(1), np.int32(2), np.uint8(3)], [1, 2, 3.0], 3),
        ([np.uint64(2**64 - 1)], [-1], 0),
        ([np.str_("a"), "b"], ["a", np.str_("b")], 2),
        (["", " ", "a b"], ["", "a", "b"], 1),
        (["\ud800", "\udfff"], ["\ud800", "\ufffd"], 1),
        (["é"], ["e\u0301"], 0),
    ],
)
def test_equal_tokens_are_those_python_calls_equal(hypothesis, reference, matches):
    check(oracle.Settings(), [hypothesis], [[reference]])
    assert refscore.BLEU().segment(hypothesis, [reference]).counts[0] == matches


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_arrays_of_ids(dtype):
    hypothesis, reference = np.array([1, 2, 3, 4, 4], dtype), np.array([1, 2, 3, 5, 4], "int64")
    expected = oracle.row(oracle.Settings(), hypothesis.tolist(), [reference.tolist()])
    for refs in ([reference], [reference.tolist()], [tuple(reference.tolist())], [reference.astype(dtype)]):
        assert refscore.BLEU().stats([hypothesis], [refs]).tolist() == [expected]
    assert refscore.BLEU().stats([hypothesis[::-1][::-1]], [[reference[::1]]]).tolist() == [expected]


def test_large_unsigned_ids_do_not_wrap():
    top = np.array([2**64 - 1, 2**63], "uint64")
    assert refscore.BLEU(max_order=1).segment(top, [np.array([-1, -(2**63)])]).counts == (0,)
    assert refscore.BLEU(max_order=1).segment(top, [[2**64 - 1, 2**63]]).counts == (2,)


def test_strided_arrays():
    batch = np.arange(40).reshape(5, 8) % 7
    columns = [batch[:, i] for i in range(8)]
    check(oracle.Settings(), columns, [[column[::-1], column] for column in columns])


def test_padded_batches():
    batch = [[1, 2, 3, 4, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0], [5, 4, 3, 2, 1]]
    others = [[1, 2, 3, 0, 0], [1, 0, 0, 0, 0], [2, 0, 0, 0, 0], [5, 4, 3, 1, 1]]

    def drop(rows):
        return [[token for token in row if token != 0] for row in rows]

    expected = oracle.rows(oracle.Settings(), drop(batch), [[row] for row in drop(others)])
    padded = refscore.padded
    hypotheses, references = np.array(batch), np.array(others)
    metric = refscore.BLEU()
    assert metric.stats(padded(hypotheses, pad_id=0), padded(references, pad_id=0)).tolist() == expected
    lengths = [[len(row) for row in drop(rows)] for rows in (batch, others)]
    by_length = padded(hypotheses, lengths=lengths[0]), padded(references, lengths=lengths[1])
    assert metric.stats(*by_length).tolist() == expected

    several = np.stack([references, hypotheses], axis=1)
    expected = oracle.rows(oracle.Settings(), drop(batch), [drop(refs) for refs in several.tolist()])
    assert metric.stats(padded(hypotheses, pad_id=0), padded(several, pad_id=0)).tolist() == expected


def around(*sizes):
    return [size + step for size in sizes for step in (-1, 0, 1)]


LARGE = [pytest.param(size, marks=pytest.mark.slow) for size in around(128, 256, 512, 1024, 2048)]


@pytest.mark.parametrize("size", [*around(8, 16, 32, 64), *LARGE])
def test_around_the_sizes_where_algorithms_change(size):
    """The hypothesis, the longest reference, or all references together reach the size."""
    hypotheses, references = [], []
    for distinct, number in itertools.product((1, 2, 7, 10 * size), (1, 2, 3, 5)):
        cuts = [size * i // number for i in range(number + 1)]
        whole = strategies.random_tokens(number, size, distinct)
        parts = [whole[a:b] for a, b in itertools.pairwise(cuts)]
        hypotheses += [strategies.noisy_copy(1, whole), strategies.noisy_copy(2, parts[0]), whole, whole[: size // 2]]
        references += [parts, parts, [*parts[1:], whole], parts]
    for max_order in (1, 4, 6):
        check(oracle.Settings(max_order=max_order), hypotheses, references)


@pytest.mark.slow
@pytest.mark.parametrize("distinct", [1, 2, 50, 5000, 10**9])
def test_long_segments(distinct):
    reference = strategies.random_tokens(0, 5000, distinct)
    hypotheses = [strategies.noisy_copy(3, reference), reference, reference[::-1], reference[:10], []]
    others = strategies.random_tokens(1, 5000, distinct)
    for max_order in (4, 8):
        check(oracle.Settings(max_order=max_order), hypotheses, [[reference, others, reference[:100]]] * 5)


def test_long_text():
    reference = " ".join(f"w{token}," for token in strategies.random_tokens(0, 5000, 300))
    hypothesis = " ".join(f"w{token}," for token in strategies.random_tokens(1, 5000, 300)) + reference[:9000]
    tokens = [oracle_tokenizers.tokenize(hypothesis)], [[oracle_tokenizers.tokenize(reference)]]
    check(oracle.Settings(), [hypothesis], [[reference]], tokens, tokenizer="13a")


def test_many_references():
    references = [strategies.random_tokens(i, i % 40, 9) for i in range(300)]
    check(oracle.Settings(max_order=5), [strategies.random_tokens(500, 30, 9)], [references])


def test_many_segments_of_very_different_size():
    sizes = [0, 1, 2, 3000, 0, 5, 700, 1, 64, 65] * 2
    references = [[strategies.random_tokens(i, size, 30), list("ab")] for i, size in enumerate(sizes)]
    hypotheses = [strategies.noisy_copy(i, refs[0]) for i, refs in enumerate(references)]
    check(oracle.Settings(), hypotheses, references)


AWKWARD = [
    ([], [[]]),
    ([], [["a"]]),
    (["a"], [[]]),
    (["a"], [["a"]]),
    (["a"], [["b"]]),
    (["a", "a"], [["a"]]),
    (["a"] * 70, [["a"] * 3, ["a"] * 69, ["b"] * 70]),
    (["a", "b"] * 40, [["b", "a"] * 40, []]),
    (list("abc"), [list("ab"), list("abcd")]),
    (list("abc"), [list("abcd"), list("ab")]),
]


@pytest.mark.parametrize("name", oracle.PRESETS)
def test_awkward_segments(name):
    metric, setting = refscore.BLEU.preset(name), oracle.PRESETS[name]
    for segment in AWKWARD:
        assert_same(metric.segment(*segment), oracle.segment(setting, *segment))


@pytest.mark.parametrize("short_order", ["zero", "pad", "perfect"])
def test_orders_longer_than_the_segment(short_order):
    for max_order in (1, 2, 3, 5, 8, 12, 20):
        check(oracle.Settings(max_order=max_order, short_order=short_order), *zip(*AWKWARD, strict=True))


def test_an_empty_hypothesis_is_worth_nothing_under_any_setting():
    for smoothing, short_order in itertools.product(oracle.SMOOTHINGS, ["zero", "pad", "perfect"]):
        metric = refscore.BLEU(smoothing=smoothing, short_order=short_order, no_match="smooth", effective_order=True)
        assert metric.corpus(["", ""], [["a b"], [""]]).value == 0.0


def test_missing_references_are_dropped_and_empty_ones_are_not():
    rows = refscore.BLEU(tokenizer="none").stats(["a b", "a b"], [[None, "a c", None], ["a b c d e f", ""]])
    tokens = [["a", "b"]] * 2, [[["a", "c"]], [list("abcdef"), []]]
    assert rows.tolist() == oracle.rows(oracle.Settings(), *tokens)
