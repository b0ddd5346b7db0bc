"""Hypotheses and references that cannot be scored: location, problem and fix."""

import numpy as np
import pytest

import refscore
from refscore.data_warnings import TokenizedTextWarning
from tests.test_inputs import METRIC, PREPARING, Tensor


class RemoteTensor(Tensor):
    def __dlpack__(self, **options):
        raise BufferError("the data is on a GPU")


MASKED = np.ma.array([[1, 2, 3], [4, 5, 6]], mask=[[0, 0, 1], [0, 1, 1]])
BAD = {
    "a string of hypotheses": ("a cat", ["a cat"], "hypotheses"),
    "a string of references": (["a cat"], "a cat", "references"),
    "bytes as hypotheses": (b"a cat", ["a cat"], "hypotheses"),
    "bytes as references": (["a cat"], b"a cat", "references"),
    "None as hypotheses": (None, ["a cat"], "hypotheses"),
    "None as references": (["a cat"], None, "references"),
    "a number as hypotheses": (5, ["a cat"], "hypotheses"),
    "a dict as hypotheses": ({"a": 1}, ["a"], "hypotheses"),
    "a set as hypotheses": ({"a"}, ["a"], "hypotheses"),
    "a dict as references": (["a"], {"a": 1}, "references"),
    "a set of references": (["a"], [{"a"}], "references[0]"),
    "a dict as tokens": ([["a"], {"a": 1}], [[["a"]]] * 2, "hypotheses[1]"),
    "None as a hypothesis": (["a", None], ["a", "b"], "hypotheses[1]"),
    "bytes as a hypothesis": (["a", b"b"], ["a", "b"], "hypotheses[1]"),
    "bytes alone": ([b"a b"], [[b"a b"]], "hypotheses[0]"),
    "a bytearray": ([bytearray(b"a b")], [[bytearray(b"a b")]], "hypotheses[0]"),
    "a view of bytes": ([memoryview(b"a b")], [[memoryview(b"a b")]], "hypotheses[0]"),
    "bytes as a reference": (["a"], [["a", b"b"]], "references[0][1]"),
    "a number as text": (["a", 5], ["a", "b"], "hypotheses[1]"),
    "numbers as texts": ([1, 2], ["a", "b"], "hypotheses[0]"),
    "an array of numbers": (np.array([1, 2]), ["a", "b"], "hypotheses[0]"),
    "NaN as text": (["a", float("nan")], ["a", "b"], "hypotheses[1]"),
    "NaN of NumPy": (["a", np.float32("nan")], ["a", "b"], "hypotheses[1]"),
    "NaN as an entry": (["a", "b"], ["a", float("nan")], "references[1]"),
    "NaN as a reference": (["a"], [["a", float("nan")]], "references[0][1]"),
    "a number as a reference": (["a"], [5], "references[0]"),
    "a number among references": (["a"], [["a", 5]], "references[0][1]"),
    "more hypotheses": (["a", "b", "c"], ["a", "b"], None),
    "more references": (["a"], ["a", "b"], None),
    "no references": (["a"], [], None),
    "no hypotheses": ([], ["a"], None),
    "an empty entry": (["a", "b"], [["a"], []], "references[1]"),
    "an entry of None": (["a", "b"], ["a", None], "references[1]"),
    "only missing ones": (["a", "b"], [["a"], [None, None]], "references[1]"),
    "an empty entry of tokens": ([["a"]], [[]], "references[0]"),
    "missing ones of tokens": ([[1]], [[None]], "references[0]"),
    "a stream": (["a", "b", "c"], [["a", "b", "c"]], None),
    "streams": (["a", "b", "c"], [["a", "b", "c"], ["d", "e", "f"]], None),
    "tuples of streams": (["a"], (("a",), ("b",)), None),
    "text, then tokens": (["a", ["b"]], ["a", "b"], "hypotheses[1]"),
    "tokens, then text": ([["a"], "b"], [[["a"]], [["b"]]], "hypotheses[1]"),
    "text and tokens": (["a"], [[["a"]]], "references[0][0]"),
    "tokens and text": ([["a"]], ["a"], "references[0]"),
    "tokens and texts": ([["a"]], [["a", "b c"]], "references[0]"),
    "tokens and both": ([["a"]], [[["a"], "b"]], "references[0][1]"),
    "text and ids": (["a"], [np.array([[1]])], "references[0][0]"),
    "text and a batch": (["a"], np.array([[1]]), None),
    "a batch and text": (np.array([[1]]), ["a"], "references[0]"),
    "a flat reference": ([["a", "b"]], [["a", "b"]], "references[0]"),
    "a flat reference of ids": ([[1, 2]], [[1, 2]], "references[0]"),
    "a flat array": ([[1, 2]], [np.array([1, 2])], "references[0]"),
    "a flat array for a batch": (np.array([[1, 2]]), [[1, 2]], "references[0]"),
    "an unhashable token": ([["a", ["b"]]], [[["a"]]], "hypotheses[0][1]"),
    "an unhashable token there": ([["a"]], [[["a"], ["a", {}]]], "references[0][1][1]"),
    "unhashable inside": ([["a", (["b"],)]], [[["a"]]], "hypotheses[0][1]"),
    "tensors as tokens": ([[Tensor(1)]], [[[Tensor(1)]]], "hypotheses[0][0]"),
    "a masked batch": (MASKED, [[[1, 2]], [[4]]], "hypotheses"),
    "masked references": ([[1, 2], [4]], MASKED, "references"),
    "masked segments": ([[1, 2], MASKED[1]], [[[1]], [[4]]], "hypotheses[1]"),
    "masked entries": ([[1]], [[MASKED[1]]], "references[0][0]"),
    "masked text": (np.ma.array(["a", "b"], mask=[0, 1]), ["a", "b"], "hypotheses"),
    "an array without dimensions": (np.array(5), ["a"], "hypotheses"),
    "references without dimensions": (["a"], np.array(5), "references"),
    "an entry without dimensions": (["a"], [np.array(5)], "references[0]"),
    "a segment without dimensions": ([np.array(5)], [[[5]]], "hypotheses[0]"),
    "a tensor without dimensions": (Tensor(5), ["a"], "hypotheses"),
    "an array of floats": ([np.array([1.5, 2])], [[[1, 2]]], "hypotheses[0]"),
    "a batch of floats": (np.ones((2, 3)), np.ones((2, 3), int), "hypotheses[0]"),
    "references of floats": ([[1]], [[np.array([1.0])]], "references[0][0]"),
    "a segment of two dimensions": ([np.ones((2, 2), int)], [[[1]]], "hypotheses[0]"),
    "hypotheses of 3 dimensions": (np.ones((2, 2, 2), int), np.ones((2, 2), int), "hypotheses"),
    "padded of 3 dimensions": (refscore.inputs.padded(np.ones((1, 1, 1), int)), [[[1]]], "hypotheses"),
    "references of 4 dimensions": ([[1]], np.ones((1, 1, 1, 1), int), "references"),
    "a batch without references": ([[1]], np.ones((1, 0, 4), int), "references[0]"),
    "ids beyond 64 bits": (np.array([[2**63]], "uint64"), np.array([[1]]), "hypotheses"),
    "a tensor elsewhere": ([RemoteTensor([1])], [[[1]]], "hypotheses[0]"),
    "a batch elsewhere": ([[1]], RemoteTensor([[1]]), "references"),
}


@pytest.mark.parametrize(("hypotheses", "references", "location"), BAD.values(), ids=BAD)
def test_mistakes(hypotheses, references, location):
    for metric in (METRIC, PREPARING):
        for method in (metric.stats, metric.segments, metric.corpus):
            with pytest.raises(refscore.InputError) as caught:
                method(hypotheses, references)
            assert location == (caught.value.location and str(caught.value.location))
            assert caught.value.problem and caught.value.fix


@pytest.mark.parametrize(
    ("case", "fix"),
    {
        "None as a hypothesis": "empty string",
        "bytes as a hypothesis": "decode",
        "streams": "refscore.from_streams",
        "tokens and texts": "[tokens]",
        "a flat reference": "wrap",
        "a masked batch": "lengths=",
        "a tensor elsewhere": ".cpu()",
    }.items(),
)
def test_fixes(case, fix):
    with pytest.raises(refscore.InputError) as caught:
        METRIC.stats(*BAD[case][:2])
    assert fix in caught.value.fix


def test_streams_are_explained_by_every_way_in():
    texts, streams = BAD["streams"][:2]
    for call in (refscore.scores, refscore.evaluate, refscore.segment_scores):
        with pytest.raises(refscore.InputError, match=r"use refscore\.from_streams\(references\)"):
            call(texts, streams, "bleu")
    for systems in ({"x": texts}, {"x": [texts, texts]}):
        with pytest.raises(refscore.InputError, match=r"use refscore\.from_streams\(references\)"):
            refscore.evaluate(systems, streams, "bleu")


@pytest.mark.parametrize("method", ["corpus", "segment", "segments", "stats", "explain", "prepare"])
def test_methods_of_a_class_need_a_metric(method):
    side = "a cat" if method in ("segment", "explain") else ["a cat"]
    with pytest.raises(refscore.SettingError, match=rf"^{method} is .*, as in refscore\.BLEU\(\)\.{method}\(\.\.\.\)$"):
        getattr(refscore.WER, method)(side, side)


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
        *((references, "references") for references in ("a cat", None, 5, np.array(5))),
        *((references, "references[0]") for references in ([None], [[None], ["a"]], np.ones((2, 0, 3), int))),
        *((references, "references[1]") for references in ([["a"], []], [["a"], 5], [[["a"]], ["a"]], [[None], 5])),
        ([["a"], [["a"]]], "references[1][0]"),
        *((references, "references[0][0][1]") for references in ([[["a", []]]], [[["a", ([],)]]])),
    ],
)
def test_mistakes_while_preparing(references, location):
    with pytest.raises(refscore.InputError) as caught:
        METRIC.prepare(references)
    assert str(caught.value.location) == location


@pytest.mark.parametrize(
    ("hypothesis", "references", "location"),
    [
        *((hypothesis, ["a"], "hypothesis") for hypothesis in (None, 5, b"a")),
        *(("a", references, "references") for references in (None, [], [None], 5)),
        *((["a"], references, "references") for references in (["a", "b"], "a")),
        ([1, 2], [1, 2], "references"),
        ("a", ["a", 5], "references[1]"),
        ("a", [["a"]], "references[0]"),
        (["a", []], [["a"]], "hypothesis[1]"),
        (["a"], [["a"], ["b", []]], "references[1][1]"),
    ],
)
def test_mistakes_in_one_segment(hypothesis, references, location):
    for metric in (METRIC, PREPARING):
        with pytest.raises(refscore.InputError) as caught:
            metric.segment(hypothesis, references)
        assert str(caught.value.location) == location


ONES = np.ones((2, 2), int)


@pytest.mark.parametrize(
    ("array", "options", "named"),
    [
        ([[1, 2]], {}, "array"),
        (np.array([1, 2]), {}, "1 dimensions"),
        (np.ones((1, 1, 1, 1), int), {}, "4 dimensions"),
        (np.ones((2, 2)), {}, "float64"),
        (np.ones((2, 2), bool), {}, "bool"),
        (np.full((1, 1), 2**63, "uint64"), {}, "64-bit"),
        (RemoteTensor([[1]]), {}, r"\.cpu\(\)"),
        (ONES, {"pad_id": 0, "lengths": [1, 1]}, "pad_id.*lengths|lengths.*pad_id"),
        *((ONES, {"pad_id": pad}, "pad_id") for pad in (0.0, True, "0")),
        *(
            (ONES, {"lengths": lengths}, r"shape \(2,\)")
            for lengths in ([1], [[1, 1]], [[1], [1, 1]], 1, [1.0, 1.0], ["1", "1"])
        ),
        *((ONES, {"lengths": lengths}, "between 0 .* 2") for lengths in ([1, 3], [-1, 1])),
        (np.ones((2, 3, 4), int), {"lengths": [1, 1]}, r"shape \(2, 3\)"),
    ],
)
def test_mistakes_in_padded(array, options, named):
    with pytest.raises(refscore.InputError, match=named):
        refscore.inputs.padded(array, **options)


def test_from_streams():
    assert refscore.from_streams([["a", "b"], ["c", None]]) == [["a", "c"], ["b", None]]
    assert refscore.from_streams(stream for stream in [iter("ab")]) == [["a"], ["b"]]
    assert refscore.from_streams([]) == []
    for streams, location in [
        ("ab", "streams"),
        (["ab"], "streams[0]"),
        ([["a"], ["a", "b"]], "streams[1]"),
        (None, "streams"),
        ([["a"], None], "streams[1]"),
        ([5], "streams[0]"),
    ]:
        with pytest.raises(refscore.InputError) as caught:
            refscore.from_streams(streams)
        assert str(caught.value.location) == location


@pytest.mark.parametrize(
    "read",
    [
        refscore.WER().values,
        lambda rows: refscore.WER().score(rows[0]),
        lambda rows: refscore.Evaluation("wer").add_rows(rows),
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


def test_token_lists_that_fit_reads_as_references():
    with pytest.warns(TokenizedTextWarning, match=r'as in \[\[\["int", "a"\]\], \[\["b"\]\]\]'):
        refscore.CrystalBLEU.fit([["int", "a"], ["b", "c"]])
