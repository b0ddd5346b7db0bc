"""Mistakes that originals score: a warning and the original's number by default, an error with `strict=True`."""

import importlib

import pytest

import refscore
from refscore import compat
from refscore.compat import nltk as ours
from refscore.compat.overrides import LIBRARIES
from tests.compat.nltk_inputs import ORIGINALS

TEXTS = ["the cat sat", "a dog"]
SENTENCES = [("the cat sat", "the cat sat"), (TEXTS, "the cat is"), ([list("abcde")], "abcdf"), ("ab", list("abcde"))]
CORPORA = [(TEXTS, ["the cat", "a dog"]), ([[text] for text in TEXTS], ["the cat", "a dog"]), ("abc", ["abcdef"] * 3)]
CALLS = [
    *((f"sentence_{name}", case) for name in ("bleu", "gleu", "nist", "ribes") for case in SENTENCES),
    *((f"corpus_{name}", case) for name in ("bleu", "gleu", "nist", "ribes") for case in CORPORA),
    *(("modified_precision", (["abc"], "abd", 2)), ("closest_ref_length", (["abc", "a"], 2))),
    *(("word_rank_alignment", ("ab c", "ab")), ("position_of_ngram", ("at", "cat")), ("corpus_chrf", ("abc", "abd"))),
]


@pytest.mark.filterwarnings("ignore:\\nThe hypothesis contains 0 counts:UserWarning")
@pytest.mark.filterwarnings("ignore:no .-gram of the hypotheses:UserWarning")
@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_strings_of_nltk(name, arguments):
    expected = ORIGINALS[name](*arguments)
    with pytest.warns(compat.DropInWarning, match=r"is a string: .*\. As in nltk, its characters") as issued:
        value = getattr(ours, name)(*arguments)
    assert value == (pytest.approx(expected, abs=1e-15) if name == "corpus_chrf" else expected)
    assert {warning.filename for warning in issued if warning.category is compat.DropInWarning} == {__file__}
    compat.install("nltk", strict=True)
    try:
        with pytest.raises(refscore.InputError, match="is a string"):
            getattr(importlib.import_module(ORIGINALS[name].__module__), name)(*arguments)
    finally:
        compat.uninstall("nltk")
    with pytest.warns(compat.DropInWarning):
        getattr(ours, name)(*arguments)


COLLECTIONS = [b"ab", {"a": 1}, {"a"}, bytearray(b"a"), memoryview(b"ab")]


@pytest.mark.filterwarnings("ignore:no .-gram of the hypotheses:UserWarning")
@pytest.mark.filterwarnings("ignore:\\nThe hypothesis contains 0 counts:UserWarning")
@pytest.mark.parametrize("hypothesis", COLLECTIONS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("name", ["sentence_bleu", "sentence_gleu"])
def test_unordered_collections_of_nltk(name, hypothesis):
    expected = ORIGINALS[name]([["a", "b"]], hypothesis)
    with pytest.warns(compat.DropInWarning, match=r"its items are the tokens"):
        assert getattr(ours, name)([["a", "b"]], hypothesis) == expected


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("library", sorted({*LIBRARIES} - {"lighteval", "lm_eval", "lmms_eval", "torchmetrics"}))
def test_every_library_has_the_option(library, strict):
    compat.install(library, strict=strict)
    compat.uninstall(library)
