"""Slow, simple implementations as oracles for the fast ones. They do not use refscore."""

import math


def close(actual, expected):
    """Check equality to 1e-12 relative; the absolute part only covers numbers close to underflow."""
    return math.isclose(actual, expected, rel_tol=1e-12, abs_tol=1e-300)
