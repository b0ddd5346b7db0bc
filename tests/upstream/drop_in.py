"""A pytest plugin for tests of other libraries: installs refscore's drop-in before any test is imported.

UPSTREAM_DROP_IN is the name of the library; without it, the tests run with the original.
"""

import os

import pytest

from refscore import compat

library = os.environ.get("UPSTREAM_DROP_IN")
if library:
    compat.install(library)


@pytest.fixture
def benchmark():
    """Replace pytest-benchmark's fixture by a single call."""
    return lambda function, *arguments: function(*arguments)
