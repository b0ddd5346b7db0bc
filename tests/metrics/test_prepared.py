"""Prepared references: kinds of tokens, batches, and metrics they do not fit. test_originals.py has their numbers."""

import copy
from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest
from hypothesis import given

import refscore
from refscore.inputs import padded
from tests import strategies
from tests.examples import examples
from tests.locations import raises_at
from tests.reference import bleu as oracle

BLEU, CHRF = refscore.BLEU, refscore.CHRF
METRIC = BLEU(tokenizer="none")
METRICS = [
    *(BLEU(), CHRF(), refscore.GLEU(), refscore.METEOR(), refscore.WER(), refscore.CER(), refscore.TER()),
    *(refscore.RIBES(empty_reference="skip"), refscore.ROUGE(), refscore.ROUGE(variant="2"), refscore.ExactMatch()),
    *(refscore.TokenF1(), refscore.CharacTER(), refscore.EED()),
]


@given(corpus=strategies.id_corpora)
@examples(60)
def test_arrays_of_ids(corpus):
    hypotheses, references = corpus
    prepared = METRIC.prepare(references)
    rows = oracle.rows(oracle.Settings(), hypotheses, references)
    for dtype in ("int32", "uint8", ">i8"):
        arrays = [np.array(tokens, dtype) for tokens in hypotheses]
        assert METRIC.stats(arrays, prepared).tolist() == rows
        reference_arrays = [[np.array(tokens, dtype) for tokens in refs] for refs in references]
        assert METRIC.stats(hypotheses, METRIC.prepare(reference_arrays)).tolist() == rows
        assert METRIC.stats(arrays, METRIC.prepare(reference_arrays)).tolist() == rows


@pytest.mark.parametrize(
    ("references", "hypothesis"),
    [
        ([["a", None]], [0, 1]),
        ([["a", 1.5, ("b",)]], [2, 0, 1]),
        ([[None, "x"]], [0]),
        ([[2**64, "x"]], np.array([0, 1])),
        ([[2**64, 5]], [0, 5]),
        ([[1.0, None]], [True, 1]),
        ([["a"]], ["a", "b"]),
        ([[7]], [7, 8, 7]),
        ([[]], ["a"]),
        ([[]], [1]),
        ([[]], [None]),
        ([[], []], []),
        ([["a"]], []),
        ([[1]], []),
        ([["a", None]], []),
        ([[1]], [True]),
        ([[1]], [np.int64(1)]),
        ([["a"]], [np.str_("a")]),
        ([["a", None]], ["a", "\ud800"]),
        ([["\ud800"]], ["\ud800", "\udfff"]),
    ],
)
def test_tokens_of_other_types(references, hypothesis):
    expected = oracle.rows(oracle.Settings(), [list(hypothesis)], [references])
    assert METRIC.stats([hypothesis], METRIC.prepare([references])).tolist() == expected
    assert METRIC.stats([hypothesis, hypothesis], METRIC.prepare([references] * 2)).tolist() == expected * 2


def test_batches():
    hypotheses = np.array([[1, 2, 3, 4], [1, 1, 0, 0], [0, 0, 0, 0]])
    references = np.array([[[1, 2, 3, 0], [4, 3, 0, 0]], [[1, 0, 0, 0], [1, 1, 1, 1]], [[5, 0, 0, 0], [0, 0, 0, 0]]])
    for left in (
        hypotheses,
        padded(hypotheses, pad_id=0),
        padded(hypotheses, lengths=[4, 2, 0]),
    ):
        for right in (
            references,
            references[:, 0],
            padded(references, pad_id=0),
            padded(references, lengths=[[3, 2], [1, 4], [1, 0]]),
            references.tolist(),
        ):
            plain = METRIC.stats(left, right)
            assert np.array_equal(METRIC.stats(left, METRIC.prepare(right)), plain)
            listed = METRIC.stats(hypotheses.tolist(), METRIC.prepare(right))
            assert np.array_equal(listed, METRIC.stats(hypotheses.tolist(), right))


@pytest.mark.parametrize("item", [len, lambda word: (word, 1.5)], ids=["ids", "objects"])
def test_functions_as_tokenizers(item):
    """test_bleu_settings.py has functions that return strings."""
    metric = BLEU(tokenizer=lambda text: [item(word) for word in text.split()])
    hypotheses, references = ["a bb ccc", "", "dd a"], [["a bb", None, "ccc a"], "x", ["", "dd"]]
    assert metric.corpus(hypotheses, metric.prepare(references)) == metric.corpus(hypotheses, references)


@pytest.mark.parametrize(
    ("maker", "user"),
    [
        (METRIC, BLEU(tokenizer="none", max_order=7)),
        (METRIC, BLEU(tokenizer="none", smoothing="nltk-5")),
        (METRIC, BLEU(tokenizer="none", reference_length="average")),
        (METRIC, BLEU(tokenizer="none", short_order="pad", smoothing="floor-segments", max_order=1)),
        (CHRF(), CHRF(char_order=3, beta=1, smoothing="epsilon", average="macro")),
        (CHRF(word_order=1), CHRF(word_order=3, char_order=0)),
        (CHRF(characters="graphemes", whitespace=True), CHRF(characters="graphemes", whitespace=True, beta=0)),
        (CHRF(lowercase=True, normalize="NFKC"), CHRF(lowercase=True, normalize="NFKC", char_order=1)),
    ],
)
def test_any_metric_that_reads_alike_takes_them(maker, user):
    """Orders, beta and smoothing do not affect reading."""
    hypotheses, references = ["a b c d.", "x"], [["a b c e.", "a b"], ["x y z"]]
    prepared = maker.prepare(references)
    assert np.array_equal(user.stats(hypotheses, prepared), user.stats(hypotheses, references))
    assert user.pairwise(hypotheses, prepared).shape == (2, 2)


READINGS = [
    *(METRIC, BLEU(), BLEU(tokenizer="none", lowercase=True), BLEU(tokenizer="none", lowercase="ascii")),
    *(BLEU(tokenizer="none", normalize="NFC"), BLEU(tokenizer=str.split), BLEU(tokenizer="char")),
    *(BLEU(tokenizer="graphemes"), refscore.ROUGE(), refscore.ROUGE(stem=True), refscore.ROUGE(variant="Lsum")),
    *(CHRF(), CHRF(whitespace=True), CHRF(word_order=1), CHRF(word_order=1, whitespace=True)),
    *(CHRF(characters="graphemes"), CHRF(lowercase=True), CHRF(normalize="NFC")),
]


@pytest.mark.parametrize("maker", READINGS, ids=lambda metric: metric.signature)
def test_a_metric_that_reads_differently_refuses_them(maker):
    prepared = maker.prepare(["a b"])
    for user in READINGS:
        names = ["stats", "corpus", "segments", "pairwise", *["aggregate"] * isinstance(user, CHRF)]
        for name in names if user is not maker else ():
            with pytest.raises(refscore.InputError):
                getattr(user, name)(["a b"], prepared)
    if type(maker) is BLEU:  # text settings do not affect tokens
        assert METRIC.segment(["a", "b"], maker.prepare([[["a", "b"]]])).counts == (2, 1, 0, 0)


WORDS = [
    "a",
    "the",
    "Cat",
    "cats",
    "running",
    "ran",
    "über",
    "Ähnlich",
    "Σίγμα",
    "東京",
    "x" * 20,
    "don't",
    "1,000",
    ".",
]


def _texts(count, seed):
    """Return texts around the lengths at which kernels change: 64 tokens, and several machine words of characters."""
    random = Random(seed)
    lengths = [0, 1, 5, 26, 63, 64, 65, 70, 120]
    return [" ".join(random.choices(WORDS, k=lengths[i % len(lengths)])) for i in range(count)]


@pytest.mark.parametrize("metric", [*METRICS, CHRF(word_order=2), CHRF(char_order=9), BLEU(lowercase=True)], ids=repr)
@pytest.mark.parametrize("references", [1, 3])
def test_every_use_gives_the_numbers_of_a_plain_call(metric, references):
    """The first use reads the texts, and the second one analyses them, also in several threads."""
    hypotheses, others = _texts(72, 1), _texts(72, 2)
    mixed = [" ".join([*one.split()[::2], *other.split()]) for one, other in zip(hypotheses, others, strict=True)]
    targets = [[text, *_texts(references - 1, i)] for i, text in enumerate(mixed)] if references > 1 else mixed
    plain = metric.stats(hypotheses, targets, threads=1)
    for threads in (1, 2):
        prepared = metric.prepare(targets)
        for _ in range(3):
            assert np.array_equal(metric.stats(hypotheses, prepared, threads=threads), plain)
    shared = metric.prepare(targets)
    with ThreadPoolExecutor(4) as pool:
        for rows in pool.map(lambda _: metric.stats(hypotheses, shared, threads=1), range(8)):
            assert np.array_equal(rows, plain)


def test_preparing_changes_nothing_later():
    references = [["a b"], ["c"]]
    prepared = METRIC.prepare(references)
    expected = METRIC.stats(["a b", "c"], references).tolist()
    references[0][0] = "changed"
    references.clear()
    for _ in range(3):
        METRIC.stats(["new words here", "z"], prepared)
        assert METRIC.stats(["a b", "c"], prepared).tolist() == expected


def test_nothing_to_prepare():
    prepared = METRIC.prepare([])
    assert len(prepared) == 0
    assert METRIC.stats([], prepared).shape == (0, 10)
    assert METRIC.segments([], prepared).shape == (0,)
    with pytest.raises(refscore.InputError):
        METRIC.corpus([], prepared)


def test_other_text_settings_are_told_apart():
    prepared = refscore.ROUGE(stem=True).prepare(["a b"])
    with pytest.raises(refscore.InputError, match=r"stem:yes\|lines:no instead of .*stem:no\|lines:no"):
        refscore.ROUGE().corpus(["a b"], prepared)


@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        (["a"], [[["a"]]]),
        (["a"], [[[1]]]),
        ([["a"]], ["a"]),
        ([[1]], [["a"]]),
        (np.array([[1]]), ["a"]),
        (["a"], np.array([[1]])),
    ],
)
def test_text_against_tokens(hypotheses, references):
    prepared = METRIC.prepare(references)
    for method in (METRIC.stats, METRIC.corpus, METRIC.segments, METRIC.pairwise):
        with pytest.raises(refscore.InputError):
            method(hypotheses, prepared)


@pytest.mark.parametrize("hypotheses", ["a", [None], [5], [b"a"]])
def test_wrong_hypotheses(hypotheses):
    location = {"side": "hypotheses"} if hypotheses == "a" else {"side": "hypotheses", "segment": 0}
    for prepared in (METRIC.prepare(["a"]), METRIC.prepare([[["a"]]]), METRIC.prepare([[[1]]])):
        with raises_at(refscore.InputError, **location):
            METRIC.stats(hypotheses, prepared)


@pytest.mark.parametrize("hypotheses", [[], ["a"], ["a", "b", "c"], [["a"]], np.ones((3, 2), int)], ids=repr)
def test_wrong_length(hypotheses):
    prepared = METRIC.prepare(["a", "b"])
    for method in (METRIC.stats, METRIC.corpus, METRIC.segments):
        with pytest.raises(refscore.InputError, match=f"{len(hypotheses)} .* 2"):
            method(hypotheses, prepared)
    with pytest.raises(refscore.InputError, match="2"):
        METRIC.segment("a", prepared)


def test_unhashable_tokens_in_hypotheses():
    prepared = METRIC.prepare([[["a", None]]])
    for hypothesis in (["a", []], ["a", ([],)]):
        with raises_at(refscore.InputError, side="hypotheses", segment=0, token=1):
            METRIC.stats([hypothesis], prepared)


def test_copies():
    metric = refscore.BLEU()
    prepared = metric.prepare(["a b c d e", "b c"])
    assert metric.corpus(["a b c d e", "b"], copy.copy(prepared)) == metric.corpus(["a b c d e", "b"], prepared)
