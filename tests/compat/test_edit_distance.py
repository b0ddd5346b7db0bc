"""editdistance and NLTK's edit_distance, and their interfaces in refscore: equal numbers."""

import random
import sys

import nltk
import numpy as np
import pytest
from hypothesis import given, strategies as st
from nltk.metrics import distance as nltk_distance

import refscore
from refscore import compat
from refscore.compat import editdistance as ours
from refscore.compat.nltk import edit_distance
from tests.compat.alike import parameters
from tests.corpora import TEXTS
from tests.examples import examples

AWKWARD = [*TEXTS, "\x1c a", "a \x1c", "-1", "\ud800", "\ud800\udfff", "😀", "\U0001f468\u200d\U0001f469"]
TOKENS = [
    *"ab ",
    "",
    "\n",
    "é",
    "e\u0301",
    "猫",
    "\ud800",
    "\x00",
    0,
    1,
    -1,
    -2,
    True,
    1.0,
    2**61 - 1,
    2**70,
    None,
    (1, "a"),
]
sequences = st.one_of(
    st.text(max_size=12),
    st.lists(st.sampled_from(TOKENS), max_size=12),
    st.sampled_from(AWKWARD),
    st.lists(st.integers(-3, 3), max_size=90),
    st.lists(st.integers(-3, 3), max_size=9).map(tuple),
    st.binary(max_size=5),
)
arrays = st.lists(st.integers(0, 3), max_size=9).map(np.array)


@pytest.fixture
def editdistance():
    return pytest.importorskip("editdistance", reason="needs editdistance: pip install editdistance")


def test_awkward_texts(editdistance):
    for i, text in enumerate(AWKWARD):
        for other in (text, AWKWARD[i - 1], AWKWARD[i - 9], ""):
            for name in ours.__all__:
                arguments = [3] if "le_than" in name or "criterion" in name else []
                expected = getattr(editdistance, name)(text, other, *arguments)
                assert getattr(ours, name)(text, other, *arguments) == expected, (text, other)


@given(one=sequences | arrays, other=sequences | arrays, limit=st.integers(0, 8))
@examples(400)
def test_drawn_sequences(one, other, limit):
    editdistance = pytest.importorskip("editdistance", reason="needs editdistance: pip install editdistance")
    assert ours.eval(one, other) == editdistance.eval(one, other)
    found, expected = (module.eval_criterion(one, other, limit) for module in (ours, editdistance))
    assert (type(found), found) == (type(expected), expected)


def test_long_sequences(editdistance):
    generator = random.Random(3)
    for size in (63, 64, 65, 640, 641, 5000):
        one, other = (generator.choices(range(-50, 50), k=size + change) for change in (0, size // 9))
        assert ours.eval(one, other) == editdistance.eval(one, other)
        texts = ["".join(map(chr, side)) for side in ([40 + abs(k) for k in one], [40 + abs(k) for k in other])]
        assert ours.distance(*texts) == editdistance.distance(*texts)


@pytest.mark.parametrize(("one", "other"), [([[1]], [[1]]), (1, "a"), (None, None), ("a", {})])
def test_input_that_is_no_sequence(editdistance, one, other):
    outcomes = []
    for module in (ours, editdistance):
        try:
            outcomes.append(module.eval(one, other))
        except Exception as error:
            outcomes.append(type(error))
    assert outcomes[0] == outcomes[1]
    for module in (ours, editdistance):
        with pytest.raises(OverflowError):
            module.eval_criterion("a", "b", -1)


def test_install_editdistance(editdistance):
    original = editdistance.eval
    try:
        compat.install("editdistance")
        assert editdistance.eval is editdistance.bycython.eval is ours.eval
        assert editdistance.distance is ours.distance
        assert editdistance.bycython.eval_dp("ab", "b") == 1
    finally:
        compat.uninstall("editdistance")
    assert editdistance.eval is editdistance.bycython.eval is original


theirs = nltk_distance.edit_distance
COSTS = [1, 1.0, 2, 2.0, 3, 0, 0.5, 1.5, -1, float("inf"), True]


def test_nltk_awkward_texts():
    for i, text in enumerate(AWKWARD):
        for other in (text, AWKWARD[i - 1], AWKWARD[i - 9], ""):
            for cost in (1, 2, 0.5):
                for transpositions in (False, True):
                    arguments = (text, other, cost, transpositions)
                    assert edit_distance(*arguments) == theirs(*arguments), arguments


@given(one=sequences, other=sequences, cost=st.sampled_from(COSTS), transpositions=st.booleans())
@examples(300)
def test_nltk_drawn_sequences(one, other, cost, transpositions):
    assert edit_distance(one, other, cost, transpositions) == theirs(one, other, cost, transpositions)


def test_nltk_long_sequences():
    generator = random.Random(3)
    one, other = (generator.choices("abcdefgh", k=size) for size in (700, 800))
    for arguments in ({}, {"substitution_cost": 2}):
        assert edit_distance(one, other, **arguments) == theirs(one, other, **arguments)
    # NLTK refuses more than 2,000 items, because it needs time and memory for every pair.
    assert edit_distance("ab" * 5000, "ba" * 5000) == 2
    assert edit_distance("ab" * 5000, "ba" * 5000, substitution_cost=2) == 2


def test_nltk_interface():
    assert parameters(edit_distance) == parameters(theirs)
    for arguments in (([[1]], [[1]]), (1, "a")):
        for function in (edit_distance, theirs):
            with pytest.raises((TypeError, refscore.InputError)):
                function(*arguments)
    try:
        compat.install("nltk")
        assert nltk.edit_distance is nltk_distance.edit_distance is edit_distance
        assert sys.modules["nltk.metrics"].edit_distance is edit_distance
        assert nltk_distance.jaro_similarity("a", "b") == 0
    finally:
        compat.uninstall("nltk")
    assert nltk.edit_distance is theirs
