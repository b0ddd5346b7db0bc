"""Settings of all tests."""

import logging

import pytest
from hypothesis import HealthCheck, settings

from refscore.metrics.core import registry

# Examples per test, relative to CI. The same ones on every run, so failures are reproducible; at night new ones.
PROFILES = {"quick": 0.1, "ci": 1, "nightly": 20}
for name, factor in PROFILES.items():
    settings.register_profile(
        name,
        max_examples=round(100 * factor),
        deadline=None,
        derandomize=name != "nightly",
        suppress_health_check=[HealthCheck.too_slow],
    )


def pytest_configure(config):
    """Load the profile for the quick tests, or the one for all tests (`-m ""`)."""
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("quick" if config.option.markexpr else "ci")


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
