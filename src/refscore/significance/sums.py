"""Weighted sums of rows as matrix products that are exact, so that no order of summation can show.

A column of whole numbers is taken as it is where no sum can pass 2**53. Any other is cut into parts that are whole
numbers on grids of powers of two, so coarse that each part's sums are exact; rounding happens when the parts of a sum
are put together. So the result depends neither on the machine nor on its BLAS, threads or blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from refscore.metrics.core.score import Rows
from refscore.significance.draws import Matrix

# Bits of a float64's whole numbers, and those that all parts of a column together keep of its largest number.
_EXACT_BITS = 53
_KEPT_BITS = 60
# Columns smaller than 2**-800 are cut as if they were that large: grids finer than float64 has would be needed.
_LEAST_EXPONENT = -800
# The largest table that is kept as a whole, and the size of pieces of larger ones, in numbers.
_WHOLE_CELLS = 2**22
_PIECE_CELLS = 2**19
# Products are made of tiles of this many resamples, units and columns: so small that no BLAS starts threads of its own,
# which on a busy machine wait for each other longer than they work.
_TILE_ROWS, _TILE_UNITS, _TILE_COLUMNS = 32, 256, 32


class Group:
    """Tables of the same columns and length: the rows of one metric for all systems and runs.

    Args:
        tables: The rows, not negative.

    Example:
        >>> group = Group([np.array([[3.0, 0.1], [4.0, 0.2]])])
        >>> group.width  # one column is of whole numbers, the other takes two parts
        3
        >>> parts = np.empty((2, 3))
        >>> group.cut(group.tables[0], 0, 2, parts)
        >>> group.joined(parts)
        array([[3. , 0.1],
               [4. , 0.2]])
    """

    def __init__(self, tables: Sequence[Rows]) -> None:
        self.tables = tables
        units, self.columns = tables[0].shape
        bits = _EXACT_BITS - max(1, (units - 1).bit_length())
        largest = np.max([table.max(0) for table in tables], axis=0).astype(np.float64)
        whole = np.all([_whole(table) for table in tables], axis=0) & (largest <= 2.0**bits)
        # Whole numbers stand as they are in the first part, with the first parts of the others.
        self._split = np.flatnonzero(~whole)
        exponents = np.maximum(np.frexp(largest[self._split])[1], _LEAST_EXPONENT)
        more = -(-_KEPT_BITS // bits) if len(self._split) else 0
        self._grids = [np.ldexp(1.0, exponents - (k + 1) * bits) for k in range(more)]
        self.width = self.columns + len(self._split) * max(0, more - 1)

    def _places(self) -> Iterator[tuple[Matrix, slice | NDArray[np.intp]]]:
        """The grid of each part, and where it stands."""
        at = self.columns
        for k, grid in enumerate(self._grids):
            yield grid, slice(at, at + len(self._split)) if k else self._split
            at += len(self._split) if k else 0

    def cut(self, table: Rows, begin: int, end: int, out: Matrix) -> None:
        """Some rows of a table as whole numbers, part after part, into `out`."""
        out[:, : self.columns] = table[begin:end]
        if not self._grids:
            return
        rest = table[begin:end, self._split].astype(np.float64)
        for k, (grid, here) in enumerate(self._places(), 1):
            # Divisions by powers of two are exact, and so is what is left of them.
            part = (np.rint if k == len(self._grids) else np.floor)(rest / grid)
            out[:, here] = part
            rest -= part * grid

    def joined(self, sums: Matrix) -> Matrix:
        """Rows from the sums of their parts."""
        total = np.array(sums[:, : self.columns])
        if self._grids:
            # From the finest part up, so that what is added first is small.
            parts = [sums[:, here] * grid for grid, here in self._places()]
            total[:, self._split] = sum(reversed(parts[:-1]), start=parts[-1])
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
        used = sum(group.width for group in groups) * len(self.tables)
        self.width = -(-used // _TILE_COLUMNS) * _TILE_COLUMNS
        self._whole = self._piece(0, self.units) if self.units * self.width <= _WHOLE_CELLS else None

    def _piece(self, begin: int, end: int) -> Matrix:
        piece, at = np.zeros((end - begin, self.width)), 0
        for group in self.groups:
            less = np.empty((end - begin, group.width))
            if self.against is not None:
                group.cut(group.tables[self.against], begin, end, less)
            for k in self.tables:
                own = piece[:, at : at + group.width]
                group.cut(group.tables[k], begin, end, own)
                if self.against is not None:
                    own -= less
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
        total = np.zeros((len(weights), self.width))
        for here, piece in self._pieces():
            add_product(weights[:, here], piece, total)
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


def add_product(weights: Matrix, piece: Matrix, total: Matrix) -> None:
    """Adds a matrix product to a total, tile by tile; the number of columns is a multiple of a tile's.

    Example:
        >>> total = np.zeros((40, 32))
        >>> add_product(np.ones((40, 300)), np.ones((300, 32)), total)
        >>> np.unique(total)
        array([300.])
    """
    rows, (units, width) = len(weights), piece.shape
    right = piece.reshape(units, width // _TILE_COLUMNS, _TILE_COLUMNS).transpose(1, 0, 2)
    whole = rows // _TILE_ROWS * _TILE_ROWS
    for here, height in ((slice(0, whole), _TILE_ROWS), (slice(whole, rows), rows - whole)):
        if here.start == here.stop:
            continue
        left = weights[here].reshape(-1, 1, height, units)
        tiles = np.zeros((len(left), len(right), height, _TILE_COLUMNS))
        for begin in range(0, units, _TILE_UNITS):
            part = slice(begin, begin + _TILE_UNITS)
            tiles += left[..., part] @ right[:, part]
        total[here] += tiles.transpose(0, 2, 1, 3).reshape(-1, width)


def _whole(table: Rows) -> Rows:
    """Which columns hold whole numbers alone."""
    if table.dtype.kind in "iu":
        return np.ones(table.shape[1], dtype=bool)
    return np.array([bool((column == np.floor(column)).all()) for column in table.T])
