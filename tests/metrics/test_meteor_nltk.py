"""METEOR compared with NLTK 3.10.4, without synonyms, by an empty WordNet."""

import itertools
import random

import nltk.translate.meteor_score as original
import pytest
from hypothesis import given
from hypothesis import strategies as st

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import close
from tests.wordnets import WITHOUT_SYNONYMS

STEMS = ["walk", "relat", "happ", "agre", "hop", "sk", "di", "formal", "cat", "naïv", "straß", "日本", "é", "y", "👍"]
ENDINGS = ["", "s", "ed", "ing", "ies", "ied", "ational", "y", "i", "e", "er", "ness", "fulness", "ization", "ll"]
OTHERS = ["the", "The", "THE", ".", ",", "'s", "İs", "ΟΔΟΣ", "οδος", "ΣΑΣ", "ẞ", "\u212aing", "𐐀ing", "𐐨ing", "", " "]


def sentence(generator, longest, words):
    return generator.choices(words, k=generator.randrange(longest + 1))


def corpus(seed, size, longest):
    """Return segments of few distinct words, so words repeat and share stems."""
    generator = random.Random(seed)
    every = [stem + ending for stem in STEMS for ending in ENDINGS] + OTHERS * 4
    hypotheses, references = [], []
    for _ in range(size):
        words = generator.sample(every, generator.randint(1, 12))
        words += [stem + generator.choice(ENDINGS) for stem in generator.choices(STEMS[:4], k=4)]
        hypotheses.append(sentence(generator, longest, words))
        references.append([sentence(generator, longest, words) for _ in range(generator.randint(1, 3))])
    return hypotheses, references


def same(text):
    return text


def theirs(hypothesis, references, preprocess, **weights):
    return original.meteor_score(references, hypothesis, preprocess=preprocess, wordnet=WITHOUT_SYNONYMS, **weights)


def check(hypotheses, references, **weights):
    """Compare with NLTK. Tokens keep their case, which NLTK lowercases by default."""
    metric = refscore.METEOR(**weights)
    expected = [theirs(h, refs, same, **weights) for h, refs in zip(hypotheses, references, strict=True)]
    assert all(map(close, metric.segments(hypotheses, references).tolist(), expected))
    assert close(metric.corpus(hypotheses, references).value, sum(expected) / len(expected))
    lowered = [list(map(str.lower, words)) for words in hypotheses]
    lowered_references = [[list(map(str.lower, words)) for words in refs] for refs in references]
    expected = [theirs(h, refs, str.lower, **weights) for h, refs in zip(hypotheses, references, strict=True)]
    assert all(map(close, metric.segments(lowered, lowered_references).tolist(), expected))
    for hypothesis, refs in zip(hypotheses, references, strict=True):
        for reference in refs:
            check_alignment(metric, hypothesis, reference)


def check_alignment(metric, hypothesis, reference):
    """Compare stage by stage with NLTK's functions, which lowercase."""
    words = metric.alignment([word.lower() for word in hypothesis], [word.lower() for word in reference])
    found = [(i, word.rank) for i, word in enumerate(words) if word.rank is not None]
    assert found == original.align_words(hypothesis, reference, wordnet=WITHOUT_SYNONYMS)[0]
    exact = [(i, word.rank) for i, word in enumerate(words) if word.stage == "exact"]
    assert exact == sorted(original.exact_match(hypothesis, reference)[0])


@pytest.mark.parametrize(("seed", "size", "longest"), [(1, 1500, 8), (2, 600, 25), (3, 60, 120)])
def test_generated_sentences(seed, size, longest):
    check(*corpus(seed, examples(size).max_examples, longest))


@pytest.mark.parametrize("alpha", [0, 0.5, 0.9, 1])
@pytest.mark.parametrize(("beta", "gamma"), [(0, 0.5), (3, 0), (0.2, 1), (7.5, 0.3)])
def test_weights(alpha, beta, gamma):
    check(*corpus(4, examples(80).max_examples, 12), alpha=alpha, beta=beta, gamma=gamma)


def test_every_short_pair():
    """Use two words with one stem and one with a different stem."""
    sentences = [list(words) for size in range(4) for words in itertools.product(["cat", "cats", "dog"], repeat=size)]
    metric = refscore.METEOR()
    matrix = metric.pairwise(sentences, sentences, tokens=True)
    for i, hypothesis in enumerate(sentences):
        for j, reference in enumerate(sentences):
            assert close(matrix[i, j], theirs(hypothesis, [reference], str.lower)), (hypothesis, reference)
            check_alignment(metric, hypothesis, reference)


words = st.one_of(
    st.sampled_from([*OTHERS, "cat", "cats", "walked", "walking", "walks"]),
    st.sampled_from(strategies.FRAGMENTS + strategies.SURROGATES + strategies.SEPARATORS),
    st.text(strategies.characters, max_size=5),
)


@st.composite
def segments(draw):
    few = st.sampled_from(draw(st.lists(words, min_size=1, max_size=5)))
    sentences = st.lists(few, max_size=15)
    return draw(sentences), draw(st.lists(sentences, min_size=1, max_size=3))


@given(corpus=strategies.corpora(segments()))
@examples(300)
def test_drawn_sentences(corpus):
    check(*corpus)


@given(corpus=strategies.text_corpora)
@examples(200)
def test_drawn_texts(corpus):
    """Text is split at whitespace and lowercased, like words in NLTK."""
    hypotheses, references = corpus
    for lowercase, preprocess in ((True, str.lower), (False, same)):
        metric = refscore.METEOR(lowercase=lowercase)
        expected = [
            theirs(hypothesis.split(), [text.split() for text in refs], preprocess)
            for hypothesis, refs in zip(hypotheses, references, strict=True)
        ]
        assert all(map(close, metric.segments(hypotheses, references).tolist(), expected))
        assert all(map(close, metric.segments(hypotheses, metric.prepare(references)).tolist(), expected))


def test_case_of_every_letter():
    """Each beside its lowercase, in words that the stemmer changes: once as text, once as tokens."""
    letters = [chr(code) for code in range(0x80, 0x1F100) if chr(code).lower() != chr(code) or code % 997 == 0]
    for make in (lambda c: (f"b{c}zing", f"b{c.lower()}zed"), lambda c: (f"AA{c}", f"aa{c.lower()}")):
        pairs = [make(letter) for letter in letters if not letter.isspace()]
        expected = [theirs([word], [[other]], same) for word, other in pairs]
        hypotheses, references = [word for word, _ in pairs], [other for _, other in pairs]
        found = refscore.METEOR(lowercase=False).segments(hypotheses, references)
        assert all(map(close, found.tolist(), expected))
        found = refscore.METEOR().segments([[word] for word in hypotheses], [[[other]] for other in references])
        assert all(map(close, found.tolist(), expected))


def test_empty_sides():
    metric = refscore.METEOR()
    for hypothesis, reference in [([], []), ([], ["a"]), (["a"], []), (["a"], ["b"]), (["a"], ["a"])]:
        assert metric.segment(hypothesis, [reference]).value == theirs(hypothesis, [reference], same)


@pytest.mark.parametrize("size", [1000, pytest.param(5000, marks=pytest.mark.slow)])
def test_long_sentences(size):
    generator = random.Random(size)
    vocabulary = [stem + ending for stem in STEMS for ending in ENDINGS]
    reference = generator.choices(vocabulary, k=size)
    hypothesis = reference[size // 3 :] + generator.choices(vocabulary, k=size // 3)
    check([hypothesis, ["cat"] * size], [[reference], [["cats"] * size, ["cat"] * (size // 2)]])
