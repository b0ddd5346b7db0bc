"""Scores and differences as text.

A difference is computed from the two rounded scores, so the printed numbers add up.
"""

from __future__ import annotations

from decimal import Decimal


def show_number(value: float, scale: float) -> str:
    """Return a value with 2 decimals on the scale from 0 to 100, and with 4 decimals on other scales."""
    # Rounded first, since a multiplication by 100 may move a value off a tie.
    return f"{round(value * scale, 10):.{2 if scale == 100 else 4}f}"


def show_difference(before: float, after: float, scale: float) -> str:
    """Return the signed difference of two values after rounding."""
    gap = Decimal(show_number(after, scale)) - Decimal(show_number(before, scale))
    sign = "+" if gap > 0 else "−" if gap < 0 else ""
    return f"{sign}{abs(gap)}"
