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
    "a string of hypotheses": ("a cat", ["a cat"], "hypotheses is a string", "list of segments"),
    "a string of references": (["a cat"], "a cat", "references is a string", "one entry per hypothesis"),
    "bytes as hypotheses": (b"a cat", ["a cat"], "hypotheses is b'a cat'", "list"),
    "bytes as references": (["a cat"], b"a cat", "references is b'a cat'", "list"),
    "None as hypotheses": (None, ["a cat"], "hypotheses is None", "list"),
    "None as references": (["a cat"], None, "references is None", "list"),
    "a number as hypotheses": (5, ["a cat"], "hypotheses is 5", "list"),
    "a dict as hypotheses": ({"a": 1}, ["a"], "hypotheses is {'a': 1} (dict)", "list"),
    "a set as hypotheses": ({"a"}, ["a"], "hypotheses is {'a'} (set)", "list"),
    "a dict as references": (["a"], {"a": 1}, "references is {'a': 1} (dict)", "list"),
    "a set of references": (["a"], [{"a"}], "references[0] is {'a'} (set)", "list"),
    "a dict as tokens": ([["a"], {"a": 1}], [[["a"]]] * 2, "hypotheses[1] is {'a': 1} (dict)", "sequence of tokens"),
    "None as a hypothesis": (["a", None], ["a", "b"], "hypotheses[1] is None", "empty string"),
    "bytes as a hypothesis": (["a", b"b"], ["a", "b"], "hypotheses[1] is bytes", "decode"),
    "bytes alone": ([b"a b"], [[b"a b"]], "hypotheses[0] is bytes", "decode"),
    "a bytearray": ([bytearray(b"a b")], [[bytearray(b"a b")]], "hypotheses[0] is bytes", "decode"),
    "a view of bytes": ([memoryview(b"a b")], [[memoryview(b"a b")]], "hypotheses[0] is bytes", "decode"),
    "bytes as a reference": (["a"], [["a", b"b"]], "references[0][1] is bytes", "decode"),
    "a number as text": (["a", 5], ["a", "b"], "hypotheses[1] is 5 (int)", "a string or a sequence of tokens"),
    "numbers as texts": ([1, 2], ["a", "b"], "hypotheses[0] is 1 (int)", "a string or a sequence of tokens"),
    "an array of numbers": (np.array([1, 2]), ["a", "b"], "hypotheses[0] is", "a string or a sequence of tokens"),
    "NaN as text": (["a", float("nan")], ["a", "b"], "hypotheses[1] is missing (nan)", "empty string"),
    "NaN of NumPy": (["a", np.float32("nan")], ["a", "b"], "hypotheses[1] is missing (nan)", "empty string"),
    "NaN as an entry": (["a", "b"], ["a", float("nan")], "references[1] is missing (nan)", ONE_REFERENCE),
    "NaN as a reference": (["a"], [["a", float("nan")]], "references[0][1] is missing (nan)", "pass None"),
    "a number as a reference": (["a"], [5], "references[0] is 5 (int)", "list"),
    "a number among references": (["a"], [["a", 5]], "references[0][1] is 5 (int)", "a string or"),
    "more hypotheses": (["a", "b", "c"], ["a", "b"], "but 2 entries", "one entry per hypothesis"),
    "more references": (["a"], ["a", "b"], "but 2 entries", "one entry per hypothesis"),
    "no references": (["a"], [], "but 0 entries", "one entry per hypothesis"),
    "no hypotheses": ([], ["a"], "but 1 entr", "one entry per hypothesis"),
    "an empty entry": (["a", "b"], [["a"], []], "references[1] is empty", ONE_REFERENCE),
    "an entry of None": (["a", "b"], ["a", None], "references[1] is None", ONE_REFERENCE),
    "only missing ones": (["a", "b"], [["a"], [None, None]], "references[1] has only missing", ONE_REFERENCE),
    "an empty entry of tokens": ([["a"]], [[]], "references[0] is empty", ONE_REFERENCE),
    "missing ones of tokens": ([[1]], [[None]], "references[0] has only missing", ONE_REFERENCE),
    "a stream": (["a", "b", "c"], [["a", "b", "c"]], "but 1 entr", "refscore.from_streams"),
    "streams": (["a", "b", "c"], [["a", "b", "c"], ["d", "e", "f"]], "but 2 entries", "refscore.from_streams"),
    "tuples of streams": (["a"], (("a",), ("b",)), "but 2 entries", "refscore.from_streams"),
    "text, then tokens": (["a", ["b"]], ["a", "b"], "hypotheses[1] is a token sequence", "the first one is text"),
    "tokens, then text": ([["a"], "b"], [[["a"]], [["b"]]], "hypotheses[1] is text", "the first one is tokens"),
    "text and tokens": (["a"], [[["a"]]], "references[0][0] is a token sequence", "all as text or all as tokens"),
    "tokens and text": ([["a"]], ["a"], "references[0] is text", "tokenize it"),
    "tokens and texts": ([["a"]], [["a", "b c"]], "references[0] is a list of strings", "[tokens]"),
    "tokens and both": ([["a"]], [[["a"], "b"]], "references[0][1] is text", "all as text or all as tokens"),
    "text and ids": (["a"], [np.array([[1]])], "references[0][0] is a token sequence", "all as text"),
    "text and a batch": (["a"], np.array([[1]]), "text", "tokenize the text"),
    "a batch and text": (np.array([[1]]), ["a"], "references[0] is text", "tokenize it"),
    "a flat reference": ([["a", "b"]], [["a", "b"]], "references[0] is a list of strings", "wrap"),
    "a flat reference of ids": ([[1, 2]], [[1, 2]], "references[0] is a single token sequence", "wrap it in a list"),
    "a flat array": ([[1, 2]], [np.array([1, 2])], "references[0] is a single token sequence", "wrap it in a list"),
    "a flat array for a batch": (np.array([[1, 2]]), [[1, 2]], "references[0] is a single token sequence", "wrap it"),
    "an unhashable token": ([["a", ["b"]]], [[["a"]]], "hypotheses[0][1] is ['b'] (list)", "hashable"),
    "an unhashable token there": ([["a"]], [[["a"], ["a", {}]]], "references[0][1][1] is {} (dict)", "hashable"),
    "unhashable inside": ([["a", (["b"],)]], [[["a"]]], "hypotheses[0][1] is (['b'],) (tuple)", "hashable"),
    "tensors as tokens": ([[Tensor(1)]], [[[Tensor(1)]]], "hypotheses[0][0] is", "token"),
    "a masked batch": (MASKED, [[[1, 2]], [[4]]], "hypotheses is an array with masked values", "lengths="),
    "masked references": ([[1, 2], [4]], MASKED, "references is an array with masked values", "lengths="),
    "masked segments": ([[1, 2], MASKED[1]], [[[1]], [[4]]], "hypotheses[1] is an array with masked values", "pad_id="),
    "masked entries": ([[1]], [[MASKED[1]]], "references[0][0] is an array with masked values", "pad_id="),
    "masked text": (np.ma.array(["a", "b"], mask=[0, 1]), ["a", "b"], "hypotheses is an array with mask", "lengths="),
    "an array without dimensions": (np.array(5), ["a"], "hypotheses is", "list"),
    "references without dimensions": (["a"], np.array(5), "references is", "list"),
    "an entry without dimensions": (["a"], [np.array(5)], "references[0] is", "list"),
    "a segment without dimensions": ([np.array(5)], [[[5]]], "hypotheses[0] is an array of int64", "pass a 1-D array"),
    "a tensor without dimensions": (Tensor(5), ["a"], "hypotheses is", "list"),
    "an array of floats": ([np.array([1.5, 2])], [[[1, 2]]], "hypotheses[0] is an array of float64", "integers"),
    "a batch of floats": (np.ones((2, 3)), np.ones((2, 3), int), "hypotheses[0] is an array of float64", "integers"),
    "references of floats": ([[1]], [[np.array([1.0])]], "references[0][0] is an array of float64", "integers"),
    "a segment of two dimensions": (
        [np.ones((2, 2), int)],
        [[[1]]],
        "hypotheses[0] is an array of int64",
        "pass a 1-D",
    ),
    "hypotheses of 3 dimensions": (np.ones((2, 2, 2), int), np.ones((2, 2), int), "hypotheses has 3 dimensions", "2"),
    "padded of 3 dimensions": (refscore.padded(np.ones((1, 1, 1), int)), [[[1]]], "hypotheses has 3 dimen", "segments"),
    "references of 4 dimensions": (
        [[1]],
        np.ones((1, 1, 1, 1), int),
        "references has 4 dimensions",
        "3 (segments, references, tokens)",
    ),
    "a batch without references": ([[1]], np.ones((1, 0, 4), int), "references[0] is empty", ONE_REFERENCE),
    "ids beyond 64 bits": (np.array([[2**63]], "uint64"), np.array([[1]]), "hypotheses has an id of 2**63", "64-bit"),
    "a tensor elsewhere": ([RemoteTensor([1])], [[[1]]], "hypotheses[0] cannot be read", ".cpu()"),
    "a batch elsewhere": ([[1]], RemoteTensor([[1]]), "references cannot be read", ".cpu()"),
}


@pytest.mark.parametrize(("hypotheses", "references", "place", "fix"), BAD.values(), ids=BAD)
def test_mistakes(hypotheses, references, place, fix):
    for metric in (METRIC, PREPARING):
        for method in (metric.stats, metric.segments, metric.corpus):
            with pytest.raises(refscore.InputError) as caught:
                method(hypotheses, references)
            assert place in str(caught.value)
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
    ("references", "place"),
    [
        ("a cat", "references is a string"),
        (None, "references is None"),
        (5, "references is 5"),
        (np.array(5), "references is"),
        ([None], "references[0] is None"),
        ([["a"], []], "references[1] is empty"),
        ([[None], ["a"]], "references[0] has only missing"),
        ([["a"], 5], "references[1] is 5"),
        ([[None], 5], "references["),
        ([["a"], [["a"]]], "references[1][0] is a token sequence but the first reference is text"),
        ([[["a"]], ["a"]], "references[1] is a list of strings"),
        ([[["a", []]]], "references[0][0][1] is [] (list)"),
        ([[["a", ([],)]]], "references[0][0][1] is ([],) (tuple)"),
        (np.ones((2, 0, 3), int), "references[0] is empty"),
    ],
)
def test_mistakes_while_preparing(references, place):
    with pytest.raises(refscore.InputError) as caught:
        METRIC.prepare(references)
    assert place in str(caught.value)


@pytest.mark.parametrize(
    ("hypothesis", "references", "place"),
    [
        (None, ["a"], "hypothesis is None"),
        (5, ["a"], "hypothesis is 5 (int)"),
        (b"a", ["a"], "hypothesis is bytes"),
        ("a", None, "references is None"),
        ("a", [], "references is empty"),
        ("a", [None], "references has only missing"),
        ("a", 5, "references is 5 (int)"),
        ("a", ["a", 5], "references[1] is 5 (int)"),
        ("a", [["a"]], "references[0] is a token sequence but the hypothesis is text"),
        (["a"], ["a", "b"], "references is a list of strings but the hypothesis is tokens"),
        (["a"], "a", "references is text but the hypothesis is tokens"),
        (["a", []], [["a"]], "hypothesis[1] is [] (list)"),
        (["a"], [["a"], ["b", []]], "references[1][1] is [] (list)"),
        ([1, 2], [1, 2], "references is a single token sequence"),
    ],
)
def test_mistakes_in_one_segment(hypothesis, references, place):
    for metric in (METRIC, PREPARING):
        with pytest.raises(refscore.InputError) as caught:
            metric.segment(hypothesis, references)
        assert place in str(caught.value)
        assert "hypotheses" not in str(caught.value)


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
