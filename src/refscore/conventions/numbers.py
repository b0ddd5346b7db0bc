"""Scores and their differences as they are shown.

A difference is shown as that of the two scores as they are shown, so the numbers that a reader adds up agree.
"""

from __future__ import annotations

from decimal import Decimal


def show_number(value: float, scale: float) -> str:
    """Return a value on the scale of 0 to 100 with 2 decimals, or on its own with 4."""
    # Rounded first, since a product with 100 may be just beside a tie.
    return f"{round(value * scale, 10):.{2 if scale == 100 else 4}f}"


def show_difference(before: float, after: float, scale: float) -> str:
    """Return the signed difference of two values as they are shown."""
    gap = Decimal(show_number(after, scale)) - Decimal(show_number(before, scale))
    sign = "+" if gap > 0 else "−" if gap < 0 else ""
    return f"{sign}{abs(gap)}"
