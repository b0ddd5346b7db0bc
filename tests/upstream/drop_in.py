"""A pytest plugin for tests of other libraries: installs refscore's drop-in before any test is imported.

UPSTREAM_DROP_IN is the name of the library; without it, the tests run with the original. UPSTREAM_HELPERS lists modules
besides the library's own that its tests import from it, and that a drop-in does not have.
"""

import os
import sys
from importlib import import_module

import pytest

from refscore import compat

library = os.environ.get("UPSTREAM_DROP_IN")
if library:
    helpers = {name: import_module(f"{library}.{name}") for name in os.environ["UPSTREAM_HELPERS"].split()}
    compat.install(library)
    for name, helper in helpers.items():
        setattr(import_module(library), name, helper)
        sys.modules[f"{library}.{name}"] = helper


@pytest.fixture
def benchmark():
    """Replace pytest-benchmark's fixture by a single call."""
    return lambda function, *arguments: function(*arguments)
