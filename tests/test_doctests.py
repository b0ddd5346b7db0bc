"""Every example in a docstring gives what it says."""

import doctest
import importlib
import pkgutil

import pytest

import refscore

MODULES = [
    "refscore",
    *(
        module.name
        for module in pkgutil.walk_packages(refscore.__path__, "refscore.")
        if not module.name.endswith(("._native", ".__main__"))
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    results = doctest.testmod(importlib.import_module(name))
    assert results.failed == 0


def test_there_are_examples():
    assert len(MODULES) > 20
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in MODULES) > 30
