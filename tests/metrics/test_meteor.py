"""METEOR: matches compared with NLTK and the definition, words of every length and case, settings and errors."""

import itertools
import random

import nltk.translate.meteor_score as original
import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore.metrics import sum_rows
from tests import strategies
from tests.corpora import IDS
from tests.differential import compare
from tests.examples import examples
from tests.locations import raises_at
from tests.originals.meteor import FAMILIES, OBJECTS, ORIGINALS, STEMMED, same
from tests.reference import close, meteor as oracle
from tests.wordnets import WITHOUT_SYNONYMS

METEOR = refscore.METEOR
NLTK, DEFINITION = ORIGINALS

# Matches


def check_matches(metric, hypothesis, reference):
    """Compare ranks and stages with the definition, and with NLTK's functions for words, which they lowercase."""
    matched = metric.alignment(hypothesis, reference)
    assert [word.word for word in matched] == list(hypothesis)
    expected = [place or (None, None) for place in oracle.match(hypothesis, reference)]
    assert [(word.rank, word.stage) for word in matched] == expected
    if all(isinstance(word, str) and word == word.lower() for word in [*hypothesis, *reference]):
        pairs = [(i, word.rank) for i, word in enumerate(matched) if word.rank is not None]
        assert pairs == original.align_words(hypothesis, reference, wordnet=WITHOUT_SYNONYMS)[0]
        exact = [(i, word.rank) for i, word in enumerate(matched) if word.stage == "exact"]
        assert exact == sorted(original.exact_match(hypothesis, reference)[0])


words = st.one_of(
    st.sampled_from(["cat", "cats", "walked", "walking", "walks"]),
    st.sampled_from(strategies.FRAGMENTS + strategies.SURROGATES + strategies.SEPARATORS),
    st.text(strategies.characters, max_size=5),
)
any_words = st.lists(words, min_size=1, max_size=5).flatmap(
    lambda few: strategies.corpora(strategies.token_segment(st.sampled_from(few), 15, 3))
)


@given(corpus=st.one_of(any_words, STEMMED.drawn, IDS.drawn, OBJECTS.drawn), lower=st.booleans())
@examples(300)
def test_matches(corpus, lower):
    def prepared(text):
        return [word.lower() if lower and isinstance(word, str) else word for word in text]

    for hypothesis, references in zip(*corpus, strict=True):
        for reference in references:
            check_matches(METEOR(), prepared(hypothesis), prepared(reference))


@given(corpus=any_words)
@examples(300)
def test_words_of_any_letters(corpus):
    compare(NLTK, *corpus)


def test_every_short_pair():
    """Use two words with one stem and one with a different stem."""
    sentences = [list(words) for size in range(4) for words in itertools.product(["cat", "cats", "dog"], repeat=size)]
    matrix = METEOR().pairwise(sentences, sentences, tokens=True)
    for (i, hypothesis), (j, reference) in itertools.product(enumerate(sentences), repeat=2):
        assert close(matrix[i, j], original.meteor_score([reference], hypothesis, wordnet=WITHOUT_SYNONYMS))
        check_matches(METEOR(), hypothesis, reference)


def test_case_of_every_letter():
    """Each beside its lowercase, in words that the stemmer changes: once as text, once as tokens."""
    letters = [chr(code) for code in range(0x80, 0x1F100) if chr(code).lower() != chr(code) or code % 997 == 0]
    for make in (lambda c: (f"b{c}zing", f"b{c.lower()}zed"), lambda c: (f"AA{c}", f"aa{c.lower()}")):
        pairs = [make(letter) for letter in letters if not letter.isspace()]
        expected = [original.meteor_score([[b]], [a], preprocess=same, wordnet=WITHOUT_SYNONYMS) for a, b in pairs]
        hypotheses, references = [word for word, _ in pairs], [other for _, other in pairs]
        found = METEOR(lowercase=False).segments(hypotheses, references)
        assert all(map(close, found.tolist(), expected))
        found = METEOR().segments([[word] for word in hypotheses], [[[other]] for other in references])
        assert all(map(close, found.tolist(), expected))


SLOW_SIZES = [pytest.param(size, marks=pytest.mark.slow) for size in (130, 300)]


@pytest.mark.parametrize("size", [0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, *SLOW_SIZES])
def test_every_size(size):
    """Use words of every length around 16 bytes, above which they are stored differently."""
    generator = random.Random(size)
    stems = ["x" * 13 + "ab", "y" * 14 + "ab", "z" * 15 + "ab", "ab" * 40, "ü" * 7 + "b", "ü" * 8 + "b", "cat", "do"]
    vocabulary = [stem + ending for stem in stems for ending in ("", "s", "ing", "ed", "ational")]
    hypotheses = [generator.choices(vocabulary, k=size) for _ in range(2)]
    references = [[generator.choices(vocabulary, k=size + extra) for extra in (0, 1)] for _ in range(2)]
    compare(DEFINITION, hypotheses, references)
    check_matches(METEOR(), hypotheses[0], references[0][0])


@pytest.mark.parametrize("size", [1000, pytest.param(5000, marks=pytest.mark.slow)])
def test_long_sentences(size):
    generator = random.Random(size)
    reference = generator.choices(FAMILIES, k=size)
    hypothesis = reference[size // 3 :] + generator.choices(FAMILIES, k=size // 3)
    compare(NLTK, [hypothesis, ["cat"] * size], [[reference], [["cats"] * size, ["cat"] * (size // 2)]])


def test_sums_of_threads_that_need_python():
    """If one thread finds a word that only Python can lowercase, the sums of the other threads do not count."""
    size = 20_000  # each segment is a piece for one thread
    hypotheses, references = [["ΟΔΟΣ"], *[["cat"] * size] * 4], [[["οδος"] * size], *[[["cat"] * size]] * 4]
    expected = sum_rows(METEOR().stats(hypotheses, references)).tolist()
    for threads in (1, 2, 7, 2, 7, 2, 7):
        assert METEOR().corpus(hypotheses, references, threads=threads).row.tolist() == expected


def test_many_references_and_segments_of_very_different_size():
    generator = random.Random(1)
    vocabulary = ["cat", "cats", "dog", "dogs", "walked", "walking", "sky", "skies", "the", "Σας", "ΣΑΣ"]
    references = [generator.choices(vocabulary, k=i % 20) for i in range(70)]
    compare(DEFINITION, [generator.choices([*vocabulary, "walks"], k=25), ["walks", "THE"]], [references] * 2)
    hypotheses = [generator.choices(vocabulary, k=size) for size in (0, 1, 200, 2, 40) * 14]  # two blocks of 64
    compare(DEFINITION, hypotheses, [[generator.choices(vocabulary, k=len(text) + 1)] for text in hypotheses])


@pytest.mark.parametrize("pair", [("cat", "cat"), ("cat", "cats"), ("cat", "dog")])
def test_a_hundred_thousand_equal_words(pair):
    hypothesis, reference = ([word] * 100_000 for word in pair)
    score = METEOR().segment(hypothesis, [reference])
    matched = 0 if pair[1] == "dog" else 1
    assert (score.precision, score.recall, score.value) == (matched, matched, pytest.approx(matched))


# Settings


def test_a_function_as_tokenizer():
    """Both tokens match, the first by its stem, and are one chunk."""
    metric = METEOR(tokenizer=lambda text: text.split(","))
    assert metric.segment("Big dogs,a", "big dog,A").value == 1 - 0.5 * (1 / 2) ** 3
    assert [word.stage for word in metric.alignment("Big dogs,a", "big dog,A")] == ["stem", "exact"]


def test_the_first_of_equally_good_references_counts():
    metric = METEOR(alpha=0.5, gamma=0)
    hypotheses, pairs = [["a", "b", "c", "d"]], [["a", "x", "b", "y"], ["a", "b", "z", "z"]]
    assert metric.stats(hypotheses, [pairs]).tolist() == metric.stats(hypotheses, [pairs[:1]]).tolist()


def test_signatures_and_scores_as_text():
    version = f"version:{refscore.__version__}"
    assert METEOR().signature == (f"meteor|case:lc|norm:none|tok:none|alpha:0.9|beta:3.0|gamma:0.5|syn:none|{version}")
    score = METEOR().corpus(["the cats sat", ""], [["the cat sat"], ["a"]])
    assert str(score) == (
        f"METEOR = {score.percent:.2f} (P = {score.precision:.3f} R = {score.recall:.3f} "
        f"F = {score.f_mean:.3f} penalty = {score.penalty:.3f} segments = 2)"
    )


# Tokens: all strings, or none


class Word(str):
    """A string type with custom equality."""

    __slots__ = ()

    def __eq__(self, other):
        return super().__eq__(other)

    def __hash__(self):
        return super().__hash__()


MIXED = {
    "within": ([["a", 1]], [[["a"]]]),
    "between": ([["cats"], [1]], [[["cat"]], [[1]]]),
    "sides": ([["a"]], [[[1.5]]]),
    "subclass": ([[Word("a")]], [[["a"]]]),
}


@pytest.mark.parametrize(("hypotheses", "references"), MIXED.values(), ids=MIXED)
def test_strings_among_other_tokens(hypotheses, references):
    """Otherwise, whether a string is stemmed would depend on the rest of the corpus."""
    metric = METEOR()
    singles = [entry[0] for entry in references]
    for call in (
        lambda: metric.stats(hypotheses, references),
        lambda: metric.corpus(hypotheses, references),
        lambda: metric.stats(hypotheses, metric.prepare(references)),
        lambda: metric.pairwise(hypotheses, singles, tokens=True),
    ):
        with pytest.raises(refscore.InputError, match=r"string|different tokens"):
            call()
    refscore.RIBES().stats(hypotheses, references)  # which does not inspect tokens


def test_the_place_of_a_string_among_other_tokens():
    with raises_at(refscore.InputError, side="references", segment=1, reference=0, token=2):
        METEOR().stats([[1], [1]], [[[1]], [[1, 2, "a"]]])
    with raises_at(refscore.InputError, side="hypothesis", token=1):
        METEOR().alignment([1, "a"], [1])


def test_strings_and_ids_of_numpy():
    words = np.array(["cats", "dog"])
    assert METEOR().segment(list(words), [["cat", "dogs"]]) == METEOR().segment(["cats", "dog"], [["cat", "dogs"]])
    ids = [[1, 2, 3], []], [[[1, 3], [3, 2]], [[1]]]
    arrays = [np.array(item, "int32") for item in ids[0]], [[np.array(item, "int32") for item in r] for r in ids[1]]
    assert np.array_equal(METEOR().stats(*arrays), METEOR().stats(*ids))


# Prepared references contain the words


def test_references_prepared_by_another_metric():
    hypotheses, references = ["the cats sat", "", "b a"], [["the cat sat", "cats"], ["a"], ["a b c"]]
    for metric, other in itertools.permutations((METEOR(), refscore.RIBES())):
        prepared = other.prepare(references)
        assert np.array_equal(metric.stats(hypotheses, prepared), metric.stats(hypotheses, references))


@pytest.mark.parametrize(
    ("references", "words"),
    [
        ([["the Cat", ""], "a"], [[["the", "cat"], []], [["a"]]]),
        ([[["a\ud800", "b" * 40, ""]]], [[["a\ud800", "b" * 40, ""]]]),
        ([[[1, -2, 2**62], []]], [[[1, -2, 2**62], []]]),
    ],
)
def test_words_of_prepared_references(references, words):
    native = METEOR().prepare(references).native
    assert [native.words(i) for i in range(len(native))] == words
    with pytest.raises(IndexError):
        native.words(len(native))


@pytest.mark.parametrize(
    ("name", "least", "most"), [("alpha", 0, 1), ("beta", 0, 1e9), ("gamma", 0, 1)], ids=["alpha", "beta", "gamma"]
)
def test_limits_of_weights(name, least, most):
    for allowed in (least, most):
        assert getattr(METEOR(**{name: allowed}), name) == allowed
    for wrong in (least - 0.5, *([most + 0.5] if most == 1 else [])):
        with pytest.raises(refscore.SettingError, match=name):
            METEOR(**{name: wrong})
