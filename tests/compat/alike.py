"""Comparison of a library's objects with its drop-in's, and sacrebleu's modules."""

import copy
import importlib
import inspect
from contextlib import contextmanager

import numpy as np
import pytest

from refscore import compat

MODULES = ["", ".compat", ".metrics", ".significance", ".tokenizers", ".utils", ".version"]
MODULES += [f".metrics.{name}" for name in ("base", "bleu", "chrf", "helpers", "ter")]
MODULES += [f".tokenizers.tokenizer_{name}" for name in ("13a", "base", "char", "intl", "none", "re", "ter", "zh")]


def both(module):
    """Return refscore's and sacrebleu's module."""
    return [importlib.import_module(f"{package}{module}") for package in ("refscore.compat.sacrebleu", "sacrebleu")]


def streams(references):
    """Convert the references of each segment to streams; a missing one is None."""
    width = max(map(len, references))
    return [[entry[k] if k < len(entry) else None for entry in references] for k in range(width)]


def public_names(module):
    """Return the functions and classes that a module defines."""
    return [
        name
        for name, value in vars(module).items()
        if (inspect.isfunction(value) or inspect.isclass(value))
        and value.__module__ == module.__name__
        and not name.startswith("_")
    ]


def parameters(call):
    """Return the name, default value and kind of each parameter."""
    return [(p.name, p.default, p.kind) for p in inspect.signature(call).parameters.values()]


def assert_alike(ours, theirs, rel=0):
    """Check that types, attributes and texts are equal, and numbers to the last bit or to a relative tolerance."""
    if isinstance(theirs, (float, np.floating)):
        assert isinstance(ours, float)
        assert ours == theirs or ours == pytest.approx(theirs, rel=rel, abs=1e-300)
    elif isinstance(theirs, (list, tuple)):
        assert type(ours) is type(theirs)
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert_alike(one, other, rel)
    elif isinstance(theirs, dict):
        assert_alike(list(ours.items()), list(theirs.items()), rel)
    elif hasattr(theirs, "__dict__") and type(theirs).__module__.startswith("sacrebleu"):
        assert type(ours).__name__ == type(theirs).__name__
        assert_alike(vars(ours), vars(theirs))
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


@contextmanager
def installed(library):
    """Install a drop-in for a `with` block."""
    compat.install(library)
    try:
        yield
    finally:
        compat.uninstall(library)
