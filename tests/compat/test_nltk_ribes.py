"""The drop-in for NLTK's RIBES compared with NLTK, to 1e-12, and values where NLTK has none."""

import collections
from importlib import metadata

import nltk.translate.ribes_score as original
import numpy as np
import pytest
from hypothesis import given, strategies as st

from refscore.compat import nltk as ours
from refscore.compat.nltk import versions
from tests import strategies
from tests.compat.nltk_inputs import CORPUS, HISTORY, HISTORY_REFERENCE, check, corpora, words
from tests.examples import examples

NEW, OLD = "3.10.4", "3.10.3"
unhashable = st.sampled_from([["a"], ["b"], {"c": 1}, {1}, ("a", ["b"]), "a", 1, 1.0])


@given(
    corpus=st.one_of(corpora, corpora, strategies.corpora(strategies.token_segment(unhashable, max_size=9))),
    exponents=st.sampled_from([(), (0.25, 0.1), (0, 0), (1, 2), (0.5,)]),
)
@examples(350)
def test_scores(corpus, exponents):
    hypotheses, references = corpus
    check("corpus_ribes", references, hypotheses, *exponents)
    for refs, hypothesis in zip(references, hypotheses, strict=True):
        check("sentence_ribes", refs, hypothesis, *exponents)
        for reference in refs:
            check("word_rank_alignment", reference, hypothesis)


@given(worder=st.lists(st.integers(-3, 12), max_size=12), normalize=st.booleans())
@examples(200)
def test_helpers(worder, normalize):
    check("kendall_tau", worder, normalize)
    assert list(ours.find_increasing_sequences(worder)) == list(original.find_increasing_sequences(worder))
    check("spearman_rho", worder, normalize)


@given(
    sentence=st.lists(st.sampled_from("ab"), max_size=14),
    begin=st.integers(0, 14),
    size=st.integers(0, 6),
    other=st.lists(st.sampled_from("abc"), max_size=4),
)
@examples(300)
def test_positions(sentence, begin, size, other):
    for ngram in (tuple(sentence[begin : begin + size]), tuple(other)):
        check("position_of_ngram", ngram, sentence)
        assert ours.position_of_ngram(list(ngram), tuple(sentence)) == original.position_of_ngram(ngram, sentence)


def test_alignments_of_characters():
    boy = (words("the boy read the book"), words("the book was read by the boy"))
    check("word_rank_alignment", *boy, True)
    check("word_rank_alignment", *boy, character_based=False)


AFTER = ["3.10.4", "3.10.5", "3.11", "4.0.0rc1", "3.10.4.post1", "3.10.4+local", "3.10.4.1.dev2"]
BEFORE = ["3.10.4rc1", "3.10.4.dev0", "3.10.3", "3.10", "3.9.1", "3", "v3.9b1"]


@pytest.mark.parametrize("version", AFTER + BEFORE)
def test_versions(version):
    value = 0.633 if version in AFTER else 0.3597
    assert round(ours.corpus_ribes(*CORPUS, version=version), 4) == value
    segments = [ours.sentence_ribes(*pair, version=version) for pair in zip(*CORPUS, strict=True)]
    assert round(sum(segments) / 2, 4) == value
    assert ours.kendall_tau([2, 1, 0, 3], version=version) == (0.5 if version in AFTER else 0)
    expected = 9 / 15 if version in AFTER else (2 * 2 / 15 - 1 + 1) / 2
    assert ours.kendall_tau([5, 1, 2, 9, 3, 4], version=version) == expected


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


@pytest.mark.parametrize("version", [NEW, OLD])
def test_where_nothing_can_be_aligned(version):
    for references, hypothesis, value in [
        ([], ["a"], 0.0),
        ([["a"]], [], 0.0),
        ([[]], ["a"], 0.0),
        ([[], ["a", "b"]], ["a", "b"], 1.0),
    ]:
        assert ours.sentence_ribes(references, hypothesis, version=version) == value
    assert ours.corpus_ribes([], [], version=version) == 0.0
    assert ours.corpus_ribes([[["a", "b"]], []], [["a", "b"], ["a"]], version=version) == 0.5
    for worder in ([], [0], (7,), np.array([1])):
        assert ours.kendall_tau(worder, version=version) == 0
        assert ours.kendall_tau(worder, False, version=version) == -1
        if not isinstance(worder, np.ndarray):  # NumPy divides by 0 with a warning
            check("spearman_rho", worder)


def test_positions_of_all_kinds():
    large = np.array([2**30, 0, 2**31 - 1], dtype=np.int32)
    for worder in ([0.5, 0.25, 3.5, 3.75], [2**70, -(2**80), 5, 2**70], (3, 1, 2), large, list(large), tuple(large)):
        plain = np.array(worder).tolist() if isinstance(worder[0], np.integer) else worder
        assert ours.kendall_tau(worder, version=NEW) == original.kendall_tau(plain)
        assert ours.spearman_rho(worder) == original.spearman_rho(plain)
    assert ours.kendall_tau(large, version=OLD) == 0


@pytest.mark.parametrize("make", [tuple, np.array, collections.deque, lambda tokens: np.array(tokens, object)])
def test_helpers_accept_every_kind_of_sequence(make):
    expected = original.word_rank_alignment(HISTORY_REFERENCE, HISTORY)
    assert ours.word_rank_alignment(make(HISTORY_REFERENCE), make(HISTORY)) == expected
    assert ours.position_of_ngram(make(["the", "book"]), make(HISTORY)) == 2


@pytest.mark.slow
def test_no_length_is_too_long():
    tokens = ["a"] * 100_000
    assert ours.word_rank_alignment(tokens, tokens) == original.word_rank_alignment(["a"] * 9, ["a"] * 9) == [0]
    assert ours.word_rank_alignment(tokens, tokens[1:]) == original.word_rank_alignment(["a"] * 9, ["a"] * 8) == []
    assert ours.sentence_ribes([tokens], tokens) == 0.0
    assert ours.position_of_ngram((*tokens[:50_000], "b"), tokens) is None
    assert ours.position_of_ngram(tuple(tokens[:50_000]), tokens) == 0
    long = list(range(100_000))
    assert ours.sentence_ribes([long], long[::-1]) == 0.0
    assert [ours.kendall_tau(long, version=version) for version in (NEW, OLD)] == [1.0, 1.0]
    assert ours.spearman_rho(long) == 1.0
    assert list(ours.find_increasing_sequences(long)) == [tuple(long)]
