"""Slow, obvious implementations that the fast ones are compared with. They know nothing of refscore."""

import math


def close(actual, expected):
    """Equal to 1e-12 relative; the absolute part only covers numbers next to underflow."""
    return math.isclose(actual, expected, rel_tol=1e-12, abs_tol=1e-300)
