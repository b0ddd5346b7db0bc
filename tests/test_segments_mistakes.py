"""Hypotheses and references that cannot be scored: location, problem and fix."""

import numpy as np
import pytest

import refscore
from tests.test_segments import METRIC, PREPARING, Tensor


class RemoteTensor(Tensor):
    def __dlpack__(self, **options):
        raise BufferError("the data is on a GPU")


ONE_REFERENCE = "at least one reference"
MASKED = np.ma.array([[1, 2, 3], [4, 5, 6]], mask=[[0, 0, 1], [0, 1, 1]])
BAD = {
    "a string of hypotheses": ("a cat", ["a cat"], "hypotheses", "list of segments"),
    "a string of references": (["a cat"], "a cat", "references", "one entry per hypothesis"),
    "bytes as hypotheses": (b"a cat", ["a cat"], "hypotheses", "list"),
    "bytes as references": (["a cat"], b"a cat", "references", "list"),
    "None as hypotheses": (None, ["a cat"], "hypotheses", "list"),
    "None as references": (["a cat"], None, "references", "list"),
    "a number as hypotheses": (5, ["a cat"], "hypotheses", "list"),
    "a dict as hypotheses": ({"a": 1}, ["a"], "hypotheses", "list"),
    "a set as hypotheses": ({"a"}, ["a"], "hypotheses", "list"),
    "a dict as references": (["a"], {"a": 1}, "references", "list"),
    "a set of references": (["a"], [{"a"}], "references[0]", "list"),
    "a dict as tokens": ([["a"], {"a": 1}], [[["a"]]] * 2, "hypotheses[1]", "sequence of tokens"),
    "None as a hypothesis": (["a", None], ["a", "b"], "hypotheses[1]", "empty string"),
    "bytes as a hypothesis": (["a", b"b"], ["a", "b"], "hypotheses[1]", "decode"),
    "bytes alone": ([b"a b"], [[b"a b"]], "hypotheses[0]", "decode"),
    "a bytearray": ([bytearray(b"a b")], [[bytearray(b"a b")]], "hypotheses[0]", "decode"),
    "a view of bytes": ([memoryview(b"a b")], [[memoryview(b"a b")]], "hypotheses[0]", "decode"),
    "bytes as a reference": (["a"], [["a", b"b"]], "references[0][1]", "decode"),
    "a number as text": (["a", 5], ["a", "b"], "hypotheses[1]", "a string or a sequence of tokens"),
    "numbers as texts": ([1, 2], ["a", "b"], "hypotheses[0]", "a string or a sequence of tokens"),
    "an array of numbers": (np.array([1, 2]), ["a", "b"], "hypotheses[0]", "a string or a sequence of tokens"),
    "NaN as text": (["a", float("nan")], ["a", "b"], "hypotheses[1]", "empty string"),
    "NaN of NumPy": (["a", np.float32("nan")], ["a", "b"], "hypotheses[1]", "empty string"),
    "NaN as an entry": (["a", "b"], ["a", float("nan")], "references[1]", ONE_REFERENCE),
    "NaN as a reference": (["a"], [["a", float("nan")]], "references[0][1]", "pass None"),
    "a number as a reference": (["a"], [5], "references[0]", "list"),
    "a number among references": (["a"], [["a", 5]], "references[0][1]", "a string or"),
    "more hypotheses": (["a", "b", "c"], ["a", "b"], None, "one entry per hypothesis"),
    "more references": (["a"], ["a", "b"], None, "one entry per hypothesis"),
    "no references": (["a"], [], None, "one entry per hypothesis"),
    "no hypotheses": ([], ["a"], None, "one entry per hypothesis"),
    "an empty entry": (["a", "b"], [["a"], []], "references[1]", ONE_REFERENCE),
    "an entry of None": (["a", "b"], ["a", None], "references[1]", ONE_REFERENCE),
    "only missing ones": (["a", "b"], [["a"], [None, None]], "references[1]", ONE_REFERENCE),
    "an empty entry of tokens": ([["a"]], [[]], "references[0]", ONE_REFERENCE),
    "missing ones of tokens": ([[1]], [[None]], "references[0]", ONE_REFERENCE),
    "a stream": (["a", "b", "c"], [["a", "b", "c"]], None, "refscore.from_streams"),
    "streams": (["a", "b", "c"], [["a", "b", "c"], ["d", "e", "f"]], None, "refscore.from_streams"),
    "tuples of streams": (["a"], (("a",), ("b",)), None, "refscore.from_streams"),
    "text, then tokens": (["a", ["b"]], ["a", "b"], "hypotheses[1]", "the first one is text"),
    "tokens, then text": ([["a"], "b"], [[["a"]], [["b"]]], "hypotheses[1]", "the first one is tokens"),
    "text and tokens": (["a"], [[["a"]]], "references[0][0]", "all as text or all as tokens"),
    "tokens and text": ([["a"]], ["a"], "references[0]", "tokenize it"),
    "tokens and texts": ([["a"]], [["a", "b c"]], "references[0]", "[tokens]"),
    "tokens and both": ([["a"]], [[["a"], "b"]], "references[0][1]", "all as text or all as tokens"),
    "text and ids": (["a"], [np.array([[1]])], "references[0][0]", "all as text"),
    "text and a batch": (["a"], np.array([[1]]), None, "tokenize the text"),
    "a batch and text": (np.array([[1]]), ["a"], "references[0]", "tokenize it"),
    "a flat reference": ([["a", "b"]], [["a", "b"]], "references[0]", "wrap"),
    "a flat reference of ids": ([[1, 2]], [[1, 2]], "references[0]", "wrap it in a list"),
    "a flat array": ([[1, 2]], [np.array([1, 2])], "references[0]", "wrap it in a list"),
    "a flat array for a batch": (np.array([[1, 2]]), [[1, 2]], "references[0]", "wrap it"),
    "an unhashable token": ([["a", ["b"]]], [[["a"]]], "hypotheses[0][1]", "hashable"),
    "an unhashable token there": ([["a"]], [[["a"], ["a", {}]]], "references[0][1][1]", "hashable"),
    "unhashable inside": ([["a", (["b"],)]], [[["a"]]], "hypotheses[0][1]", "hashable"),
    "tensors as tokens": ([[Tensor(1)]], [[[Tensor(1)]]], "hypotheses[0][0]", "token"),
    "a masked batch": (MASKED, [[[1, 2]], [[4]]], "hypotheses", "lengths="),
    "masked references": ([[1, 2], [4]], MASKED, "references", "lengths="),
    "masked segments": ([[1, 2], MASKED[1]], [[[1]], [[4]]], "hypotheses[1]", "pad_id="),
    "masked entries": ([[1]], [[MASKED[1]]], "references[0][0]", "pad_id="),
    "masked text": (np.ma.array(["a", "b"], mask=[0, 1]), ["a", "b"], "hypotheses", "lengths="),
    "an array without dimensions": (np.array(5), ["a"], "hypotheses", "list"),
    "references without dimensions": (["a"], np.array(5), "references", "list"),
    "an entry without dimensions": (["a"], [np.array(5)], "references[0]", "list"),
    "a segment without dimensions": ([np.array(5)], [[[5]]], "hypotheses[0]", "pass a 1-D array"),
    "a tensor without dimensions": (Tensor(5), ["a"], "hypotheses", "list"),
    "an array of floats": ([np.array([1.5, 2])], [[[1, 2]]], "hypotheses[0]", "integers"),
    "a batch of floats": (np.ones((2, 3)), np.ones((2, 3), int), "hypotheses[0]", "integers"),
    "references of floats": ([[1]], [[np.array([1.0])]], "references[0][0]", "integers"),
    "a segment of two dimensions": (
        [np.ones((2, 2), int)],
        [[[1]]],
        "hypotheses[0]",
        "pass a 1-D",
    ),
    "hypotheses of 3 dimensions": (np.ones((2, 2, 2), int), np.ones((2, 2), int), "hypotheses", "2"),
    "padded of 3 dimensions": (refscore.padded(np.ones((1, 1, 1), int)), [[[1]]], "hypotheses", "segments"),
    "references of 4 dimensions": (
        [[1]],
        np.ones((1, 1, 1, 1), int),
        "references",
        "3 (segments, references, tokens)",
    ),
    "a batch without references": ([[1]], np.ones((1, 0, 4), int), "references[0]", ONE_REFERENCE),
    "ids beyond 64 bits": (np.array([[2**63]], "uint64"), np.array([[1]]), "hypotheses", "64-bit"),
    "a tensor elsewhere": ([RemoteTensor([1])], [[[1]]], "hypotheses[0]", ".cpu()"),
    "a batch elsewhere": ([[1]], RemoteTensor([[1]]), "references", ".cpu()"),
}


@pytest.mark.parametrize(("hypotheses", "references", "location", "fix"), BAD.values(), ids=BAD)
def test_mistakes(hypotheses, references, location, fix):
    for metric in (METRIC, PREPARING):
        for method in (metric.stats, metric.segments, metric.corpus):
            with pytest.raises(refscore.InputError) as caught:
                method(hypotheses, references)
            assert location == (caught.value.location and str(caught.value.location))
            assert fix in str(caught.value)


def test_mistakes_are_found_before_any_work():
    called = []

    def tokenizer(text):
        called.append(text)
        return text.split()

    with pytest.raises(refscore.InputError, match=r"references\[9999\]"):
        refscore.BLEU(tokenizer=tokenizer).stats(["a b"] * 10000, [["a"]] * 9999 + [[]])
    assert not called


@pytest.mark.parametrize(
    ("references", "location"),
    [
        ("a cat", "references"),
        (None, "references"),
        (5, "references"),
        (np.array(5), "references"),
        ([None], "references[0]"),
        ([["a"], []], "references[1]"),
        ([[None], ["a"]], "references[0]"),
        ([["a"], 5], "references[1]"),
        ([["a"], [["a"]]], "references[1][0]"),
        ([[["a"]], ["a"]], "references[1]"),
        ([[["a", []]]], "references[0][0][1]"),
        ([[["a", ([],)]]], "references[0][0][1]"),
        (np.ones((2, 0, 3), int), "references[0]"),
    ],
)
def test_mistakes_while_preparing(references, location):
    with pytest.raises(refscore.InputError) as caught:
        METRIC.prepare(references)
    assert str(caught.value.location) == location


def test_two_mistakes_while_preparing():
    with pytest.raises(refscore.InputError):
        METRIC.prepare([[None], 5])


@pytest.mark.parametrize(
    ("hypothesis", "references", "location"),
    [
        (None, ["a"], "hypothesis"),
        (5, ["a"], "hypothesis"),
        (b"a", ["a"], "hypothesis"),
        ("a", None, "references"),
        ("a", [], "references"),
        ("a", [None], "references"),
        ("a", 5, "references"),
        ("a", ["a", 5], "references[1]"),
        ("a", [["a"]], "references[0]"),
        (["a"], ["a", "b"], "references"),
        (["a"], "a", "references"),
        (["a", []], [["a"]], "hypothesis[1]"),
        (["a"], [["a"], ["b", []]], "references[1][1]"),
        ([1, 2], [1, 2], "references"),
    ],
)
def test_mistakes_in_one_segment(hypothesis, references, location):
    for metric in (METRIC, PREPARING):
        with pytest.raises(refscore.InputError) as caught:
            metric.segment(hypothesis, references)
        assert str(caught.value.location) == location


@pytest.mark.parametrize(
    ("array", "options", "message"),
    [
        ([[1, 2]], {}, "integer array with 2 or 3 dimensions"),
        (np.array([1, 2]), {}, "with 1 dimensions"),
        (np.ones((1, 1, 1, 1), int), {}, "with 4 dimensions"),
        (np.ones((2, 2)), {}, "array of float64"),
        (np.ones((2, 2), bool), {}, "array of bool"),
        (np.ones((2, 2), int), {"pad_id": 0, "lengths": [1, 1]}, "not both"),
        (np.ones((2, 2), int), {"pad_id": 0.0}, "pad_id must be an integer"),
        (np.ones((2, 2), int), {"pad_id": True}, "pad_id must be an integer"),
        (np.ones((2, 2), int), {"pad_id": "0"}, "pad_id must be an integer"),
        (np.ones((2, 2), int), {"lengths": [1]}, r"integers of shape \(2,\)"),
        (np.ones((2, 2), int), {"lengths": [[1, 1]]}, r"integers of shape \(2,\)"),
        (np.ones((2, 2), int), {"lengths": [[1], [1, 1]]}, r"integers of shape \(2,\)"),
        (np.ones((2, 2), int), {"lengths": 1}, r"integers of shape \(2,\)"),
        (np.ones((2, 2), int), {"lengths": [1.0, 1.0]}, r"integers of shape \(2,\)"),
        (np.ones((2, 2), int), {"lengths": ["1", "1"]}, r"integers of shape \(2,\)"),
        (np.ones((2, 2), int), {"lengths": [1, 3]}, "between 0 and the width of the array, 2"),
        (np.ones((2, 2), int), {"lengths": [-1, 1]}, "between 0 and the width of the array, 2"),
        (np.ones((2, 3, 4), int), {"lengths": [1, 1]}, r"integers of shape \(2, 3\)"),
        (np.full((1, 1), 2**63, "uint64"), {}, "64-bit signed"),
        (RemoteTensor([[1]]), {}, r"\.cpu\(\)"),
    ],
)
def test_mistakes_in_padded(array, options, message):
    with pytest.raises(refscore.InputError, match=message):
        refscore.padded(array, **options)


def test_from_streams():
    assert refscore.from_streams([["a", "b"], ["c", None]]) == [["a", "c"], ["b", None]]
    assert refscore.from_streams(stream for stream in [iter("ab")]) == [["a"], ["b"]]
    assert refscore.from_streams([]) == []
    for streams, message in [
        ("ab", "streams is a string"),
        (["ab"], r"streams\[0\] is a string"),
        ([["a"], ["a", "b"]], r"streams\[1\] has 2 references but streams\[0\] has 1"),
        (None, "streams is None"),
        ([["a"], None], r"streams\[1\] is None"),
        ([5], r"streams\[0\] is 5"),
    ]:
        with pytest.raises(refscore.InputError, match=message):
            refscore.from_streams(streams)


@pytest.mark.parametrize(
    "read",
    [
        refscore.WER().values,
        lambda rows: refscore.WER().score(rows[0]),
        lambda rows: refscore.Accumulator("wer").update_rows(rows),
        lambda rows: refscore.significance.bootstrap("wer", rows),
        refscore.metrics.sum_rows,
        lambda rows: refscore.mbr.choose(["a", "b"], metric="chrf", weights=rows[0][:2]),
    ],
)
def test_masked_numbers(read):
    rows = refscore.WER().stats(["a b", "c", "d"], ["a c", "c", "e"])
    read(np.ma.array(rows, mask=False))
    with pytest.raises(refscore.InputError, match="masked values"):
        read(np.ma.array(rows, mask=rows >= 0))
