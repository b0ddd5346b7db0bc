"""Helpers for the tests of the sacrebleu drop-in: modules of both libraries, and comparison of their objects."""

import copy
import importlib

import numpy as np

MODULES = ["", ".compat", ".metrics", ".sacrebleu", ".significance", ".tokenizers", ".utils", ".version"]
MODULES += [f".metrics.{name}" for name in ("base", "bleu", "chrf", "helpers", "ter")]
MODULES += [f".tokenizers.tokenizer_{name}" for name in ("13a", "base", "char", "intl", "none", "re", "ter", "zh")]


def both(module):
    """Return refscore's and sacrebleu's module."""
    return [importlib.import_module(f"{package}{module}") for package in ("refscore.compat.sacrebleu", "sacrebleu")]


def streams(references):
    """Convert the references of each segment to streams; a missing one is None."""
    width = max(map(len, references))
    return [[entry[k] if k < len(entry) else None for entry in references] for k in range(width)]


def assert_alike(ours, theirs):
    """Check that types, attributes and texts are equal, and numbers to the last bit."""
    if isinstance(theirs, (float, np.floating)):
        assert isinstance(ours, float)
        assert ours == theirs
    elif isinstance(theirs, (list, tuple)):
        assert type(ours) is type(theirs)
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert_alike(one, other)
    elif hasattr(theirs, "__dict__") and type(theirs).__module__.startswith("sacrebleu"):
        assert type(ours).__name__ == type(theirs).__name__
        assert list(vars(ours)) == list(vars(theirs))
        for name, value in vars(theirs).items():
            assert_alike(getattr(ours, name), value)
        assert str(ours) == str(theirs)
        assert repr(ours) == repr(theirs)
    else:
        assert type(ours) is type(theirs)
        assert ours == theirs


def assert_same_dictionary(info, theirs):
    """Each way to read it comes first once."""
    reads = [dict, lambda read: {**read}, lambda read: read.copy(), lambda read: dict(read.items()), lambda read: read]
    reads += [lambda read: {key: read.get(key) for key in theirs}, lambda read: {key: read[key] for key in read}]
    reads += [lambda read: read | {}, lambda read: {} | read, lambda read: dict(zip(read, read.values(), strict=True))]
    for read in reads:
        assert read(copy.deepcopy(info)) == theirs
    for key in (*theirs, "absent"):
        assert (key in copy.deepcopy(info)) == (key in theirs)
    assert len(copy.deepcopy(info)) == len(theirs)
    assert repr(copy.deepcopy(info)) == repr(theirs)
    assert {**info, "more": 1} == {**theirs, "more": 1}
