"""Every example in a docstring gives the shown result."""

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
        # These have separate tests with a cluster and frames for the examples.
        and module.name not in ("refscore.engines.engine", "refscore.engines.ray", "refscore.engines.spark")
    ),
]


@pytest.fixture(autouse=True)
def _registry_as_before(monkeypatch):
    """Remove tokenizers that the examples register."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


def imported(name):
    """Import a module, or return None if it needs a package that is not installed."""
    try:
        return importlib.import_module(name)
    except refscore.NotInstalledError:
        return None


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = imported(name)
    if module is None:
        pytest.skip("needs an optional package")
    results = doctest.testmod(module)
    assert results.failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    modules = [module for module in map(imported, MODULES) if module is not None]
    found = [test for module in modules for test in finder.find(module) if test.examples]
    assert len(MODULES) > 20
    assert len(found) > 30
