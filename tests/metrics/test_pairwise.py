"""Pairwise scores: each hypothesis with each reference, equal to single segments."""

from array import array
from collections import deque

import numpy as np
import pytest
from hypothesis import given, strategies as st

import refscore
from refscore import inputs
from tests import strategies
from tests.examples import examples
from tests.reference import bleu as oracle, close
from tests.test_inputs import Column, Tensor

BLEU = refscore.BLEU
METRIC = BLEU(tokenizer="none", max_order=2, effective_order=True)
SETTING = oracle.Settings(max_order=2, effective_order=True)


def expected(hypotheses, references, setting=SETTING):
    return [[oracle.segment(setting, h, [r]).value for r in references] for h in hypotheses]


def assert_same(matrix, values, width=None):
    assert type(matrix) is np.ndarray
    assert matrix.dtype == np.float64
    assert matrix.shape == (len(values), len(values[0]) if values else width)
    assert all(
        close(a, b) for ours, theirs in zip(matrix, values, strict=True) for a, b in zip(ours, theirs, strict=True)
    )


DTYPES = ("int32", "uint8")
ITEMS = {
    "texts": st.lists(strategies.words, max_size=12).map(" ".join),
    "words": st.lists(strategies.words, max_size=12),
    "ids": st.lists(strategies.ids, max_size=12),
}


@pytest.mark.parametrize("kind", ITEMS)
@given(data=st.data())
@examples(60)
def test_each_pair(kind, data):
    hypotheses, references = (data.draw(st.lists(ITEMS[kind], min_size=1, max_size=5)) for _ in range(2))
    seen = [[item.split() if kind == "texts" else item for item in side] for side in (hypotheses, references)]
    values = expected(*seen)
    assert_same(METRIC.pairwise(hypotheses, references, tokens=kind != "texts"), values)
    if kind == "ids":
        assert_same(METRIC.pairwise(hypotheses, references), values)
        arrays = [[np.array(tokens, dtype) for tokens in side] for side, dtype in zip(seen, DTYPES, strict=True)]
        assert_same(METRIC.pairwise(*arrays), values)
        assert_same(METRIC.pairwise(hypotheses, arrays[1]), values)


@pytest.mark.parametrize(
    "setting",
    [
        oracle.Settings(),
        oracle.Settings(reference_length="average"),
        oracle.Settings(smoothing="floor-segments", short_order="pad", no_match="smooth"),
        oracle.Settings(smoothing="nltk-5", max_order=3),
        oracle.PRESETS["mteval"],
        oracle.PRESETS["nltk"],
    ],
    ids=str,
)
def test_settings(setting):
    metric = BLEU(tokenizer="none", **{name: getattr(setting, name) for name in setting.__dataclass_fields__})
    sides = (
        [strategies.random_tokens(i, 3 * i, 4) for i in range(7)],
        [strategies.random_tokens(i, 4 * i, 4) for i in range(10, 15)],
    )
    for threads in (1, 3, None):
        assert_same(metric.pairwise(*sides, threads=threads), expected(*sides, setting))


SHAPES = {
    "tuples": tuple,
    "deques": deque,
    "arrays": np.array,
    "array.array": lambda tokens: array("q", tokens),
    "dlpack": Tensor,
    "objects": lambda tokens: [str(token) if token % 2 else token for token in tokens],
    "floats": lambda tokens: [float(token) for token in tokens],
}
GROUPS = [[1, 2, 3], [2, 3]], [[1, 2, 4], [3], [2, 3, 1]]
OTHER_GROUPS = [[5], [6, 5, 4]], [[5, 4]]


@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES)
def test_shapes_of_tokens(make):
    batch = [[[make(tokens) for tokens in group] for group in side] for side in zip(GROUPS, OTHER_GROUPS, strict=True)]
    assert_same(METRIC.pairwise(*(side[0] for side in batch), tokens=True), expected(*GROUPS))
    matrices = METRIC.pairwise(*batch, tokens=True)
    assert type(matrices) is list
    for matrix, group in zip(matrices, (GROUPS, OTHER_GROUPS), strict=True):
        assert_same(matrix, expected(*group))


@pytest.mark.parametrize("make", [tuple, iter, Column, np.array], ids=["tuple", "iterator", "column", "array"])
def test_containers_of_texts(make):
    sides = ["a b", "b"], ["a b", "c", "b a"]
    values = expected(*([text.split() for text in side] for side in sides))
    assert_same(METRIC.pairwise(make(sides[0]), make(sides[1])), values)


def test_batches_of_ids():
    hypotheses, references = (
        np.array([[1, 2, 3, 0], [2, 0, 0, 0]]),
        np.array([[1, 2, 0, 0], [3, 3, 3, 3], [0, 0, 0, 0]]),
    )
    assert_same(METRIC.pairwise(hypotheses, references), expected(hypotheses.tolist(), references.tolist()))
    assert_same(
        METRIC.pairwise(Tensor(hypotheses), Tensor(references)), METRIC.pairwise(hypotheses, references).tolist()
    )

    def drop(rows):
        return [[token for token in row if token] for row in rows.tolist()]

    values = expected(drop(hypotheses), drop(references))
    by_id = inputs.padded(hypotheses, pad_id=0), inputs.padded(references, pad_id=0)
    assert_same(METRIC.pairwise(*by_id), values)
    by_length = (
        inputs.padded(hypotheses, lengths=[3, 1]),
        inputs.padded(references, lengths=[2, 4, 0]),
    )
    assert_same(METRIC.pairwise(*by_length), values)
    assert_same(METRIC.pairwise(drop(hypotheses), by_id[1]), values)
    assert_same(METRIC.pairwise(by_id[0], drop(references)), values)


def test_several_groups_of_arrays():
    lists = [np.array([[1, 2], [3, 4]]), np.array([[5, 5]])], [np.array([[1, 2]]), np.array([[5, 5], [5, 6]])]
    cube = np.arange(24).reshape(2, 3, 4) % 5, np.arange(16).reshape(2, 2, 4) % 5
    for batch in (lists, cube):
        for matrix, hypotheses, references in zip(METRIC.pairwise(*batch), *batch, strict=True):
            assert_same(matrix, expected(hypotheses.tolist(), references.tolist()))
    padded = [inputs.padded(group, pad_id=5) for group in lists[0]]
    assert_same(METRIC.pairwise(padded, lists[1])[1], expected([[]], lists[1][1].tolist()))


def test_empty_sides():
    full, empty = np.ones((2, 3), int), np.ones((0, 3), int)
    for one, other in [([], []), ([], ["a", "b"]), ([], [[1]]), (empty, full)]:
        assert METRIC.pairwise(one, other).shape == (0, len(other))
        assert METRIC.pairwise(other, one).shape == (len(other), 0)


@pytest.mark.parametrize(
    "batch",
    [([[], ["a"], ["b", "c"]], [["a"], [], ["b"]]), ([[], []], [["a"], ["b", "c"]]), ([[], [[1]]], [[[1]], []])],
)
def test_empty_groups(batch):
    shapes = [(len(left), len(right)) for left, right in zip(*batch, strict=True)]
    assert [matrix.shape for matrix in METRIC.pairwise(*batch)] == shapes


def test_many():
    sides = (
        [strategies.random_tokens(i, 20, 6) for i in range(70)],
        [strategies.random_tokens(-i, 20, 6) for i in range(90)],
    )
    matrix = METRIC.pairwise(*sides)
    assert np.array_equal(matrix, METRIC.pairwise(*sides, threads=1))
    for i, j in [(0, 0), (69, 89), (35, 17), (64, 64)]:
        assert close(matrix[i, j], oracle.segment(SETTING, sides[0][i], [sides[1][j]]).value)


@pytest.mark.parametrize(
    ("hypotheses", "references", "location"),
    [
        ("a", ["a"], "hypotheses"),
        (["a"], "a", "references"),
        (None, ["a"], "hypotheses"),
        (["a"], None, "references"),
        ([5], ["a"], "hypotheses[0]"),
        (["a", b"b"], ["a"], "hypotheses[1]"),
        (["a"], [[1, 2]], "None"),
        ([[1, 2]], ["a"], "None"),
        (["a"], np.array([[1]]), "None"),
        (np.ones((2, 2, 2), int), np.ones((2, 2), int), "None"),
        (np.ones((2, 2)), np.ones((2, 2), int), "hypotheses[0]"),
        ([["a"], [5]], [["a"], ["b"]], "hypotheses[1][0]"),
    ],
)
def test_mistakes(hypotheses, references, location):
    """See also `test_groups_of_pairs` in test_locations.py."""
    with pytest.raises(refscore.InputError) as caught:
        METRIC.pairwise(hypotheses, references)
    assert str(caught.value.location) == location


def test_lists_of_strings_are_groups_of_texts_unless_they_are_said_to_be_tokens():
    metric = refscore.BLEU.preset("sacrebleu-sentence", tokenizer="none")
    batch = [["a b c d", "a b"], ["c d"]]
    found = metric.aggregate(batch, batch)
    assert [values.tolist() for values in found] == [metric.aggregate(group, group).tolist() for group in batch]
    assert metric.aggregate(batch, batch, tokens=True).shape == (2,)
