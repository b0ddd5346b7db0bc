"""Rewards of token ids: lists, arrays, padded batches, tensors."""

import numpy as np
import pytest

import refscore
from refscore import inputs
from refscore.rewards import Reward
from tests.strategies import random_tokens

PAD = 0
LENGTHS = [0, 1, 3, 4, 17, 30]
COMPLETIONS = [[token + 1 for token in random_tokens(i, size, 9)] for i, size in enumerate(LENGTHS)]
REFERENCES = [[token + 1 for token in random_tokens(i + 50, size + 2, 9)] for i, size in enumerate(LENGTHS)]
METRICS = ["bleu", "chrf", "ter", "ribes", "rouge", "gleu", "wer"]


def filled(rows, fill=PAD):
    array = np.full((len(rows), max(map(len, rows)) + 2), fill, dtype=np.int64)
    for row, ids in zip(array, rows, strict=True):
        row[: len(ids)] = ids
    return array


def arrays(rows, kind=np.int64):
    return [np.array(row, dtype=kind) for row in rows]


def expected(name):
    """Return the rewards of texts with one word per id; for chrF, whose units are ids, those of the segments."""
    if name == "chrf":
        values = refscore.CHRF().segments([row or [-1] for row in COMPLETIONS], [[row] for row in REFERENCES])
        return [value if row else 0.0 for row, value in zip(COMPLETIONS, values, strict=True)]
    texts = [[" ".join(f"w{token}" for token in row) for row in side] for side in (COMPLETIONS, REFERENCES)]
    return Reward(name)(completions=texts[0], reference=texts[1])


class OnADevice:
    """A tensor on a device, like torch's: it must be moved before it can be read."""

    def __init__(self, array):
        self._array = array

    def cpu(self):
        return self._array

    def __dlpack__(self, **_):
        raise BufferError("not in CPU memory")

    def __dlpack_device__(self):
        return 2, 0


@pytest.mark.parametrize("name", METRICS)
def test_all_forms_have_the_same_rewards(name):
    plain = Reward(name, completions="completion_ids", references="reference_ids")
    with_padding = Reward(name, completions="completion_ids", references="reference_ids", pad_id=PAD)
    cases = [
        (plain, COMPLETIONS, REFERENCES),
        (plain, COMPLETIONS, [[row] for row in REFERENCES]),
        (plain, arrays(COMPLETIONS), arrays(REFERENCES, np.int32)),
        (
            plain,
            inputs.padded(filled(COMPLETIONS), pad_id=PAD),
            inputs.padded(filled(REFERENCES), pad_id=PAD),
        ),
        (plain, inputs.padded(filled(COMPLETIONS, 5), lengths=LENGTHS), REFERENCES),
        (
            plain,
            inputs.padded(filled(COMPLETIONS, 5), lengths=LENGTHS),
            inputs.padded(filled(REFERENCES), pad_id=0),
        ),
        (with_padding, filled(COMPLETIONS), filled(REFERENCES)),
        (with_padding, filled(COMPLETIONS), REFERENCES),
        (with_padding, filled(COMPLETIONS).tolist(), filled(REFERENCES).tolist()),
        (with_padding, list(filled(COMPLETIONS)), filled(REFERENCES)[:, None]),
        (with_padding, filled(COMPLETIONS), [list(rows) for rows in filled(REFERENCES)[:, None]]),
    ]
    for reward, completions, references in cases:
        found = reward(prompts=None, completions=["text"] * 6, completion_ids=completions, reference_ids=references)
        assert found == pytest.approx(expected(name), abs=1e-15)


def test_missing_references():
    reward = Reward("bleu", pad_id=PAD)
    found = reward(completions=filled(COMPLETIONS), reference=[None, *REFERENCES[1:-1], []])
    assert found[0] is found[-1] is None
    assert found[1:-1] == pytest.approx(expected("bleu")[1:-1], abs=1e-15)


def test_the_padding_of_a_batch_given_ready_is_its_own():
    ready = inputs.padded(np.array([[7, 8, 9, 10, 0]]), pad_id=0)
    assert Reward("bleu", pad_id=7)(completions=ready, reference=[[7, 8, 9, 10]])[0] < 1
    assert Reward("bleu")(completions=ready, reference=[[7, 8, 9, 10]]) == [1.0]


def test_empty_rows_have_no_reward():
    """Even if the reference is empty, and a metric finds no errors."""
    batch = inputs.padded(np.ones((2, 3), int), lengths=[0, 1])
    padded = np.array([[5, 5, 5], [4, 5, 5], [6, 5, 5]])
    for options, completions, references, rewards in [
        ({"pad_id": PAD}, np.zeros((2, 3), int), np.array([[0, 0], [1, 0]]), [0, 0]),
        ({}, np.zeros((2, 0), int), np.ones((2, 1), int), [0, 0]),
        ({}, np.zeros((2, 0), int), np.zeros((2, 0), int), [0, 0]),
        ({}, np.zeros((2, 1), int), np.zeros((2, 1), int), [1, 1]),
        ({}, batch, np.ones((2, 1), int), [0, 1]),
        ({}, batch, batch, [0, 1]),
        ({"pad_id": 5}, padded, padded, [0, 1, 1]),
    ]:
        assert Reward("wer", **options)(completions=completions, reference=references) == rewards


def test_ids_on_both_sides_of_the_padding():
    reward, ids, others = Reward("wer", pad_id=5), [[5, 9, 5, 1, 5, 7, 2]], [[9, 1, 7, 2]]
    for completions in (ids, np.array(ids), arrays(ids)):
        for references in (others, [others], np.array(others), arrays(others), ids, np.array(ids), arrays(ids)):
            assert reward(completions=completions, reference=references) == [1.0]


def test_arrays_of_references():
    """One dimension is one reference, even if empty; two dimensions are several."""
    several = np.array([[1, 2, 3], [4, 5, 6]])
    for ids, expected in [([1, 2, 3], 1.0), ([4, 5, 6], 1.0), ([1, 2, 3, 4, 5, 6], 0.0)]:
        for references in ([several], several[None]):
            assert Reward("wer")(completions=[ids], reference=references) == [expected]
    assert Reward("wer")(completions=[[1]], reference=[np.zeros(0, int)]) == [0.0]


@pytest.mark.parametrize("number", [np.array(5), OnADevice(np.array(5))], ids=["array", "tensor"])
def test_a_number_is_no_sequence(number):
    """Not even in a zero-dimensional array, or in a column of single ids."""
    column = type(number)(np.array([1, 2])) if isinstance(number, OnADevice) else np.array([1, 2])
    for completions, references, location in [
        (number, [[1]], "completions"),
        (column, [[1], [2]], "completions[0]"),
        ([[1]], number, "reference"),
        ([number], [[1]], "completions[0]"),
        ([[1]], [number], "reference[0]"),
        ([[1]], [[[1], number]], "reference[0][1]"),
    ]:
        with pytest.raises(refscore.InputError) as caught:
            Reward("wer")(completions=completions, reference=references)
        assert str(caught.value.location) == location


def test_tensors():
    import torch

    completions, references = torch.tensor(filled(COMPLETIONS)), torch.tensor(filled(REFERENCES))
    check_forms(completions, references, lambda row: row)
    check_forms(completions.int(), references.short(), lambda row: row)


def test_tensors_of_a_device_are_moved():
    check_forms(filled(COMPLETIONS), filled(REFERENCES), OnADevice)


def check_forms(completions, references, wrap):
    """Check batches, lists of rows, and several references, with all arrays wrapped."""
    reward = Reward("bleu", pad_id=PAD)
    for left, right in [
        (wrap(completions), wrap(references)),
        (wrap(completions), wrap(references[:, None])),
        (wrap(completions), REFERENCES),
        ([*map(wrap, completions)], [*map(wrap, references)]),
        ([*map(wrap, completions)], [[*map(wrap, rows)] for rows in references[:, None]]),
    ]:
        assert reward(completions=left, reference=right) == pytest.approx(expected("bleu"), abs=1e-15)
