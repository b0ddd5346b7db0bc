"""Sums of rows that lose nothing: counts exactly, other numbers with what rounding takes away kept beside."""

from __future__ import annotations

from typing import Any

import numpy as np

from refscore.errors import InputError
from refscore.metrics.core.score import Rows


class RowSum:
    """The sum of rows of one metric.

    Numbers that are no counts are added by Kahan's and Babuška's method, so that the sum hardly depends on how the work
    was split: a plain sum of a billion numbers would have lost four digits.

    Example:
        >>> total = RowSum(np.zeros(1))
        >>> for number in [1e16, 1.0, 1.0, 1.0, 1.0]:
        ...     total.add(np.array([number]))
        >>> float(total.row[0] - 1e16), 1e16 + 1.0 + 1.0 + 1.0 + 1.0 - 1e16
        (4.0, 0.0)
    """

    def __init__(self, zero: Rows, lost: Rows | None = None) -> None:
        self.sum = zero
        self.lost = np.zeros_like(zero) if lost is None else lost

    @classmethod
    def of_metric(cls, columns: int, row_type: np.dtype[Any]) -> RowSum:
        """The sum of no row."""
        return cls(np.zeros(columns, dtype=row_type))

    @property
    def row(self) -> Rows:
        """The sum, as a new array."""
        made: Rows = self.sum + self.lost
        return made

    def add(self, row: Rows) -> None:
        """Add a row, or a sum of rows."""
        following = self.sum + row
        if self.sum.dtype.kind == "i":
            if (following < 0).any():
                raise InputError(None, "the counts add up to more than 64 bits hold")
        else:
            first_is_larger = np.abs(self.sum) >= np.abs(row)
            larger, smaller = np.where(first_is_larger, self.sum, row), np.where(first_is_larger, row, self.sum)
            self.lost = self.lost + ((larger - following) + smaller)
        self.sum = following

    def merge(self, other: RowSum) -> None:
        """Add another sum, with what it has kept beside."""
        self.add(other.sum)
        if self.sum.dtype.kind != "i":
            self.lost = self.lost + other.lost


def column_sums(rows: Rows) -> Rows:
    """The sum of the rows of a batch.

    NumPy adds a column's numbers in pairs, and pairs of pairs, if they lie side by side; else one after the other.

    Example:
        >>> column_sums(np.array([[1, 2], [3, 4]]))
        array([4, 6])
    """
    made: Rows = rows.sum(0) if rows.dtype.kind == "i" else np.ascontiguousarray(rows.T).sum(1)
    return made
