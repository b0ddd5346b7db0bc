"""Settings that hold for every test."""

import logging

import pytest
from hypothesis import HealthCheck, settings

from refscore.metrics.core import registry

# The same examples on every run, so that a red build is red again.
settings.register_profile("repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")

# It advises effective_order for every single segment that is scored.
logging.getLogger("sacrebleu").setLevel(logging.ERROR)


@pytest.fixture(autouse=True)
def _same_metrics():
    """Takes back what an example or a test registers."""
    before = dict(registry._registered)
    yield
    registry._registered.clear()
    registry._registered.update(before)
