"""METEOR compared with the slow oracle: rows, matches and chunks, every kind of token."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import close
from tests.reference import meteor as oracle
from tests.reference import tokenizers as oracle_tokenizers

WEIGHTS = {"alpha": (0, 0.3, 0.9, 1), "beta": (0, 0.5, 3), "gamma": (0, 0.5, 1)}
setting_strategy = st.builds(oracle.Settings, **{name: st.sampled_from(values) for name, values in WEIGHTS.items()})

family = st.sampled_from(["cat", "cats", "catting", "dog", "dogs", "Dog", "the", "sky", "skies"])


def check(setting, hypotheses, references, seen=None, **others):
    """Compare rows, values, means and matches. `seen` is the oracle's input, if it differs."""
    metric = refscore.METEOR(alpha=setting.alpha, beta=setting.beta, gamma=setting.gamma, **others)
    seen = seen or (hypotheses, references)
    expected = [oracle.row(setting, *pair) for pair in zip(*seen, strict=True)]
    rows = metric.stats(hypotheses, references)
    assert tuple(metric.columns) == oracle.COLUMNS
    assert rows.dtype == np.float64
    assert rows.shape == (len(hypotheses), 6)
    for row, wanted in zip(rows.tolist(), expected, strict=True):
        assert all(map(close, row, wanted)), (row, wanted)
    assert all(map(close, metric.segments(hypotheses, references).tolist(), [row[0] for row in expected]))
    score = metric.corpus(hypotheses, references)
    shown = (score.value, score.precision, score.recall, score.f_mean, score.penalty)
    assert all(map(close, shown, oracle.means(expected)))
    assert score.segments == len(hypotheses)
    for given_pair, seen_pair in zip(zip(hypotheses, references, strict=True), zip(*seen, strict=True), strict=True):
        for reference, seen_reference in zip(given_pair[1], seen_pair[1], strict=True):
            matched = metric.alignment(given_pair[0], reference)
            assert [word.word for word in matched] == list(seen_pair[0])
            wanted = [place or (None, None) for place in oracle.match(seen_pair[0], seen_reference)]
            assert [(word.rank, word.stage) for word in matched] == wanted


@given(setting=setting_strategy, corpus=strategies.corpora(strategies.token_segment(family)))
@examples(300)
def test_every_combination(setting, corpus):
    check(setting, *corpus)


@given(setting=setting_strategy, corpus=strategies.id_corpora)
def test_ids(setting, corpus):
    hypotheses, references = corpus
    check(setting, hypotheses, references)
    arrays = [np.array(ids, "int32") for ids in hypotheses], [[np.array(ids, "int32") for ids in r] for r in references]
    metric = refscore.METEOR(alpha=setting.alpha, beta=setting.beta, gamma=setting.gamma)
    assert np.array_equal(metric.stats(*arrays), metric.stats(hypotheses, references))


others = st.sampled_from([token for token in strategies.AWKWARD_TOKENS if not isinstance(token, str)])


@given(corpus=strategies.corpora(strategies.token_segment(others)))
def test_tokens_that_are_no_strings_have_no_stems(corpus):
    check(oracle.Settings(), *corpus)


def split_at_a(text):
    return text.split("a")


@pytest.mark.parametrize("tokenizer", ["none", "13a", "intl", "zh", "char", split_at_a])
@given(corpus=strategies.text_corpora, lowercase=st.sampled_from([True, False, "ascii"]))
@examples(120)
def test_texts(tokenizer, lowercase, corpus):
    def tokens(text):
        text = oracle_tokenizers.prepare_text(text, lowercase=lowercase, normalize="none")
        return tokenizer(text) if callable(tokenizer) else oracle_tokenizers.tokenize(text, tokenizer)

    hypotheses, references = corpus
    seen = [tokens(text) for text in hypotheses], [[tokens(text) for text in refs] for refs in references]
    check(oracle.Settings(), hypotheses, references, seen, tokenizer=tokenizer, lowercase=lowercase)


SLOW_SIZES = [pytest.param(size, marks=pytest.mark.slow) for size in (130, 300)]


@pytest.mark.parametrize("size", [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, *SLOW_SIZES])
def test_every_size(size):
    """Use words of every length around 16 bytes, above which they are stored differently."""
    generator = random.Random(size)
    stems = ["x" * 13 + "ab", "y" * 14 + "ab", "z" * 15 + "ab", "ab" * 40, "ü" * 7 + "b", "ü" * 8 + "b", "cat", "do"]
    vocabulary = [stem + ending for stem in stems for ending in ("", "s", "ing", "ed", "ational")]
    hypotheses = [generator.choices(vocabulary, k=size) for _ in range(2)]
    references = [[generator.choices(vocabulary, k=size + extra) for extra in (0, 1)] for _ in range(2)]
    check(oracle.Settings(), hypotheses, references)


def test_many_references():
    generator = random.Random(1)
    vocabulary = ["cat", "cats", "dog", "dogs", "walked", "walking", "sky", "skies", "the"]
    references = [generator.choices(vocabulary, k=i % 20) for i in range(70)]
    check(oracle.Settings(), [generator.choices([*vocabulary, "walks"], k=25)], [references])
    check(oracle.Settings(), [["walks", "THE"]], [references])


def test_the_first_of_equally_good_references_counts():
    metric = refscore.METEOR(alpha=0.5, gamma=0)
    pairs = [["a", "x", "b", "y"], ["a", "b", "z", "z"]]
    assert (
        metric.stats([["a", "b", "c", "d"]], [pairs]).tolist()
        == metric.stats([["a", "b", "c", "d"]], [pairs[:1]]).tolist()
    )
    short = metric.segment(["a", "b"], [["a", "c"], ["a", "d"]])
    assert (short.precision, short.recall) == (0.5, 0.5)


@pytest.mark.parametrize("pair", [("cat", "cat"), ("cat", "cats"), ("cat", "dog")])
def test_a_hundred_thousand_equal_words(pair):
    size = 100_000
    hypothesis, reference = ([word] * size for word in pair)
    score = refscore.METEOR().segment(hypothesis, [reference])
    matched = 0 if pair[1] == "dog" else 1
    assert (score.precision, score.recall) == (matched, matched)
    assert score.value == pytest.approx(matched)


def test_threads_and_sizes_mixed():
    generator = random.Random(3)
    vocabulary = ["cat", "cats", "dog", "dogs", "Σας", "ΣΑΣ", "the"]
    hypotheses = [generator.choices(vocabulary, k=size) for size in (0, 1, 200, 2, 40) * 14]  # two blocks of 64
    references = [[generator.choices(vocabulary, k=len(words) + 1)] for words in hypotheses]
    expected = np.array([oracle.row(oracle.Settings(), *pair) for pair in zip(hypotheses, references, strict=True)])
    for threads in (1, 3, None):
        assert np.allclose(refscore.METEOR().stats(hypotheses, references, threads=threads), expected, 1e-12, 0)
