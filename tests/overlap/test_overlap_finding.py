"""Exact overlaps, compared with sets of n-grams in Python."""

import random

import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore import overlap
from tests import strategies
from tests.reference import overlap as oracle

AWKWARD = [
    "",
    " ",
    "one",
    "a a a a a a a a a a",
    "a b a b a b a b a b a b a b",
    "the quick brown fox jumps over the lazy dog",
    "The quick, brown fox JUMPS over the lazy dog.",
    "👍🏽 👩‍👩‍👧‍👦 👍🏽 e\u0301 é 🇩🇪",
    "你好世界你好世界",
    "שלום مرحبا שלום مرحبا",
    "\ud800 a \udfff b \ud800",
    "a\0 b\0 a\0\0 \0",
    "ΣΟΦΟΣ İstanbul ΣΟΦΟΣ straße",
    "incomprehensibilities counterrevolutionaries incomprehensibilities",
]


@st.composite
def both_sides(draw):
    """Segments and documents of a few shared pieces, so n-grams match."""
    line = strategies.lines(st.sampled_from(draw(st.lists(strategies.fragments, min_size=1, max_size=4))))
    segments = draw(st.lists(line, max_size=6))
    return segments, draw(st.lists(st.one_of(line, st.sampled_from(segments or [""])), max_size=6))


@given(
    both_sides(),
    st.integers(1, 6),
    st.one_of(st.none(), st.integers(1, 3)),
    st.fixed_dictionaries(strategies.text_settings),
)
def test_counts_are_those_of_sets(sides, order, max_documents, settings):
    segments, corpus = sides
    found = overlap.find(segments, corpus, order=order, max_documents=max_documents, **settings)
    tokens = [oracle.tokens(side, **settings) for side in sides]
    assert found.counts.tolist() == oracle.counts(*tokens, order, max_documents)
    assert found.documents == len(corpus)
    assert found.corpus_tokens == sum(map(len, tokens[1]))


@pytest.mark.parametrize("order", [1, 2, 3, 5, 13])
@pytest.mark.parametrize("tokenizer", ["none", "char", "unicode", "nopunct"])
def test_awkward_texts(order, tokenizer):
    found = overlap.find(AWKWARD, AWKWARD[::2], order=order, tokenizer=tokenizer, lowercase=True)
    settings = {"tokenizer": tokenizer, "lowercase": True}
    tokens = [oracle.tokens(side, **settings) for side in (AWKWARD, AWKWARD[::2])]
    assert found.counts.tolist() == oracle.counts(*tokens, order)


def generated(segments=400, documents=3000, seed=1):
    """Return segments, and documents that contain some of their parts."""
    generator = random.Random(seed)
    words = [f"w{i}" for i in range(60)]
    texts = [" ".join(generator.choices(words, k=generator.randint(0, 40))) for _ in range(segments)]
    corpus = []
    for _ in range(documents):
        part = generator.choice(texts).split()[generator.randint(0, 9) :]
        corpus.append(" ".join(generator.choices(words, k=20) + part[: generator.randint(0, 20)]))
    return texts, corpus


@pytest.fixture(scope="module")
def sides():
    return generated()


@pytest.fixture(scope="module")
def expected(sides):
    return oracle.counts(*map(oracle.tokens, sides), 5, 3)


@pytest.mark.parametrize("threads", [None, 1, 2, 7])
def test_threads_change_nothing(sides, expected, threads):
    assert overlap.find(*sides, order=5, max_documents=3, threads=threads).counts.tolist() == expected


def test_the_order_of_the_corpus_changes_nothing(sides, expected):
    segments, corpus = sides
    for documents in (corpus[::-1], sorted(corpus), iter(corpus)):
        assert overlap.find(segments, documents, order=5, max_documents=3).counts.tolist() == expected


def test_files_change_nothing(sides, expected, tmp_path):
    segments, corpus = sides
    test_set = tmp_path / "test.txt"
    test_set.write_text("".join(f"{text}\n" for text in segments))
    parts = [corpus[:1], corpus[1:2000], corpus[2000:]]
    for number, part in enumerate(parts):
        (tmp_path / f"{number}.txt").write_text("\n".join(part))
    files = overlap.Files(*(tmp_path / f"{number}.txt" for number in range(3)))
    seen = []
    found = overlap.find(overlap.Files(test_set), files, order=5, max_documents=3, progress=lambda *at: seen.append(at))
    assert found.counts.tolist() == expected
    assert found.documents == len(corpus)
    assert seen[-1] == ("reading the corpus", files.size(), files.size()) and files.size() > 0


def test_tokens_and_ids(sides, expected):
    segments, corpus = ([text.split() for text in side] for side in sides)
    assert overlap.find(segments, corpus, order=5, max_documents=3).counts.tolist() == expected
    ids = [[[int(token[1:]) for token in tokens] for tokens in side] for side in (segments, corpus)]
    assert overlap.find(*ids, order=5, max_documents=3).counts.tolist() == expected
    arrays = [[np.array(tokens, np.int32) for tokens in side] for side in ids]
    assert overlap.find(*arrays, order=5, max_documents=3).counts.tolist() == expected
    with pytest.raises(refscore.InputError, match="different kinds"):
        overlap.find(segments, ids[1], order=5)


def test_a_tokenizer_in_python(sides, expected):
    assert overlap.find(*sides, order=5, max_documents=3, tokenizer=str.split).counts.tolist() == expected


def test_equal_hashes_are_compared():
    """Short tokens that differ only in zero bytes, or in their length, are different."""
    segments = ["aaaaaaaa\x05", "aaaaaaaa\x04\0", "a\0", "a", "a\0\0"]
    rows = overlap.find(segments, ["aaaaaaaa\x04\0 a\0\0"], order=1).counts.tolist()
    assert [row[2] for row in rows] == [0, 1, 0, 0, 1]


def test_empty_sides():
    assert overlap.find([], ["a b"]).summary["segments"] == 0
    assert overlap.find(["a b"], [], order=2)[0].matches == 0
    assert overlap.find(["a b"], [""], order=2).documents == 1


def test_settings_are_checked():
    for settings, problem in {
        ("order", 0): "order must be a whole number",
        ("order", True): "order must be a whole number",
        ("shortest_order", 14): "shortest_order must be at most 13",
        ("max_documents", 255): "max_documents must be at most 254",
        ("threshold", 0.5): "threshold needs the measure",
        ("measure", "all"): "unknown measure",
        ("tokenizer", "13b"): "unknown tokenizer",
        ("lowercase", "yes"): "lowercase must be",
        ("ordr", 3): "unknown setting of overlap 'ordr'; did you mean 'order'",
    }.items():
        with pytest.raises(refscore.SettingError, match=problem):
            overlap.find(["a"], ["a"], **dict([settings]))
    with pytest.raises(refscore.SettingError, match="threads must be"):
        overlap.find(["a"], ["a"], threads=0)
    with pytest.raises(refscore.errors.UnknownNameError, match="did you mean 'gpt3'"):
        overlap.find(["a"], ["a"], "gpt4")


def test_input_is_checked():
    with pytest.raises(refscore.InputError, match="corpus is a string"):
        overlap.find(["a"], "a")
    with pytest.raises(refscore.InputError, match=r"segments\[1\]"):
        overlap.find(["a", None], ["a"])
    with pytest.raises(refscore.InputError, match=r"corpus\[4500\]"):
        overlap.find(["a"], ["a"] * 4500 + [None])
    with pytest.raises(refscore.InputError, match="strings or all integers"):
        overlap.find([["a"], ["b"]], [[1.5, None]])
