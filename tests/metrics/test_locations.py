"""Error locations: in single segments, in blocks of Python tokenizers, in groups, in prepared references."""

import pickle

import numpy as np
import pytest

import refscore
from refscore import EmptyReferenceError, InputError
from refscore.errors import LimitError, Location, relocated
from tests.locations import raises_at
from tests.python_metrics import Overlap

RIBES = refscore.RIBES
TOKENIZERS = {"native": "none", "function": str.split, "numbers": lambda text: [len(word) for word in text.split()]}
SIZE = 5001  # more than one block of 4,096


def bad_words(text):
    """A tokenizer that returns unhashable tokens for one text."""
    return [[text]] if text == "bad" else text.split()


every_tokenizer = pytest.mark.parametrize("tokenizer", TOKENIZERS.values(), ids=TOKENIZERS)


@every_tokenizer
def test_empty_references_of_one_segment(tokenizer):
    metric = RIBES(tokenizer=tokenizer)
    for call in (metric.segment, metric.value_and_row, metric.explain):
        with raises_at(EmptyReferenceError, "no words", side="references"):
            call("a b", "")
        with raises_at(EmptyReferenceError, side="references", reference=0):
            call("a b", [""])
        with raises_at(EmptyReferenceError, side="references", reference=1):
            call("a b", ["a", ""])
        with raises_at(EmptyReferenceError, side="references", reference=2):  # missing ones count
            call("a b", [None, "a", ""])
    with raises_at(EmptyReferenceError, side="references", reference=1):
        metric.segment("a b", metric.prepare([["a", ""]]))


def test_empty_references_of_tokens_in_one_segment():
    for metric, hypothesis, references in [
        (RIBES(), ["a"], [["a"], []]),
        (RIBES(), [1], [[1], []]),
        (RIBES(), [(1,)], [[(1,)], []]),
        (RIBES(), np.array([1]), [np.array([1]), np.array([], "int64")]),
    ]:
        with raises_at(EmptyReferenceError, side="references", reference=1):
            metric.segment(hypothesis, references)


@every_tokenizer
@pytest.mark.parametrize("segment", [4096, *(pytest.param(place, marks=pytest.mark.slow) for place in (3, 4095, 4999))])
def test_empty_references_in_blocks(tokenizer, segment):
    metric = RIBES(tokenizer=tokenizer)
    texts = ["a b"] * SIZE
    for references, reference in [
        ([*texts[:segment], "", *texts[segment + 1 : -1], ""], None),
        ([*([text, text] for text in texts[:segment]), ["a", ""], *texts[segment + 1 :]], 1),
    ]:
        for method, threads in [(metric.corpus, 1), (metric.corpus, None), (metric.stats, None), (metric.segments, 1)]:
            with raises_at(EmptyReferenceError, side="references", segment=segment, reference=reference):
                method(texts, references, threads=threads)
    with raises_at(EmptyReferenceError, side="references", segment=segment):
        metric.corpus(texts, metric.prepare([*references[:segment], "", *texts[segment + 1 :]]))


@pytest.mark.parametrize(
    "metric", [refscore.BLEU(tokenizer=bad_words), refscore.CER(tokenizer=bad_words)], ids=["words", "characters"]
)
@pytest.mark.parametrize("segment", [4096, *(pytest.param(place, marks=pytest.mark.slow) for place in (0, 4095, 5000))])
def test_bad_tokens_in_blocks(metric, segment):
    texts = ["a b"] * SIZE
    bad = [*texts[:segment], "bad", *texts[segment + 1 :]]
    for method in (metric.corpus, metric.stats, metric.segments):
        with raises_at(InputError, "hashable", side="hypotheses", segment=segment, token=0):
            method(bad, texts)
        with raises_at(InputError, "hashable", side="references", segment=segment, reference=0, token=0):
            method(texts, bad)
    with raises_at(InputError, "hashable", side="references", segment=segment, reference=0, token=0):
        metric.prepare(bad)
    with raises_at(InputError, "hashable", side="hypothesis", token=0):
        metric.segment("bad", "a")
    with raises_at(InputError, "hashable", side="references", reference=1, token=0):
        metric.segment("a", ["a", "bad"])


@pytest.mark.parametrize(
    "tokenizer", [lambda text: text, lambda text: None, len, str.encode], ids=["text", "nothing", "len", "encode"]
)
def test_functions_that_are_no_tokenizers(tokenizer):
    metric = refscore.BLEU(tokenizer=tokenizer)
    for call in (
        lambda: metric.corpus(["a b"], ["a b"]),
        lambda: metric.prepare(["a b"]),
        lambda: metric.pairwise(["a b"], ["a b"]),
        lambda: metric.explain("a b", "a b"),
        lambda: metric.segment("a b", "a b"),
    ):
        with raises_at(InputError, "the tokenizer returned .*: return a list of tokens"):
            call()


def test_errors_of_tokenizers_come_through():
    def tokenizer(text):
        raise LookupError(text)

    with pytest.raises(LookupError):
        refscore.BLEU(tokenizer=tokenizer).corpus(["a"], ["a"])


METRICS = [refscore.BLEU(), refscore.BLEU(tokenizer=str.split), refscore.CHRF(), RIBES(), Overlap(tokenizer="none")]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: f"{metric.name} {metric.pipeline}"[:30])
def test_groups_of_pairs(metric):
    for hypotheses, references, problem, location in [
        (["a", None], ["a"], "None", {"side": "hypotheses", "segment": 1}),
        (["a"], ["a", None], "None", {"side": "references", "segment": 1}),
        ([["a"], ["b", None]], [["a"], ["b"]], "None", {"side": "hypotheses", "group": 1, "segment": 1}),
        ([["a"], ["b"]], [["a"], ["b", 5]], "5", {"side": "references", "group": 1, "segment": 1}),
        ([["a"], ["b"]], [["a"]], "2 groups", {}),
        ([["a"]], ["a"], "both", {}),
        (["a"], [["a"]], "both", {}),
    ]:
        with raises_at(InputError, problem, **location):
            metric.pairwise(hypotheses, references)


def test_empty_references_of_pairs():
    for metric in (RIBES(), RIBES(tokenizer=str.split)):
        with raises_at(EmptyReferenceError, side="references", segment=2):
            metric.pairwise(["a", "b"], ["a", "b", "", ""])
        with raises_at(EmptyReferenceError, side="references", segment=2, reference=1):
            metric.pairwise(["a", "b"], metric.prepare(["a", "b", ["c", ""]]))
        with raises_at(EmptyReferenceError, side="references", group=1, segment=1):
            metric.pairwise([["a"], ["b"]], [["a"], ["b", ""]])


def test_weights_of_groups():
    metric = refscore.BLEU()
    for weights, location in [
        ([1, -1], {"side": "weights", "segment": 1}),
        ([1], {"side": "weights"}),
        ([0, 0], {"side": "weights"}),
        (["1", "1"], {"side": "weights"}),
    ]:
        with raises_at(InputError, **location):
            metric.aggregate(["a"], ["a", "b"], weights=weights)
    with raises_at(InputError, side="weights", group=1, segment=0):
        metric.aggregate([["a"], ["b"]], [["a"], ["b", "c"]], weights=[[1], [-1, 1]])
    with raises_at(InputError, side="weights"):
        metric.aggregate([["a"], ["b"]], [["a"], ["b"]], weights=[[1]])


@pytest.mark.parametrize("error", [InputError, EmptyReferenceError, LimitError])
def test_errors_are_moved_without_changing_their_class(error):
    original = error(Location("hypotheses", segment=3, token=1), "is wrong", "do this")
    place = {"side": "hypotheses", "segment": 13, "token": 1}
    with raises_at(error, "is wrong: do this", **place) as caught, relocated(lambda location: location.after(10)):
        raise original
    assert str(caught.value) == "hypotheses[13][1] is wrong: do this"
    assert caught.value.__cause__ is None
    moved = original.at(Location(file="a.txt", line=4), fix="")
    assert type(moved) is error
    assert str(moved) == "line 4 of a.txt is wrong"
    with raises_at(error, "nowhere"), relocated(lambda location: location.after(10)):
        raise error(None, "nowhere")


def test_errors_can_be_pickled():
    error = pickle.loads(pickle.dumps(LimitError(Location("references", 3, 1), "has 9 tokens", "split it")))
    assert (type(error), str(error)) == (LimitError, "references[3][1] has 9 tokens: split it")
    assert error.location == Location("references", 3, 1)


@pytest.mark.parametrize(
    ("location", "text"),
    [
        (Location("hypotheses"), "hypotheses"),
        (Location("hypotheses", segment=3, token=2), "hypotheses[3][2]"),
        (Location("references", 3, 1, 2).in_group(7), "references[7][3][1][2]"),
        (Location("references", 3, 1).in_one_segment(), "references[1]"),
        (Location("hypotheses", 3).in_one_segment(), "hypothesis"),
        (Location("hypotheses", 3).after(4).on_sides(hypotheses="completions"), "completions[7]"),
        (Location("hypotheses").after(4), "hypotheses"),
        (Location("hypotheses", 3, file="a.txt"), "a.txt"),
        (Location("hypotheses", 3, file="a.tsv", line=4, field="output"), "output in line 4 of a.tsv"),
    ],
)
def test_locations_as_text(location, text):
    assert str(location) == text
