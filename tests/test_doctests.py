"""Every example in a docstring gives what it says."""

import doctest
import importlib
import pkgutil

import pytest

import refscore
from refscore.tokenizers import registry

MODULES = [
    "refscore",
    *(
        module.name
        for module in pkgutil.walk_packages(refscore.__path__, "refscore.")
        if not module.name.endswith(("._native", ".__main__"))
    ),
]


@pytest.fixture(autouse=True)
def _registry_as_before(monkeypatch):
    """The examples register tokenizers."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    results = doctest.testmod(importlib.import_module(name))
    assert results.failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    found = [test for name in MODULES for test in finder.find(importlib.import_module(name)) if test.examples]
    assert len(MODULES) > 20
    assert len(found) > 30
