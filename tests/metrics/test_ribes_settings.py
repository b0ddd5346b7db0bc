"""RIBES' settings as objects, and the location of an empty reference."""

from array import array

import numpy as np
import pytest

import refscore
from refscore import EmptyReferenceError
from tests.locations import raises_at
from tests.reference import ribes as oracle

RIBES = refscore.RIBES


@pytest.mark.parametrize("name", oracle.PRESETS)
def test_presets(name):
    metric, setting = RIBES.preset(name), oracle.PRESETS[name]
    assert {field: getattr(metric, field) for field in vars(setting)} == vars(setting)
    assert (metric.tokenizer, metric.lowercase, metric.normalize) == ("none", oracle.LOWERCASE[name], "none")
    assert RIBES.preset(name, alpha=1, lowercase="ascii").lowercase == "ascii"
    assert RIBES.preset(name, correlation="rho") != metric
    assert set(RIBES.presets) == set(oracle.PRESETS)


def test_equality():
    assert RIBES() == RIBES.preset("official") == RIBES(alpha=0.25, beta=0.1)
    assert RIBES.preset("nltk") != RIBES.preset("nltk-3.9") == RIBES.preset("nltk", correlation="tau-runs")
    assert RIBES(alpha=1) == RIBES(alpha=1.0) == RIBES(alpha=np.float32(1))
    assert hash(RIBES(alpha=1)) == hash(RIBES(alpha=1.0))
    assert RIBES(alpha=1).signature == RIBES(alpha=1.0).signature
    assert RIBES() != refscore.BLEU()


def test_signatures():
    version = f"version:{refscore.__version__}"
    assert RIBES().signature == (
        "ribes|case:lc|norm:none|tok:none|alpha:0.25|beta:0.1|first:left|limit:none|corr:tau|single:reference|"
        f"empty:error|{version}"
    )
    assert RIBES.preset("nltk", alpha=1).signature == (
        "ribes|case:mixed|norm:none|tok:none|alpha:1.0|beta:0.1|first:right|limit:nltk|corr:tau-nltk|single:zero|"
        f"empty:zero|{version}"
    )


# The location of an empty reference. tests/metrics/test_locations.py has texts, tokenizers, blocks and pairs.


TOKENIZERS = {"native": "none", "function": str.split, "numbers": lambda text: [len(word) for word in text.split()]}
FORMS = {
    "lists": list,
    "tuples": tuple,
    "arrays": lambda tokens: np.array(tokens, "int32"),
    "array.array": lambda tokens: array("q", tokens),
    "strings": lambda tokens: [str(token) for token in tokens],
}


@pytest.mark.parametrize("tokenizer", TOKENIZERS.values(), ids=TOKENIZERS)
def test_the_first_empty_reference_of_text_in_its_own_case(tokenizer):
    references = [["a b", "b a c"] for _ in range(10)]
    references[5][1] = references[7][0] = references[9][0] = ""
    for threads in (1, 7, None):
        with raises_at(EmptyReferenceError, side="references", segment=5, reference=1):
            RIBES(tokenizer=tokenizer, lowercase=False).corpus(["a b c"] * 10, references, threads=threads)


@pytest.mark.parametrize("make", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("size", [10, pytest.param(6000, marks=pytest.mark.slow)])
def test_the_first_empty_reference_of_tokens(make, size):
    hypotheses, references = [make([1, 2])] * size, [[make([2, 1]), make([1])] for _ in range(size)]
    references[size - 2][1] = references[size - 1][0] = make([])
    for threads in (1, 3, None):
        with raises_at(EmptyReferenceError, side="references", segment=size - 2, reference=1):
            RIBES().corpus(hypotheses, references, threads=threads)
    references[3] = [make([])]
    for threads in (1, 3, None):
        with raises_at(EmptyReferenceError, side="references", segment=3, reference=0):
            RIBES().stats(hypotheses, references, threads=threads)


def test_the_first_empty_reference_of_objects():
    references = [[[None, 1.5]], [[(), "a"], []], [[]]]
    with raises_at(EmptyReferenceError, side="references", segment=1, reference=1):
        RIBES().corpus([["a"]] * 3, references)


def test_the_first_empty_reference_of_batches():
    batch = np.array([[1, 2, 0], [3, 0, 0], [0, 0, 0], [0, 0, 0]])
    for references in (
        refscore.padded(batch, pad_id=0),
        refscore.padded(batch, lengths=[2, 1, 0, 0]),
    ):
        with raises_at(EmptyReferenceError, side="references", segment=2):
            RIBES().corpus(batch, references)
    several = np.stack([batch, np.ones_like(batch)], axis=1)[:, ::-1].copy()
    with raises_at(EmptyReferenceError, side="references", segment=2, reference=1):
        RIBES().corpus(batch, refscore.padded(several, pad_id=0))


def test_an_empty_hypothesis_does_not_hide_an_empty_reference():
    with raises_at(EmptyReferenceError, side="references", segment=1):
        RIBES().corpus(["", ""], ["a", ""])
