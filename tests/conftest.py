"""Settings of all tests."""

import logging

import pytest
from hypothesis import HealthCheck, settings

from refscore.metrics.core import registry

# The same examples on every run, so failures are reproducible.
settings.register_profile("repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")

# sacrebleu recommends effective_order for every single segment.
logging.getLogger("sacrebleu").setLevel(logging.ERROR)


@pytest.fixture(scope="module")
def browser():
    """Open the system's Chromium. Without one, skip the test."""
    from tests.report.browsers import chromium

    with chromium() as found:
        yield found


@pytest.fixture(autouse=True)
def _same_metrics():
    """Remove metrics that an example or a test registers."""
    before = dict(registry._registered)
    yield
    registry._registered.clear()
    registry._registered.update(before)
