"""All pairs and aggregated references compared with fastchrf, the oracle, and refscore's segment scores."""

from dataclasses import replace

import fastchrf
import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from tests import strategies
from tests.examples import examples
from tests.originals.chrf import FASTCHRF, make, settings
from tests.reference import chrf as oracle, close
from tests.sacrebleu_options import chrf_settings

METRIC = refscore.CHRF()


@st.composite
def groups(draw, most=6):
    """Return texts for both sides, built from a few shared pieces."""
    vocabulary = st.sampled_from(draw(st.lists(strategies.fragments, min_size=1, max_size=6)))
    side = st.lists(strategies.lines(vocabulary), min_size=1, max_size=most)
    return draw(side), draw(side)


plain_groups = groups().map(lambda pair: tuple([FASTCHRF.clean(text) for text in side] for side in pair))


def same(ours, theirs):
    assert np.shape(ours) == np.shape(theirs)
    assert all(map(close, np.ravel(ours), np.ravel(theirs)))


@pytest.mark.parametrize("smooth", [False, True], ids=["effective", "epsilon"])
@given(
    batch=st.lists(plain_groups, min_size=1, max_size=3),
    order=st.integers(1, 8),
    beta=st.sampled_from([0.5, 1.0, 2.0, 3.0]),
    whitespace=st.booleans(),
)
@examples(120)
def test_equal_to_fastchrf(smooth, batch, order, beta, whitespace):
    hypotheses, references = ([pair[side] for pair in batch] for side in (0, 1))
    options = {"char_order": order, "beta": beta, "eps_smoothing": smooth}
    metric = refscore.CHRF(whitespace=whitespace, **chrf_settings(**options))
    theirs = fastchrf.pairwise_chrf(hypotheses, references, remove_whitespace=not whitespace, **options)
    for ours, matrix in zip(metric.pairwise(hypotheses, references), theirs, strict=True):
        same(100 * ours, matrix)
    theirs = fastchrf.aggregate_chrf(hypotheses, references, remove_whitespace=not whitespace, **options)
    for ours, values in zip(metric.aggregate(hypotheses, references), theirs, strict=True):
        same(100 * ours, values)


@given(setting=settings, pair=groups())
@examples(250)
def test_text(setting, pair):
    hypotheses, references = pair
    metric = make(setting)
    matrix = metric.pairwise(hypotheses, references)
    assert matrix.tolist() == [[metric.segment(text, one).value for one in references] for text in hypotheses]
    same(matrix, [[oracle.segment(setting, text, [one]) for one in references] for text in hypotheses])
    same(metric.aggregate(hypotheses, references), oracle.aggregate(setting, hypotheses, references))


@given(setting=settings, data=st.data(), kind=st.sampled_from(["words", "ids", "any"]))
@examples(100)
def test_tokens(setting, data, kind):
    # Tokens that are sequences would be read as a batch of groups.
    others = strategies.any_tokens.filter(lambda token: not isinstance(token, tuple))
    tokens = {"words": strategies.words, "ids": strategies.ids, "any": others}[kind]
    side = st.lists(st.lists(tokens, max_size=12), min_size=1, max_size=5)
    hypotheses, references = data.draw(side), data.draw(side)
    setting = replace(setting, word_order=0)
    metric = make(setting)
    expected = [[oracle.segment(setting, text, [one]) for one in references] for text in hypotheses]
    same(metric.pairwise(hypotheses, references, tokens=True), expected)
    same(metric.aggregate(hypotheses, references, tokens=True), oracle.aggregate(setting, hypotheses, references))


def variants(count, seed, length=60):
    generator = np.random.default_rng(seed)
    base = [chr(code) for code in generator.integers(0x61, 0x7B, length)]
    made = []
    for _ in range(count):
        chars = list(base)
        for _ in range(5):
            chars[generator.integers(length)] = chr(generator.choice([0x61, 0x20, 0x4E00, 0x1F600]))
        made.append("".join(chars))
    return made


@pytest.mark.parametrize(("left", "right"), [(1, 1), (1, 40), (40, 1), (20, 20), (100, 3)])
def test_sizes_of_groups(left, right):
    hypotheses, references = variants(left, 1), variants(right, 2)
    same(100 * METRIC.pairwise(hypotheses, references), fastchrf.pairwise_chrf([hypotheses], [references])[0])
    for options in ({"word_order": 2}, {"characters": "graphemes"}, {"char_order": 0, "word_order": 1}):
        metric = refscore.CHRF(**options)
        expected = [[metric.segment(text, one).value for one in references] for text in hypotheses]
        assert metric.pairwise(hypotheses, references).tolist() == expected


def test_many_ngrams():
    """Use more pairs of n-gram and character than the table holds, so a hash table is used."""
    generator = np.random.default_rng(5)

    def long_texts(count):
        texts = ["".join(map(chr, generator.integers(0x4E00, 0x4E00 + 1500, 900))) for _ in range(count)]
        return [text[:450] + other[450:] for text, other in zip(texts, texts[::-1], strict=True)] + texts

    hypotheses, references = long_texts(3), long_texts(2)
    references += [text[100:500] for text in hypotheses]
    expected = [[METRIC.segment(text, one).value for one in references] for text in hypotheses]
    for _ in range(2):  # with new memory, then with reused memory
        assert METRIC.pairwise(hypotheses, references).tolist() == expected
        assert METRIC.pairwise(["ab", "abc"], ["abd"]).shape == (2, 1)
    same(METRIC.aggregate(hypotheses, references), oracle.aggregate(oracle.Settings(), hypotheses, references))
    same(100 * METRIC.aggregate(hypotheses, references), fastchrf.aggregate_chrf([hypotheses], [references])[0])


def test_prepared_references():
    hypotheses, references = variants(6, 5), variants(4, 6)
    for metric in (METRIC, refscore.CHRF(word_order=2), refscore.CHRF(normalize="NFC", lowercase=True)):
        prepared = metric.prepare(references)
        assert np.array_equal(metric.aggregate(hypotheses, prepared), metric.aggregate(hypotheses, references))
    tokens = [list(text) for text in hypotheses], [list(text) for text in references]
    prepared = METRIC.prepare([[one] for one in tokens[1]])
    assert np.array_equal(METRIC.aggregate(tokens[0], prepared), METRIC.aggregate(*tokens, tokens=True))


def test_several_references_of_a_segment():
    """pairwise uses the best reference of each (test_common.py); their mean would differ."""
    with pytest.raises(refscore.InputError):
        METRIC.aggregate(["a"], METRIC.prepare([["a", "b"], ["c"]]))


def test_empty_groups():
    assert METRIC.aggregate([], ["a"]).shape == (0,)
    with pytest.raises(refscore.InputError):
        METRIC.aggregate(["a"], [])
    assert METRIC.aggregate(["", "a"], [""]).tolist() == [0, 0]
    same(METRIC.aggregate(["", "a"], ["", "a"]), oracle.aggregate(oracle.Settings(), ["", "a"], ["", "a"]))


@pytest.mark.parametrize(
    ("hypotheses", "references", "tokens"),
    [
        ("text", ["text"], False),
        (["text"], "text", False),
        (["text"], [["tokens"]], False),
        ([["a"], ["b"]], [["a"]], False),
        (["text"], [["tokens"]], True),
        ([None], ["text"], False),
        (["text"], [None], False),
    ],
)
def test_wrong_shapes(hypotheses, references, tokens):
    with pytest.raises(refscore.InputError):
        METRIC.aggregate(hypotheses, references, tokens=tokens)


def test_batches():
    hypotheses, references = [variants(2, 1), variants(3, 2)], [variants(4, 3), variants(1, 4)]
    found = METRIC.aggregate(hypotheses, references)
    assert [values.shape for values in found] == [(2,), (3,)]
    for values, group, group_references in zip(found, hypotheses, references, strict=True):
        assert np.array_equal(values, METRIC.aggregate(group, group_references))
    weights = [[4, 3, 0, 1], [2]]
    for values, *group in zip(
        METRIC.aggregate(hypotheses, references, weights=weights), hypotheses, references, weights, strict=True
    ):
        assert np.array_equal(values, METRIC.aggregate(*group[:2], weights=group[2]))
    ids = [[1, 2, 3], [4, 5]]
    assert METRIC.aggregate([ids, ids], [ids, ids[:1]])[1].tolist() == METRIC.aggregate(ids, ids[:1]).tolist()


@pytest.mark.parametrize("weights", [[[1]], [[1]] * 3, iter([[1], [1]]), "ab", [[1], [1, 2]]])
def test_wrong_weights_of_batches(weights):
    with pytest.raises(refscore.InputError) as caught:
        METRIC.aggregate([["a"], ["b"]], [["a"], ["b"]], weights=weights)
    assert caught.value.location.side == "weights"
