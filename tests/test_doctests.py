"""Every example in a docstring gives the shown result."""

import doctest
import importlib
import importlib.util
import pkgutil
from pathlib import Path

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


def has_examples(name):
    """Return whether the source has examples, without importing the module."""
    path = importlib.util.find_spec(name).origin
    return ">>> " in Path(path).read_text(encoding="utf-8")


WITH_EXAMPLES = [name for name in MODULES if has_examples(name)]
SLOW = {"refscore.report.page"}  # draws charts


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in WITH_EXAMPLES]
)
def test_examples(name):
    try:
        module = importlib.import_module(name)
    except refscore.NotInstalledError as missing:
        pytest.skip(str(missing))
    results = doctest.testmod(module)
    assert results.failed == 0
    assert results.attempted > 0


def test_there_are_examples():
    assert len(WITH_EXAMPLES) > 30
