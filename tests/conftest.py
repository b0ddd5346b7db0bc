"""Settings that hold for every test."""

import logging

from hypothesis import HealthCheck, settings

# The same examples on every run, so that a red build is red again.
settings.register_profile("repeatable", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("repeatable")

# It advises effective_order for every single segment that is scored.
logging.getLogger("sacrebleu").setLevel(logging.ERROR)
