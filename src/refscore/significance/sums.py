"""Weighted sums of rows as matrix products that are exact, so that no order of summation can show.

A column of whole numbers is taken as it is where no sum can pass 2**53. Any other is cut into parts that are whole
numbers on grids of powers of two, so coarse that each part's sums are exact; rounding happens when
the parts of a sum are put together. So the result depends neither on the machine nor on its BLAS, threads or blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from refscore.metrics.base import Rows
from refscore.significance.draws import Matrix

# Bits of a float64's whole numbers, and those that all parts of a column together keep of its largest number.
_EXACT_BITS = 53
_KEPT_BITS = 60
# The largest table that is kept as a whole, and the size of pieces of larger ones, in numbers.
_WHOLE_CELLS = 2**22
_PIECE_CELLS = 2**19


@dataclass(frozen=True)
class Part:
    """A share of some columns: whole numbers that stand for multiples of powers of two."""

    columns: tuple[int, ...]
    exponents: tuple[int, ...]


class Group:
    """Tables of the same columns and length: the rows of one metric for all systems and runs.

    Args:
        tables: The rows, not negative.
    """

    def __init__(self, tables: Sequence[Rows]) -> None:
        self.tables = tables
        units, self.columns = tables[0].shape
        bits = _EXACT_BITS - max(1, (units - 1).bit_length())
        largest = np.max([table.max(0) for table in tables], axis=0).astype(np.float64)
        whole = np.all([_whole(table) for table in tables], axis=0) & (largest <= 2.0**bits)
        split = tuple(np.flatnonzero(~whole).tolist())
        # Whole numbers stand in the first part as they are, with the first parts of all others.
        exponents = np.where(whole, 0, np.frexp(largest)[1] - bits)
        self.parts = [Part(tuple(range(self.columns)), tuple(exponents.tolist()))]
        for k in range(1, -(-_KEPT_BITS // bits)):
            if split:
                self.parts.append(Part(split, tuple((exponents[list(split)] - k * bits).tolist())))
        self.width = sum(len(part.columns) for part in self.parts)

    def cut(self, table: Rows, begin: int, end: int) -> Matrix:
        """Some rows of a table as whole numbers, part after part."""
        rest = table[begin:end].astype(np.float64)
        cut = np.empty((end - begin, self.width))
        at = 0
        for part in self.parts:
            columns, scale = list(part.columns), np.array(part.exponents)
            here = cut[:, at : at + len(columns)]
            scaled = np.ldexp(rest[:, columns], -scale)
            (np.rint if part is self.parts[-1] else np.floor)(scaled, out=here)
            rest[:, columns] -= np.ldexp(here, scale)
            at += len(columns)
        return cut

    def joined(self, sums: Matrix) -> Matrix:
        """Rows from their parts' sums: each column rounded once."""
        at = self.width
        total = np.zeros((len(sums), self.columns))
        # From the finest part up, so that what is added first is small.
        for part in reversed(self.parts):
            at -= len(part.columns)
            total[:, list(part.columns)] += np.ldexp(sums[:, at : at + len(part.columns)], np.array(part.exponents))
        return total


class Stack:
    """Tables of groups side by side, of which one matrix product gives all sums.

    Args:
        groups: The groups, all of the same length.
        tables: Which tables of each group; all by default.
        against: Take each table less this one.

    Example:
        >>> stack = Stack([Group([np.array([[1.0], [2.0]]), np.array([[0.1], [0.2]])])])
        >>> [[sums.tolist() for sums in tables] for tables in stack.sums(np.array([[2.0, 0.0], [1.0, 1.0]]))]
        [[[[2.0], [3.0]], [[0.2], [0.30000000000000004]]]]
    """

    def __init__(
        self, groups: Sequence[Group], *, tables: Sequence[int] | None = None, against: int | None = None
    ) -> None:
        self.groups = groups
        self.tables = range(len(groups[0].tables)) if tables is None else tables
        self.against = against
        self.units = len(groups[0].tables[0])
        self.width = sum(group.width for group in groups) * len(self.tables)
        self._whole = self._piece(0, self.units) if self.units * self.width <= _WHOLE_CELLS else None

    def _piece(self, begin: int, end: int) -> Matrix:
        piece, at = np.empty((end - begin, self.width)), 0
        for group in self.groups:
            less = 0.0 if self.against is None else group.cut(group.tables[self.against], begin, end)
            for k in self.tables:
                np.subtract(group.cut(group.tables[k], begin, end), less, out=piece[:, at : at + group.width])
                at += group.width
        return piece

    def _pieces(self) -> Iterator[tuple[slice, Matrix]]:
        if self._whole is not None:
            yield slice(None), self._whole
            return
        step = max(1, _PIECE_CELLS // self.width)
        for begin in range(0, self.units, step):
            end = min(self.units, begin + step)
            yield slice(begin, end), self._piece(begin, end)

    def parts(self, weights: Matrix) -> list[list[Matrix]]:
        """For each group and table, the sums of its parts under each row of weights."""
        total: Matrix | None = None
        for here, piece in self._pieces():
            product = weights[:, here] @ piece
            total = product if total is None else total + product
        assert total is not None
        found, at = [], 0
        for group in self.groups:
            begins = range(at, at + group.width * len(self.tables), group.width)
            found.append([total[:, begin : begin + group.width] for begin in begins])
            at += group.width * len(self.tables)
        return found

    def sums(self, weights: Matrix) -> list[list[Matrix]]:
        """For each group and table, its weighted sums, one row for each row of weights."""
        found = self.parts(weights)
        return [[group.joined(parts) for parts in tables] for group, tables in zip(self.groups, found, strict=True)]


def _whole(table: Rows) -> Rows:
    """Which columns hold whole numbers alone."""
    if table.dtype.kind in "iu":
        return np.ones(table.shape[1], dtype=bool)
    return np.array([bool((column == np.floor(column)).all()) for column in table.T])
