from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refscore import _native
from refscore.errors import InputError, Location
from refscore.inputs import reject_masked
from refscore.metrics.core.score import Rows

Codes = NDArray[np.integer[Any]]

S = TypeVar("S", bound="GroupedRowSum")


class GroupedRowSum:
    """Exact row sums by group, rounded only when `rows` is read.

    Args:
        groups: How many groups there are.
        columns: How many columns a row has.
        row_type: The row type, int64 or float64, as in `metric.row_type`.

    Attributes:
        native: The native sums, which kernels can add to.

    Example:
        >>> totals = GroupedRowSum(2, 1, np.dtype(np.float64))
        >>> totals.add([[0.1], [0.2], [0.3]], np.array([0, 1, 0]))
        >>> totals.rows
        array([[0.4],
               [0.2]])
        >>> GroupedRowSum.from_parts(totals.to_parts(), 1, np.dtype(np.float64)) == totals
        True
    """

    def __init__(self, groups: int, columns: int, row_type: np.dtype[Any]) -> None:
        self.row_type = np.dtype(row_type)
        if self.row_type not in (np.dtype(np.int64), np.dtype(np.float64)):
            raise ValueError(f"row_type must be int64 or float64, not {self.row_type}")
        self.native = _native.ExactRowSums(groups, columns)

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return self.native.groups

    @property
    def columns(self) -> int:
        """How many columns a row has."""
        return self.native.columns

    @property
    def rows(self) -> Rows:
        """The sums as a new array of shape (groups, columns), each number correctly rounded."""
        if self.row_type.kind == "f":
            return self.native.rows()
        try:
            return self.native.counts().view(np.int64)  # NumPy's own int64, not the equal type from DLPack
        except OverflowError:
            raise InputError(None, "the sum of the counts does not fit into 64 bits") from None

    def add(self, rows: ArrayLike, codes: Codes | None = None) -> None:
        """Add each row to a group. Raise an InputError and add nothing if a number is not finite.

        Args:
            rows: One row of statistics per segment, as an array of shape (segments, columns).
            codes: Each row's group index, by default the first group.
        """
        array = _as_array(rows)
        kinds = "iu" if self.row_type.kind == "i" else "iuf"
        if array.ndim != 2 or array.shape[1] != self.columns or array.dtype.kind not in kinds:
            numbers = "integers" if self.row_type.kind == "i" else "numbers"
            raise InputError(None, f"rows must be an array with {self.columns} columns of {numbers}")
        if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.max(initial=0) >= 2**63:
            raise InputError(None, "a row has a count that does not fit into 64 bits")
        array = np.ascontiguousarray(array, dtype=np.float64 if array.dtype.kind == "f" else np.int64)
        try:
            self.native.add(array, _int64_codes(codes))
        except _native.NotFiniteError:
            first = int(np.isfinite(array).all(axis=1).argmin())
            raise InputError(Location("rows", segment=first), "has a number that is not finite") from None

    def merge(self: S, other: S, codes: Codes | None = None) -> None:
        """Add each group in `other` to the group with the same index, or with the index in `codes`."""
        if type(other) is not type(self) or other.row_type != self.row_type or other.columns != self.columns:
            raise ValueError("only sums with the same row type and number of columns can be merged")
        self.native.merge(other.native, _int64_codes(codes))

    def copy(self: S) -> S:
        """Return an independent copy."""
        copied = type(self).__new__(type(self))
        copied.row_type = self.row_type
        copied.native = self.native.copy()
        return copied

    def to_parts(self) -> list[bytes]:
        """Return each group's exact sum as bytes. Equal sums give equal bytes."""
        return [self.native.to_bytes(group) for group in range(self.groups)]

    @classmethod
    def from_parts(cls, parts: Iterable[bytes], columns: int, row_type: np.dtype[Any]) -> GroupedRowSum:
        """Return the sums that `to_parts` wrote. Raise an InputError if the bytes do not fit."""
        listed = list(parts)
        return _read(GroupedRowSum(len(listed), columns, row_type), listed)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GroupedRowSum) or type(other) is not type(self):
            return NotImplemented
        own, others = (self.row_type, self.columns, self.to_parts()), (other.row_type, other.columns, other.to_parts())
        return own == others

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return GroupedRowSum.from_parts, (self.to_parts(), self.columns, self.row_type)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.rows.tolist()})"


class RowSum(GroupedRowSum):
    """An exact row sum.

    The sum has the same bits however the rows are ordered and split. It is rounded only when `row` is read.

    Args:
        columns: How many columns a row has.
        row_type: The row type, int64 or float64, as in `metric.row_type`.

    Example:
        >>> total = RowSum(1, np.dtype(np.float64))
        >>> for number in [1e16, 1.0, 1.0, 1.0, 1.0]:
        ...     total.add([number])
        >>> float(total.row[0] - 1e16), 1e16 + 1.0 + 1.0 + 1.0 + 1.0 - 1e16
        (4.0, 0.0)
        >>> RowSum.from_bytes(total.to_bytes(), 1, np.dtype(np.float64)) == total
        True
    """

    def __init__(self, columns: int, row_type: np.dtype[Any]) -> None:
        super().__init__(1, columns, row_type)

    def add(self, rows: ArrayLike, codes: Codes | None = None) -> None:
        """Add a row, or each row in an array. Raise an InputError and add nothing if a number is not finite."""
        array = _as_array(rows)
        super().add(array[np.newaxis] if array.ndim == 1 else array, codes)

    @property
    def row(self) -> Rows:
        """The sum as a new array, each number correctly rounded."""
        row: Rows = self.rows[0]
        return row

    def to_bytes(self) -> bytes:
        """Return the exact sum as bytes. Equal sums give equal bytes."""
        return self.native.to_bytes(0)

    @classmethod
    def from_bytes(cls, data: bytes, columns: int, row_type: np.dtype[Any]) -> RowSum:
        """Return the sum that `to_bytes` wrote. Raise an InputError if the bytes do not fit."""
        return _read(RowSum(columns, row_type), [data])

    def __reduce__(self) -> tuple[Any, ...]:
        return RowSum.from_bytes, (self.to_bytes(), self.columns, self.row_type)

    def __repr__(self) -> str:
        return f"RowSum({self.row.tolist()})"


def _read(sums: S, parts: list[bytes]) -> S:
    try:
        for group, part in enumerate(parts):
            sums.native.add_bytes(group, part)
        if sums.row_type.kind == "i":
            sums.native.counts()
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(None, f"cannot read the sums of rows: {error}") from None
    return sums


def sum_rows(rows: ArrayLike) -> Rows:
    """Return the correctly rounded sum over the rows in an array.

    Args:
        rows: One row of statistics per segment, as an array of shape (segments, columns).

    Raises:
        InputError: If a number is not finite, or summed counts do not fit into 64 bits.

    Example:
        >>> sum_rows([[0.1]] * 10).tolist(), 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1
        ([1.0], 0.9999999999999999)
    """
    array = _table(rows)
    row_type = _row_type(array)
    if len(array) == 1 and array.dtype == row_type and (row_type.kind == "i" or np.isfinite(array).all()):
        row: Rows = array[0].copy()  # a single row needs no exact sum
        return row
    total = RowSum(array.shape[1], row_type)
    total.add(array)
    return total.row


def sum_rows_by(rows: ArrayLike, codes: Codes, groups: int) -> Rows:
    """Return each group's correctly rounded sum.

    Args:
        rows: One row of statistics per segment, as an array of shape (segments, columns).
        codes: Each row's group index.
        groups: How many groups there are.

    Raises:
        InputError: If a number is not finite, or summed counts do not fit into 64 bits.

    Example:
        >>> sum_rows_by([[1, 2], [3, 4], [5, 6]], np.array([1, 0, 1]), 2)
        array([[3, 4],
               [6, 8]])
    """
    array = _table(rows)
    totals = GroupedRowSum(groups, array.shape[1], _row_type(array))
    totals.add(array, codes)
    return totals.rows


def _as_array(rows: Any) -> Rows:
    if type(rows) is not np.ndarray:  # only subclasses have masks
        reject_masked(rows, Location("rows"))
    return np.asarray(rows)


def _table(rows: Any) -> Rows:
    array = _as_array(rows)
    if array.ndim != 2:
        raise InputError(None, "rows must be an array with two dimensions: one row of numbers per segment")
    return array


def _int64_codes(codes: Codes | None) -> NDArray[np.int64] | None:
    return None if codes is None else np.asarray(codes).astype(np.int64, order="C", casting="safe", copy=False)


def _row_type(rows: Rows) -> np.dtype[Any]:
    return np.dtype(np.float64 if rows.dtype.kind == "f" else np.int64)
