"""Exact sums of rows: the same bits for any order of the rows, and for any way to split them into parts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.errors import InputError, Location

Rows = NDArray[Any]
Codes = NDArray[np.integer[Any]]

S = TypeVar("S", bound="_Sums")


class _Sums:
    """A table of exact sums with one row per group.

    Attributes:
        native: The sums themselves, which kernels can add to.
    """

    def __init__(self, groups: int, columns: int, row_type: np.dtype[Any]) -> None:
        self.row_type = np.dtype(row_type)
        if self.row_type not in (np.dtype(np.int64), np.dtype(np.float64)):
            raise ValueError(f"rows are of type int64 or float64, not {self.row_type}")
        self.native = _native.ExactRowSums(groups, columns)

    @property
    def columns(self) -> int:
        """The number of columns of a row."""
        return self.native.columns

    def copy(self: S) -> S:
        """Return an independent copy."""
        copied = type(self).__new__(type(self))
        copied.row_type = self.row_type
        copied.native = self.native.copy()
        return copied

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, _Sums)
        return (
            self.row_type == other.row_type
            and self.columns == other.columns
            and self._group_bytes() == other._group_bytes()
        )

    __hash__ = None  # type: ignore[assignment]

    def _add(self, rows: Any, codes: NDArray[np.int64] | None) -> None:
        array = np.asarray(rows)
        kinds = "iu" if self.row_type.kind == "i" else "iuf"
        if array.ndim != 2 or array.shape[1] != self.columns or array.dtype.kind not in kinds:
            numbers = "integers" if self.row_type.kind == "i" else "numbers"
            raise InputError(None, f"rows must be an array with {self.columns} columns of {numbers}")
        if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.max(initial=0) >= 2**63:
            raise InputError(None, "a row has a count that is more than 64 bits hold")
        number_type = np.float64 if array.dtype.kind == "f" else np.int64
        array = np.ascontiguousarray(array, dtype=number_type)
        try:
            self.native.add(array, codes)
        except _native.NotFiniteError:
            first = int(np.isfinite(array).all(axis=1).argmin())
            raise InputError(Location("rows", segment=first), "has a number that is not finite") from None

    def _merge(self, other: _Sums, codes: NDArray[np.int64] | None) -> None:
        if type(other) is not type(self) or other.row_type != self.row_type or other.columns != self.columns:
            raise ValueError("only sums of rows of the same type and width can be merged")
        self.native.merge(other.native, codes)

    def _rows(self) -> Rows:
        if self.row_type.kind == "f":
            return self.native.rows()
        try:
            return self.native.counts().view(np.int64)  # NumPy's own int64, not the type that DLPack gives
        except OverflowError:
            raise InputError(None, "the counts add up to more than 64 bits hold") from None

    def _group_bytes(self) -> list[bytes]:
        return [self.native.to_bytes(group) for group in range(self.native.groups)]

    def _read(self, parts: Iterable[bytes]) -> None:
        try:
            for group, part in enumerate(parts):
                self.native.add_bytes(group, part)
            if self.row_type.kind == "i":
                self.native.counts()
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(None, f"cannot read the sums of rows: {error}") from None


class RowSum(_Sums):
    """The exact sum of rows.

    Rows can be added in any order and in any parts: the sum is the same to the last bit. It is rounded once, when `row`
    is read.

    Args:
        columns: The number of columns of a row.
        row_type: int64 or float64, as `metric.row_type`.

    Example:
        >>> total = RowSum(1, np.dtype(np.float64))
        >>> for number in [1e16, 1.0, 1.0, 1.0, 1.0]:
        ...     total.add([number])
        >>> float(total.row[0] - 1e16), 1e16 + 1.0 + 1.0 + 1.0 + 1.0 - 1e16
        (4.0, 0.0)
    """

    def __init__(self, columns: int, row_type: np.dtype[Any]) -> None:
        super().__init__(1, columns, row_type)

    def add(self, rows: Any) -> None:
        """Add a row, or each row of an array.

        Args:
            rows: An array of shape (columns,) or (rows, columns).

        Raises:
            InputError: If a number is not finite. Nothing has been added then.
        """
        array = np.asarray(rows)
        self._add(array[np.newaxis] if array.ndim == 1 else array, None)

    def merge(self, other: RowSum) -> None:
        """Add all rows that were added to `other`.

        >>> one, other = RowSum(2, np.dtype(np.int64)), RowSum(2, np.dtype(np.int64))
        >>> one.add([1, 2]), other.add([[3, 4], [5, 6]])
        (None, None)
        >>> one.merge(other)
        >>> one.row
        array([ 9, 12])
        """
        self._merge(other, None)

    @property
    def row(self) -> Rows:
        """Return the sum as a new array, each number correctly rounded.

        Raises:
            InputError: If counts add up to more than 64 bits hold.
        """
        row: Rows = self._rows()[0]
        return row

    def to_bytes(self) -> bytes:
        """Return the exact sum as bytes. Equal sums give equal bytes.

        >>> total = RowSum(1, np.dtype(np.float64))
        >>> total.add([[0.1], [0.2], [0.3]])
        >>> RowSum.from_bytes(total.to_bytes(), 1, np.dtype(np.float64)).row
        array([0.6])
        """
        return self.native.to_bytes(0)

    @classmethod
    def from_bytes(cls, data: bytes, columns: int, row_type: np.dtype[Any]) -> RowSum:
        """Return the sum that `to_bytes` was called on.

        Raises:
            InputError: If the bytes are not a sum of such rows.
        """
        total = cls(columns, row_type)
        total._read([data])
        return total

    def __reduce__(self) -> tuple[Any, ...]:
        return RowSum.from_bytes, (self.to_bytes(), self.columns, self.row_type)

    def __repr__(self) -> str:
        return f"RowSum({self.row.tolist()})"


class GroupedRowSum(_Sums):
    """The exact sums of rows by group.

    Args:
        groups: The number of groups.
        columns: The number of columns of a row.
        row_type: int64 or float64, as `metric.row_type`.

    Example:
        >>> totals = GroupedRowSum(2, 1, np.dtype(np.float64))
        >>> totals.add([[0.1], [0.2], [0.3]], np.array([0, 1, 0]))
        >>> totals.rows
        array([[0.4],
               [0.2]])
    """

    @property
    def groups(self) -> int:
        """The number of groups."""
        return self.native.groups

    def add(self, rows: Any, codes: Codes) -> None:
        """Add each row to a group.

        Args:
            rows: An array of shape (rows, columns).
            codes: The index of each row's group.

        Raises:
            InputError: If a number is not finite. Nothing has been added then.
        """
        self._add(rows, _int64_codes(codes))

    def merge(self, other: GroupedRowSum, codes: Codes | None = None) -> None:
        """Add each group of `other` to a group.

        Args:
            other: The sums to add.
            codes: The index of the group that each group of `other` is added to; the same index by default.

        >>> totals, part = GroupedRowSum(2, 1, np.dtype(np.int64)), GroupedRowSum(3, 1, np.dtype(np.int64))
        >>> part.add([[1], [2], [3]], np.array([0, 1, 2]))
        >>> totals.merge(part, np.array([0, 1, 0]))
        >>> totals.rows.tolist()
        [[4], [2]]
        """
        self._merge(other, None if codes is None else _int64_codes(codes))

    @property
    def rows(self) -> Rows:
        """Return the sums as a new array of shape (groups, columns), each number correctly rounded.

        Raises:
            InputError: If counts add up to more than 64 bits hold.
        """
        return self._rows()

    def to_bytes(self) -> list[bytes]:
        """Return the bytes of each group's sum, as `RowSum.to_bytes` does.

        >>> totals = GroupedRowSum(2, 1, np.dtype(np.float64))
        >>> totals.add([[0.1], [0.2]], np.array([0, 1]))
        >>> GroupedRowSum.from_bytes(totals.to_bytes(), 1, np.dtype(np.float64)) == totals
        True
        """
        return self._group_bytes()

    @classmethod
    def from_bytes(cls, data: Iterable[bytes], columns: int, row_type: np.dtype[Any]) -> GroupedRowSum:
        """Return the sums that `to_bytes` was called on, one group for each item of `data`.

        Raises:
            InputError: If the bytes are not sums of such rows.
        """
        parts = list(data)
        totals = cls(len(parts), columns, row_type)
        totals._read(parts)
        return totals

    def __reduce__(self) -> tuple[Any, ...]:
        return GroupedRowSum.from_bytes, (self.to_bytes(), self.columns, self.row_type)

    def __repr__(self) -> str:
        return f"GroupedRowSum({self.rows.tolist()})"


def sum_rows(rows: Any) -> Rows:
    """Return the sum of the rows of an array, correctly rounded.

    Args:
        rows: An array of shape (rows, columns).

    Raises:
        InputError: If a number is not finite, or counts add up to more than 64 bits hold.

    Example:
        >>> sum_rows([[0.1]] * 10).tolist(), 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1
        ([1.0], 0.9999999999999999)
    """
    array = _table(rows)
    total = RowSum(array.shape[1], _row_type(array))
    total.add(array)
    return total.row


def sum_rows_by(rows: Any, codes: Codes, groups: int) -> Rows:
    """Return the sum of the rows of each group, correctly rounded.

    Args:
        rows: An array of shape (rows, columns).
        codes: The index of each row's group.
        groups: The number of groups.

    Raises:
        InputError: If a number is not finite, or counts add up to more than 64 bits hold.

    Example:
        >>> sum_rows_by([[1, 2], [3, 4], [5, 6]], np.array([1, 0, 1]), 2)
        array([[3, 4],
               [6, 8]])
    """
    array = _table(rows)
    totals = GroupedRowSum(groups, array.shape[1], _row_type(array))
    totals.add(array, codes)
    return totals.rows


def _table(rows: Any) -> Rows:
    array = np.asarray(rows)
    if array.ndim != 2:
        raise InputError(None, "rows must be an array of two dimensions: one row of numbers per segment")
    return array


def _int64_codes(codes: Codes) -> NDArray[np.int64]:
    return np.asarray(codes).astype(np.int64, order="C", casting="safe", copy=False)


def _row_type(rows: Rows) -> np.dtype[Any]:
    return np.dtype(np.float64 if rows.dtype.kind == "f" else np.int64)
