"""editdistance and NLTK's edit_distance, and their interfaces in refscore: equal numbers."""

import inspect
import pickle
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


class Items:
    """A sequence that can only be indexed."""

    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]


class Shrinking(Items):
    def __getitem__(self, index):
        self.items.pop()
        return self.items[index]


class Token:
    """Compares equal to everything, but the hash decides."""

    def __init__(self, number):
        self.number = number

    def __hash__(self):
        if self.number is None:
            raise ValueError("no hash")
        return self.number

    def __eq__(self, other):
        return True


def _outcomes(modules, name, *arguments, **named):
    outcomes = []
    for module in modules:
        try:
            result = getattr(module, name)(*arguments(), **named)
            outcomes.append((type(result), result))
        except Exception as error:
            outcomes.append((type(error), str(error)))
    return outcomes


SEQUENCES = [
    lambda: ("ab", ["a", "b"]),
    lambda: (b"abc", "abc"),
    lambda: (b"abc", [97, 98, 99]),
    lambda: ({0: "a"}, ["a"]),
    lambda: ({"x": "a"}, ["a"]),
    lambda: ({1, 2}, [1, 2]),
    lambda: (iter("ab"), "ab"),
    lambda: (range(3), (0, 1, 3)),
    lambda: ([1.0, True, float("nan")], [1, 1, float("nan")]),
    lambda: (Items("abc"), "adc"),
    lambda: (Items([]), []),
    lambda: (Shrinking([1, 2, 3, 4]), [1, 2]),
    lambda: ([Token(1), Token(2), Token(-1)], [Token(1), Token(3), Token(-2)]),
    lambda: ([Token(None)], ["a"]),
    lambda: (["a"], [["a"]]),
    lambda: ("a" * 64 + "b", "b" + "a" * 64),
    lambda: ([*range(65)], [*range(64, -1, -1)]),
    lambda: ([Token(i % 7) for i in range(90)], [Token(i % 5) for i in range(80)]),
    lambda: ("\ud800\udc00\x00", "\U00010000\x00"),
    lambda: ({i: i for i in range(70)}, [*range(70)]),
    lambda: ({*range(70)}, [*range(70)]),
    lambda: ("a",),
    lambda: ("a", "b", "c", "d"),
]


@pytest.mark.parametrize("arguments", SEQUENCES)
def test_objects_as_the_original_reads_them(editdistance, arguments):
    found, expected = _outcomes((ours, editdistance), "eval", arguments)
    assert found[0] == expected[0]
    if not issubclass(found[0], TypeError):
        assert found == expected
    found, expected = _outcomes((ours, editdistance), "eval_criterion", lambda: (*arguments(), 1))
    assert found[0] == expected[0]
    if not issubclass(found[0], TypeError):
        assert found == expected


@pytest.mark.parametrize(
    "limit", [0, 1, 2, 3, -1, 2**31, 2**32, 2**70, -(2**70), 1.7, True, None, "1", np.int64(2), 1j]
)
@pytest.mark.parametrize("pair", [("kitten", "sitting"), ("", ""), ("a", "a"), ("a", ""), ("a" * 70, "a" * 70)])
def test_thresholds(editdistance, pair, limit):
    found, expected = _outcomes((ours, editdistance), "eval_criterion", lambda: (*pair, limit))
    assert found[0] == expected[0]
    if not issubclass(found[0], TypeError):
        assert found == expected


def test_functions_like_those_of_python(editdistance):
    for module in (ours, editdistance):
        assert module.eval(b="sitting", a="kitten") == module.eval("kitten", b="sitting") == 3
        assert module.eval_criterion("kitten", thr=3, b="sitting") is True
        for named in ({"c": "a"}, {"a": "a"}):
            with pytest.raises(TypeError):
                module.eval("a", **named)
    for name in ("eval", "eval_criterion"):
        function = getattr(ours.bycython, name)
        assert pickle.loads(pickle.dumps(function)) is function
        assert inspect.signature(function) == inspect.signature(getattr(editdistance.bycython, name))


def test_edit_distances_under_limits():
    with refscore.metrics.limits(max_tokens=2):
        assert ours.eval("ab", "b") == 1
        for one, other in (("abc", "b"), (["a"], ["a"] * 3)):
            with pytest.raises(refscore.errors.LimitError):
                ours.eval(one, other)


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
