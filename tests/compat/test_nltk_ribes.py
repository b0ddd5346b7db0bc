"""The drop-in for NLTK's RIBES compared with NLTK, to 1e-12, and errors where NLTK's scores are meaningless."""

import collections
import random
from importlib import metadata

import nltk.translate.ribes_score as original
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from refscore.compat import nltk as ours
from refscore.compat.nltk import versions
from tests import strategies
from tests.compat.nltk_inputs import CORPUS, HISTORY, HISTORY_REFERENCE, corpora, words
from tests.examples import examples
from tests.reference import close

NEW, OLD = "3.10.4", "3.10.3"
WORDER = [7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]
ranks = st.lists(st.integers(-3, 12), max_size=12)


@given(corpus=corpora, exponents=st.sampled_from([(), (0.25, 0.1), (0, 0), (1, 2), (0.5,)]))
@examples(250)
def test_equal_to_nltk(corpus, exponents):
    hypotheses, references = corpus
    actual = ours.corpus_ribes(references, hypotheses, *exponents, version=NEW)
    assert close(actual, original.corpus_ribes(references, hypotheses, *exponents))
    assert type(actual) is float
    for refs, hypothesis in zip(references, hypotheses, strict=True):
        assert close(
            ours.sentence_ribes(refs, hypothesis, *exponents, version=NEW),
            original.sentence_ribes(refs, hypothesis, *exponents),
        )
        for reference in refs:
            assert ours.word_rank_alignment(reference, hypothesis) == original.word_rank_alignment(
                reference, hypothesis
            )


unhashable = st.sampled_from([["a"], ["b"], {"c": 1}, {1}, ("a", ["b"]), "a", 1, 1.0])


@given(strategies.corpora(strategies.token_segment(unhashable, max_size=9)))
def test_tokens_that_cannot_be_hashed(corpus):
    hypotheses, references = corpus
    assert close(ours.corpus_ribes(references, hypotheses), original.corpus_ribes(references, hypotheses))
    for hypothesis, group in zip(hypotheses, references, strict=True):
        assert close(ours.sentence_ribes(group, hypothesis), original.sentence_ribes(group, hypothesis))
        for reference in group:
            assert ours.word_rank_alignment(reference, hypothesis) == original.word_rank_alignment(
                reference, hypothesis
            )


def test_corpora_of_unequal_length():
    for library in (ours, original):
        with pytest.raises(ValueError, match="number of reference sets"):
            library.corpus_ribes([[["a"]]], [["a"], ["b"]])


@pytest.mark.parametrize("distinct", [1, 2, 5, 40])
def test_longer_segments(distinct):
    for seed in range(3):
        reference = strategies.random_tokens(seed, 40, distinct)
        shuffled = list(reference)
        random.Random(seed).shuffle(shuffled)
        for hypothesis in (strategies.noisy_copy(seed, reference), shuffled, reference[20:] + reference[:20]):
            expected = original.sentence_ribes([reference, hypothesis[:9]], hypothesis)
            assert close(ours.sentence_ribes([reference, hypothesis[:9]], hypothesis, version=NEW), expected)
            expected = original.word_rank_alignment(reference, hypothesis)
            assert ours.word_rank_alignment(reference, hypothesis) == expected


@given(worder=ranks, normalize=st.booleans())
@examples(200)
def test_helpers_equal_to_nltk(worder, normalize):
    assert ours.kendall_tau(worder, normalize, version=NEW) == original.kendall_tau(worder, normalize)
    assert list(ours.find_increasing_sequences(worder)) == list(original.find_increasing_sequences(worder))
    if len(worder) > 1:
        assert ours.spearman_rho(worder, normalize) == original.spearman_rho(worder, normalize)


@given(
    sentence=st.lists(st.sampled_from("ab"), max_size=14),
    begin=st.integers(0, 14),
    size=st.integers(0, 6),
    other=st.lists(st.sampled_from("abc"), max_size=4),
)
@examples(300)
def test_position_equal_to_nltk(sentence, begin, size, other):
    for ngram in (tuple(sentence[begin : begin + size]), tuple(other)):
        expected = original.position_of_ngram(ngram, sentence)
        assert ours.position_of_ngram(ngram, sentence) == expected
        assert ours.position_of_ngram(list(ngram), tuple(sentence)) == expected


def test_check_values():
    assert ours.word_rank_alignment(HISTORY_REFERENCE, HISTORY) == WORDER
    assert ours.word_rank_alignment(words("John hit Bob yesterday"), words("Bob hit John yesterday")) == [2, 1, 0, 3]
    boy = (words("the boy read the book"), words("the book was read by the boy"))
    assert (
        ours.word_rank_alignment(*boy, True) == ours.word_rank_alignment(*boy, character_based=False) == [3, 4, 2, 0, 1]
    )
    for version in (NEW, OLD):
        assert round(ours.kendall_tau(WORDER, version=version), 3) == 0.382
        assert round(ours.kendall_tau(WORDER, normalize=False, version=version), 3) == -0.236
    assert round(ours.spearman_rho(WORDER), 3) == 0.205
    assert round(ours.spearman_rho(WORDER, normalize=False), 3) == -0.591
    assert ours.spearman_rho([5, 9], False) == -88
    assert ours.word_rank_alignment(words("a x b"), words("a x c x b")) == [0, 1, 1, 2]
    assert ours.sentence_ribes([["c"] * 3], ["c"] * 3, version=NEW) == 0


@pytest.mark.parametrize(
    ("version", "value"),
    [
        ("3.10.4", 0.633),
        ("3.10.5", 0.633),
        ("3.11", 0.633),
        ("4.0.0rc1", 0.633),
        ("3.10.4.post1", 0.633),
        ("3.10.4+local", 0.633),
        ("3.10.4.1.dev2", 0.633),
        ("3.10.4rc1", 0.3597),
        ("3.10.4.dev0", 0.3597),
        ("3.10.3", 0.3597),
        ("3.10", 0.3597),
        ("3.9.1", 0.3597),
        ("3", 0.3597),
        ("v3.9b1", 0.3597),
    ],
)
def test_versions(version, value):
    assert round(ours.corpus_ribes(*CORPUS, version=version), 4) == value
    segments = [ours.sentence_ribes(*pair, version=version) for pair in zip(*CORPUS, strict=True)]
    assert round(sum(segments) / 2, 4) == value
    assert ours.kendall_tau([2, 1, 0, 3], version=version) == (0.5 if value == 0.633 else 0)
    assert ours.kendall_tau([5, 1, 2, 9, 3, 4], version=version) == (
        9 / 15 if value == 0.633 else (2 * 2 / 15 - 1 + 1) / 2
    )


def test_the_installed_version_is_followed(monkeypatch):
    assert metadata.version("nltk") == NEW
    assert ours.corpus_ribes(*CORPUS) == ours.corpus_ribes(*CORPUS, version=NEW)
    monkeypatch.setattr(versions, "_installed_version", lambda: OLD)
    assert ours.corpus_ribes(*CORPUS) == ours.corpus_ribes(*CORPUS, version=OLD)
    assert ours.kendall_tau([2, 1, 0, 3]) == 0


def test_without_nltk_the_newest_is_followed(monkeypatch):
    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert versions._installed_version.__wrapped__() == NEW


@pytest.mark.parametrize("version", ["", "new", "3.x", "3..9", 3.9, (3, 9), "3.9 or so", "٣.٩", "9" * 5000])
def test_versions_that_cannot_be_read(version):
    for call in (
        lambda: ours.corpus_ribes(*CORPUS, version=version),
        lambda: ours.sentence_ribes([], [], version=version),
        lambda: ours.kendall_tau([1], version=version),
    ):
        with pytest.raises(refscore.SettingError, match="version must be"):
            call()


def test_where_nothing_can_be_aligned():
    for version in (NEW, OLD):
        assert ours.sentence_ribes([], ["a"], version=version) == 0.0
        assert ours.sentence_ribes([["a"]], [], version=version) == 0.0
        assert ours.sentence_ribes([[]], ["a"], version=version) == 0.0
        assert ours.sentence_ribes([[], ["a", "b"]], ["a", "b"], version=version) == 1.0
        assert ours.corpus_ribes([], [], version=version) == 0.0
        assert ours.corpus_ribes([[["a", "b"]], []], [["a", "b"], ["a"]], version=version) == 0.5
    for references, hypotheses in [
        ([[]], [["a"]]),
        ([[[]], [["a"]]], [["a"], []]),
        ([[], [["a", "b"]]], [[], ["a", "b"]]),
    ]:
        assert ours.corpus_ribes(references, hypotheses) == original.corpus_ribes(references, hypotheses)
    assert ours.word_rank_alignment([], ["a"]) == ours.word_rank_alignment(["a"], []) == []


@pytest.mark.parametrize("worder", [[], [0], [3], (7,), np.array([1])])
def test_too_few_positions_have_the_lowest_correlation(worder):
    for version in (NEW, OLD):
        assert ours.kendall_tau(worder, version=version) == 0
        assert ours.kendall_tau(worder, False, version=version) == -1
    assert ours.spearman_rho(worder) == 0
    assert ours.spearman_rho(worder, normalize=False) == -1


def test_positions_of_all_kinds():
    for worder in ([0.5, 0.25, 3.5, 3.75], [2**70, -(2**80), 5, 2**70], (3, 1, 2)):
        assert ours.kendall_tau(worder, version=NEW) == original.kendall_tau(worder)
        assert ours.spearman_rho(worder) == original.spearman_rho(worder)
    large = np.array([2**30, 0, 2**31 - 1], dtype=np.int32)
    for worder in (large, list(large), tuple(large)):
        assert ours.kendall_tau(worder, version=NEW) == original.kendall_tau(large.tolist())
        assert ours.spearman_rho(worder) == original.spearman_rho(large.tolist())
        assert ours.kendall_tau(worder, version=OLD) == 0


@pytest.mark.parametrize("make", [tuple, np.array, collections.deque, lambda tokens: np.array(tokens, object)])
def test_helpers_accept_every_kind_of_sequence(make):
    expected = original.word_rank_alignment(HISTORY_REFERENCE, HISTORY)
    assert ours.word_rank_alignment(make(HISTORY_REFERENCE), make(HISTORY)) == expected
    assert ours.position_of_ngram(make(["the", "book"]), make(HISTORY)) == 2


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "x", None, [0.25]])
def test_exponents_that_cannot_be(value):
    for options in ({"alpha": value}, {"beta": value}):
        with pytest.raises(refscore.SettingError):
            ours.sentence_ribes([["a"]], ["a"], **options)
        with pytest.raises(refscore.SettingError):
            ours.corpus_ribes([], [], **options)


@pytest.mark.slow
def test_no_length_is_too_long():
    tokens = ["a"] * 100_000
    assert ours.word_rank_alignment(tokens, tokens) == original.word_rank_alignment(["a"] * 9, ["a"] * 9) == [0]
    assert ours.word_rank_alignment(tokens, tokens[1:]) == original.word_rank_alignment(["a"] * 9, ["a"] * 8) == []
    assert ours.sentence_ribes([tokens], tokens, version=NEW) == 0.0
    assert ours.position_of_ngram((*tokens[:50_000], "b"), tokens) is None
    assert ours.position_of_ngram(tuple(tokens[:50_000]), tokens) == 0
    long = list(range(100_000))
    assert ours.sentence_ribes([long], long[::-1], version=NEW) == 0.0
    for version in (NEW, OLD):
        assert ours.kendall_tau(long, version=version) == 1.0
    assert ours.spearman_rho(long) == 1.0
    assert list(ours.find_increasing_sequences(long)) == [tuple(long)]
