"""CharacTER: its moves, its steps, and the cases that the definition leaves open."""

import random

import pytest
from hypothesis import given, strategies as st

import refscore
from tests.examples import examples
from tests.reference import character_ter as oracle

METRIC = refscore.CharacTER()
WORDS = st.lists(st.sampled_from(["a", "b", "ab", "é", "x" * 17]), max_size=9)


def test_examples_of_hugging_face():
    """The values that the documentation of evaluate's module prints."""
    texts = ["this week the saudis denied information published in the new york times", "this is in fact an estimate"]
    references = [
        "saudi arabia denied this week information published in the american new york times",
        "this is actually an estimate",
    ]
    assert METRIC.segments(texts, references).tolist() == [0.36619718309859156, 0.25925925925925924]
    several = [[references[0], "the saudis have denied new information published in the ny times"]]
    assert METRIC.segments(texts[:1], several).tolist() == [0.36619718309859156]


@pytest.mark.parametrize(
    ("text", "references", "value"),
    [
        ("", "a b", 1),
        ("a b", "", 1),
        ("", "", 0),
        ("", ["a", ""], 0),
        ("a", ["", "a"], 0),
        ("abc", "xyz", 1),
        ("a", "a b c d", 1),
        (" \t", "\n", 0),
    ],
)
def test_empty_and_different(text, references, value):
    assert METRIC.segment(text, references).value == value


@given(words=WORDS, reference=WORDS)
@examples(200)
def test_the_alignment_gives_the_words_of_the_definition(words, reference):
    alignment = METRIC.alignment(words, reference)
    expected = words if words == reference else oracle.shifted(words, reference)
    assert list(alignment.words) == expected
    moved = list(words)
    for shift in alignment.shifts:
        assert tuple(moved[shift.begin : shift.begin + len(shift.words)]) == shift.words
        del moved[shift.begin : shift.begin + len(shift.words)]
        moved[shift.to : shift.to] = shift.words
        assert oracle.distance(moved, reference) == shift.distance
    assert moved == expected


@given(words=WORDS, references=st.lists(WORDS, min_size=1, max_size=3))
@examples(100)
def test_steps_show_the_numbers_of_the_definition(words, references):
    steps = METRIC.explain(words, references)
    score, _, cost, _, _ = oracle.row(words, references)
    assert steps.result.startswith(f"CharacTER = {score:.4f}")
    assert f"shift cost = {cost:.4f}" in str(steps) or f"= {cost:.4f}\n" in str(steps)


def test_ids_are_words_of_one_character():
    assert METRIC.segment([1, 2, 3], [[1, 2, 4]]).value == 0.2
    assert METRIC.explain([3, 1, 2], [[1, 2, 3]]).result.startswith("CharacTER = 0.2000")


def test_mixed_tokens_are_refused():
    with pytest.raises(refscore.InputError):
        METRIC.segment(["a", 1], [["a"]])
    with pytest.raises(refscore.InputError):
        METRIC.alignment(["a", 1], ["a"])


def test_long_segments():
    """A few hundred words in a different order, and thousands that are almost equal or have nothing in common."""
    generator = random.Random(1)
    words = [f"w{number}" for number in range(5000)]
    near = [*words[:100], "new", *words[101:4000], *words[4010:], *words[4000:4010]]
    score = METRIC.segment(near, [words])
    assert 0 < score.value < 0.01
    assert METRIC.segment(["x"] * 5000, [words]).value == 1
    shuffled = words[:300]
    generator.shuffle(shuffled)
    alignment = METRIC.alignment(shuffled, words[:300])
    assert sorted(alignment.words) == sorted(shuffled)
    distances = [oracle.distance(shuffled, words[:300]), *(shift.distance for shift in alignment.shifts)]
    assert distances == sorted(set(distances), reverse=True)
