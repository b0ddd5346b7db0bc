"""Error locations: in single segments, in blocks of Python tokenizers, in groups, in prepared references."""

import pickle
from array import array

import numpy as np
import pytest

import refscore
from refscore import InputError
from refscore.cli.option_group import as_option
from refscore.errors import (
    ALL_METRICS,
    Argument,
    EmptyReferenceError,
    LimitError,
    Location,
    arguments_shown_as,
    relocated,
)
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
        for references, reference in [("", None), ([""], 0), (["a", ""], 1), ([None, "a", ""], 2)]:
            with raises_at(EmptyReferenceError, side="references", reference=reference):
                call("a b", references)
    with raises_at(EmptyReferenceError, side="references", reference=1):
        metric.segment("a b", metric.prepare([["a", ""]]))


@every_tokenizer
@pytest.mark.parametrize("segment", [4096, *(pytest.param(place, marks=pytest.mark.slow) for place in (3, 4095, 4999))])
def test_empty_references_in_blocks(tokenizer, segment):
    metric = RIBES(tokenizer=tokenizer, lowercase=segment % 2 == 0)
    texts = ["a b"] * SIZE
    for references, reference in [
        ([*texts[:segment], "", *texts[segment + 1 : -1], ""], None),
        ([*([text, text] for text in texts[:segment]), ["a", ""], *texts[segment + 1 :]], 1),
    ]:
        for method, threads in [(metric.corpus, 1), (metric.corpus, None), (metric.stats, None), (metric.segments, 1)]:
            with raises_at(EmptyReferenceError, side="references", segment=segment, reference=reference):
                method(texts, references, threads=threads)
    with raises_at(EmptyReferenceError, side="references", segment=segment):
        metric.corpus(["", *texts[1:]], metric.prepare([*references[:segment], "", *texts[segment + 1 :]]))


# Ways to write tokens.
FORMS = {
    "lists": list,
    "arrays": lambda tokens: np.array(tokens, "int32"),
    "array.array": lambda tokens: array("q", tokens),
    "strings": lambda tokens: [str(token) for token in tokens],
    "objects": lambda tokens: [(token,) for token in tokens],
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("size", [10, pytest.param(6000, marks=pytest.mark.slow)])
def test_empty_references_of_tokens(form, size):
    hypotheses, references = [form([1, 2])] * size, [[form([2, 1]), form([1])] for _ in range(size)]
    references[size - 2][1] = references[size - 1][0] = form([])
    for threads in (1, 3, None):
        with raises_at(EmptyReferenceError, side="references", segment=size - 2, reference=1):
            RIBES().corpus(hypotheses, references, threads=threads)
    with raises_at(EmptyReferenceError, side="references", reference=1):
        RIBES().segment(form([1]), references[size - 2])


def test_empty_references_of_batches():
    batch = np.array([[1, 2, 0], [3, 0, 0], [0, 0, 0], [0, 0, 0]])
    several = np.stack([batch, np.ones_like(batch)], axis=1)[:, ::-1].copy()
    for references, reference in [
        (refscore.inputs.padded(batch, pad_id=0), None),
        (refscore.inputs.padded(batch, lengths=[2, 1, 0, 0]), None),
        (refscore.inputs.padded(several, pad_id=0), 1),
    ]:
        with raises_at(EmptyReferenceError, side="references", segment=2, reference=reference):
            RIBES().corpus(batch, references)


@pytest.mark.parametrize(
    "metric", [refscore.BLEU(tokenizer=bad_words), refscore.CER(tokenizer=bad_words)], ids=["words", "characters"]
)
@pytest.mark.parametrize("segment", [4096, *(pytest.param(place, marks=pytest.mark.slow) for place in (0, 4095, 5000))])
def test_bad_tokens_in_blocks(metric, segment):
    texts = ["a b"] * SIZE
    bad = [*texts[:segment], "bad", *texts[segment + 1 :]]
    in_references = {"side": "references", "segment": segment, "reference": 0, "token": 0}
    for method in (metric.corpus, metric.stats, metric.segments):
        with raises_at(InputError, side="hypotheses", segment=segment, token=0):
            method(bad, texts)
        with raises_at(InputError, **in_references):
            method(texts, bad)
    with raises_at(InputError, **in_references):
        metric.prepare(bad)
    with raises_at(InputError, side="hypothesis", token=0):
        metric.segment("bad", "a")
    with raises_at(InputError, side="references", reference=1, token=0):
        metric.segment("a", ["a", "bad"])


@pytest.mark.parametrize(
    "tokenizer", [lambda text: text, lambda text: None, len, str.encode], ids=["text", "nothing", "len", "encode"]
)
def test_functions_that_are_no_tokenizers(tokenizer):
    metric = refscore.BLEU(tokenizer=tokenizer)
    for call in (metric.corpus, metric.pairwise, lambda texts, _: metric.prepare(texts)):
        with raises_at(InputError, "the tokenizer returned"):
            call(["a b"], ["a b"])
    for call in (metric.explain, metric.segment):
        with raises_at(InputError, "the tokenizer returned"):
            call("a b", "a b")


def test_errors_of_tokenizers_come_through():
    with pytest.raises(ZeroDivisionError):
        refscore.BLEU(tokenizer=lambda text: 1 / 0).corpus(["a"], ["a"])


METRICS = [refscore.BLEU(), refscore.BLEU(tokenizer=str.split), refscore.CHRF(), RIBES(), Overlap(tokenizer="none")]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: f"{metric.name} {metric.pipeline}"[:30])
def test_groups_of_pairs(metric):
    for hypotheses, references, location in [
        (["a", None], ["a"], {"side": "hypotheses", "segment": 1}),
        (["a"], ["a", None], {"side": "references", "segment": 1}),
        ([["a"], ["b", None]], [["a"], ["b"]], {"side": "hypotheses", "group": 1, "segment": 1}),
        ([["a"], ["b"]], [["a"], ["b", 5]], {"side": "references", "group": 1, "segment": 1}),
        ([["a"], ["b"]], [["a"]], {}),
        ([["a"]], ["a"], {}),
        (["a"], [["a"]], {}),
    ]:
        with raises_at(InputError, **location):
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
    groups = [["a"], ["b"]], [["a"], ["b", "c"]]
    for texts, weights, location in [
        ((["a"], ["a", "b"]), [1, -1], {"segment": 1}),
        ((["a"], ["a", "b"]), [1], {}),
        ((["a"], ["a", "b"]), [0, 0], {}),
        ((["a"], ["a", "b"]), ["1", "1"], {}),
        (groups, [[1], [-1, 1]], {"group": 1, "segment": 0}),
        (groups, [[1]], {}),
    ]:
        with raises_at(InputError, side="weights", **location):
            refscore.BLEU().aggregate(*texts, weights=weights)


def test_arguments_in_fixes_are_data():
    original = InputError(Location("references", 3), "has no words", ("pass ", Argument("empty", "skip"), " or text"))
    for error in (original, pickle.loads(pickle.dumps(original)), original.at(Location("references", 3))):
        assert str(error) == "references[3] has no words: pass empty='skip' or text"
        with arguments_shown_as(lambda argument: f"--{argument.name} {argument.value}"):
            assert (error.fix, error.location) == ("pass --empty skip or text", original.location)
        assert error.fix == "pass empty='skip' or text"
    for argument, option in [
        (Argument("max_missing"), "--max-missing"),
        (Argument("max_missing", 0.5), "--max-missing 0.5"),
        (Argument("partial", True), "--partial"),
        (Argument("empty_reference", "skip", "ribes"), "--set ribes.empty_reference=skip"),
        (Argument("lowercase", True, ALL_METRICS), "--set '*.lowercase=yes'"),
    ]:
        assert as_option(argument) == option


@pytest.mark.parametrize("error", [InputError, EmptyReferenceError, LimitError])
def test_errors_are_moved_and_pickled_without_changing_their_class(error):
    original = error(Location("hypotheses", segment=3, token=1), "is wrong", "do this")
    place = {"side": "hypotheses", "segment": 13, "token": 1}
    with raises_at(error, "is wrong: do this", **place) as caught, relocated(lambda location: location.after(10)):
        raise original
    assert str(caught.value) == "hypotheses[13][1] is wrong: do this"
    assert caught.value.__cause__ is None
    moved = original.at(Location(file="a.txt", line=4), fix="")
    assert type(moved) is error
    assert str(moved) == "line 4 of a.txt is wrong"
    copy = pickle.loads(pickle.dumps(original))
    assert (type(copy), str(copy), copy.location) == (error, str(original), original.location)
    with raises_at(error, "nowhere"), relocated(lambda location: location.after(10)):
        raise error(None, "nowhere")


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
