"""TER compared with its slow definition, which is first compared with sacrebleu; and properties of alignments."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import close
from tests.reference import ter as oracle
from tests.sacrebleu_options import ter_settings

OPERATIONS = {" ": "match", "s": "substitute", "i": "insert", "d": "delete"}
SETTINGS = [
    dict(zip(("normalized", "no_punct", "asian_support", "case_sensitive"), flags, strict=True))
    for flags in itertools.product([False, True], repeat=4)
]


def sentences(longest, distinct=4):
    return st.lists(st.sampled_from("abcdefgh"[:distinct]), max_size=longest)


@st.composite
def reordered(draw, longest=30, distinct=8):
    """Return a reference, and a hypothesis with its blocks in a different order."""
    reference = draw(sentences(longest, distinct))
    cuts = sorted(draw(st.lists(st.integers(0, len(reference)), max_size=6)))
    blocks = [reference[begin:end] for begin, end in itertools.pairwise([0, *cuts, len(reference)])]
    hypothesis = list(itertools.chain.from_iterable(draw(st.permutations(blocks))))
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(hypothesis)))
        hypothesis[place : place + draw(st.integers(0, 1))] = draw(sentences(2, distinct))
    return hypothesis, reference


def check_alignment(hypothesis, reference):
    """Check that moves and operations equal the oracle's, and turn one text into the other."""
    moves, words, path = oracle.align(hypothesis, reference)
    alignment = refscore.TER().alignment(hypothesis, reference)
    assert [(len(shift.words), shift.begin) for shift in alignment.shifts] == [(move[1], move[0]) for move in moves]
    assert [edit.operation for edit in alignment.edits] == [OPERATIONS[operation] for operation in path]
    assert alignment.edit_count == oracle.edits(hypothesis, reference)

    now = list(hypothesis)
    for shift, move in zip(alignment.shifts, moves, strict=True):
        after = oracle.moved(now, *move)
        assert tuple(now[shift.begin : shift.begin + len(shift.words)]) == shift.words
        assert tuple(after[shift.to : shift.to + len(shift.words)]) == shift.words
        del now[shift.begin : shift.begin + len(shift.words)]
        now[shift.to : shift.to] = shift.words
        assert now == after
        assert shift.distance == oracle.edit_path(now, list(reference))[0]
    assert now == words
    assert [edit.word for edit in alignment.edits if edit.operation != "insert"] == words
    assert [edit.reference_word for edit in alignment.edits if edit.operation != "delete"] == list(reference)
    positions = [edit.position for edit in alignment.edits if edit.operation != "insert"]
    assert sorted(positions) == list(range(len(hypothesis)))
    assert [hypothesis[position] for position in positions] == words
    places = [edit.reference_position for edit in alignment.edits if edit.operation != "delete"]
    assert places == list(range(len(reference)))
    for edit in alignment.edits:
        assert (edit.word is None) == (edit.position is None) == (edit.operation == "insert")
        assert (edit.operation == "match") == (edit.word == edit.reference_word)


# The oracle


@given(pair=st.one_of(st.tuples(sentences(10), sentences(10)), reordered(28)))
@examples(100)
def test_the_oracle_is_sacrebleus(pair):
    hypothesis, reference = pair
    assert (oracle.edits(hypothesis, reference), len(reference)) == translation_edit_rate(hypothesis, reference)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_the_oracle_is_sacrebleus_for_long_references(length):
    generator = random.Random(length)
    for size in (49, 50, 51, 100, 101, 152):
        reference = [f"w{generator.randrange(30)}" for _ in range(size)]
        hypothesis = generator.choices(reference, k=length)
        assert oracle.edits(hypothesis, reference) == translation_edit_rate(hypothesis, reference)[0]


@pytest.mark.parametrize("options", SETTINGS, ids=lambda flags: "-".join(name for name in flags if flags[name]))
@given(texts=st.lists(strategies.lines(), min_size=1, max_size=8))
@examples(30)
def test_the_oracles_words_are_sacrebleus(options, texts):
    original = TercomTokenizer(**options)
    for text in texts:
        once = original(text.rstrip())
        assert oracle.tokenize(text, **options) == once.split()
        assert oracle.reference_tokens(text, **options) == original(once).split()


# refscore


@given(pair=st.one_of(st.tuples(sentences(12), sentences(12)), reordered(40)))
@examples(250)
def test_alignments(pair):
    check_alignment(*pair)


@pytest.mark.parametrize("size", [51, *(pytest.param(size, marks=pytest.mark.slow) for size in (24, 25, 26, 27))])
def test_alignments_around_the_beam(size):
    generator = random.Random(size)
    reference = [f"w{generator.randrange(size)}" for _ in range(size)]
    check_alignment(reference[size // 2 :] + reference[: size // 2], reference)
    check_alignment(["x"] * (size // 2) + reference[: size // 2], reference)
    check_alignment(reference, reference[: size // 3])
    check_alignment(reference[: size // 3], reference)
    check_alignment(generator.choices(reference, k=1), reference * 3)


@pytest.mark.parametrize("longest", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_every_short_pair_of_two_words(longest):
    every = [list(f"{number:0{size}b}") for size in range(1, longest + 1) for number in range(2**size)] + [[]]
    matrix = refscore.TER().pairwise(every, every, tokens=True)
    for i, hypothesis in enumerate(every):
        for j, reference in enumerate(every):
            assert close(matrix[i, j], oracle.score(oracle.row(hypothesis, [reference])))


@given(corpus=st.one_of(strategies.word_corpora, strategies.id_corpora))
@examples(100)
def test_tokens_and_ids(corpus):
    hypotheses, references = corpus
    rows = [oracle.row(*pair) for pair in zip(hypotheses, references, strict=True)]
    metric = refscore.TER(tokenizer="tercom-norm-nopunct")  # which does not affect tokens
    assert np.allclose(metric.stats(hypotheses, references), rows, rtol=1e-12, atol=0)
    expected = oracle.score([sum(column) for column in zip(*rows, strict=True)])
    assert close(metric.corpus(hypotheses, references).value, expected)


@pytest.mark.parametrize("options", SETTINGS, ids=lambda flags: "-".join(name for name in flags if flags[name]))
@given(corpus=strategies.text_corpora, twice=st.booleans())
@examples(15)
def test_text(options, corpus, twice):
    hypotheses, references = corpus
    metric = refscore.TER(**ter_settings(**options), references_twice=twice)
    for hypothesis, refs in zip(hypotheses, references, strict=True):
        words = oracle.tokenize(hypothesis, **options)
        targets = [oracle.reference_tokens(text, twice, **options) for text in refs]
        if sum(map(len, targets), len(words)) > 100:
            continue  # sacrebleu is the oracle for these
        row = oracle.row(words, targets)
        assert metric.stats([hypothesis], [refs]).tolist() == [row]
        assert metric.pairwise([hypothesis], refs).tolist() == [
            [oracle.score(oracle.row(words, [target])) for target in targets]
        ]


def test_long_segments_end():
    """With shuffled blocks of one and of two words, the search is always bounded."""
    generator = random.Random(1)
    words = [f"w{generator.randrange(400)}" for _ in range(1000)]
    blocks = [words[i : i + 7] for i in range(0, 1000, 7)]
    generator.shuffle(blocks)
    metric = refscore.TER()
    assert 0 < metric.segment(list(itertools.chain(*blocks)), [words]).value <= 1
    assert metric.segment(["a"] * 3000, [["a"] * 2990]).edits == 10
    assert metric.segment(["a", "b"] * 1000, [["b", "a", "a", "b"] * 500]).edits <= 2000
    assert metric.segment([], [words]).edits == 1000
    many = [f"w{i}" for i in range(60_000)]
    assert metric.segment(many[1:], [many]).edits == 1
    assert metric.segment(["x", *many[1:]], [many]).edits == 1


def test_many_references_of_different_words():
    references = [[f"{i} {j}" for j in range(20)] for i in range(5000)]
    assert refscore.TER().segment(references[-1], references).edits == 0
