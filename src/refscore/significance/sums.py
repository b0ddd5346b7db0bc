"""Weighted sums of rows as exact matrix products, which do not depend on the order of summation.

A column of whole numbers needs no change if no sum can exceed 2**53. Other columns are split into parts. Each part is a
multiple of a power of two, coarse enough for exact sums. Only joining the sums of the parts rounds. So the result does
not depend on the machine, its BLAS, threads or blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from refscore.metrics.core.score import Rows
from refscore.significance.draws import Matrix

# The bits of whole numbers that a float64 holds exactly, and the bits of a column's largest number in all its parts.
_EXACT_BITS = 53
_KEPT_BITS = 60
# Columns below 2**-800 are split as if they were that large: float64 has no finer grids.
_LEAST_EXPONENT = -800
# The largest table that is split once and stays in memory (32 MiB), and the piece size of larger tables (4 MiB).
_WHOLE_CELLS = 2**22
_PIECE_CELLS = 2**19
# Products are computed in tiles of this many resamples, units and columns. BLAS uses no threads for such small tiles;
# on a busy machine, its threads would wait for each other longer than they work.
_TILE_ROWS, _TILE_UNITS, _TILE_COLUMNS = 32, 256, 32


class SplitTables:
    """The rows of one metric for all systems and runs, in tables of the same shape with columns split into parts."""

    def __init__(self, tables: Sequence[Rows]) -> None:
        self.tables = tables
        units, self.columns = tables[0].shape
        bits = _EXACT_BITS - max(1, (units - 1).bit_length())
        extremes = [extreme.astype(np.float64) for table in tables for extreme in (table.max(0), table.min(0))]
        largest = np.abs(extremes).max(0)
        whole = np.all([_whole(table) for table in tables], axis=0) & (largest <= 2.0**bits)
        self._split = np.flatnonzero(~whole)
        exponents = np.maximum(np.frexp(largest[self._split])[1], _LEAST_EXPONENT)
        # The grid of each part, and its columns. The first part shares the columns of unsplit whole numbers.
        self._parts: list[tuple[Matrix, slice | NDArray[np.intp]]] = []
        self.width = self.columns
        for k in range(-(-_KEPT_BITS // bits) if len(self._split) else 0):
            end = self.width + len(self._split) if k else self.width
            columns = slice(self.width, end) if k else self._split
            self._parts.append((np.ldexp(1.0, exponents - (k + 1) * bits), columns))
            self.width = end

    def split(self, table: Rows, begin: int, end: int, out: Matrix) -> None:
        """Write rows of a table into `out` as whole numbers, part by part."""
        out[:, : self.columns] = table[begin:end]
        if not self._parts:
            return
        rest = table[begin:end, self._split].astype(np.float64)
        for k, (grid, columns) in enumerate(self._parts, 1):
            # Divisions by powers of two are exact, and so are their remainders.
            part = (np.rint if k == len(self._parts) else np.floor)(rest / grid)
            out[:, columns] = part
            rest -= part * grid

    def join(self, sums: Matrix) -> Matrix:
        """Return the sums of rows from the sums of their parts."""
        total = np.array(sums[:, : self.columns])
        if self._parts:
            # From the finest part to the coarsest, to add small numbers first.
            parts = [sums[:, columns] * grid for grid, columns in self._parts]
            total[:, self._split] = sum(reversed(parts[:-1]), start=parts[-1])
        return total


class StackedTables:
    """The tables of several metrics side by side, so one matrix product gives all sums. They have the same length.

    `tables` are the indexes of the tables to use, all by default. `minus` is the index of a table to subtract from all.
    """

    def __init__(
        self, metrics: Sequence[SplitTables], *, tables: Sequence[int] | None = None, minus: int | None = None
    ) -> None:
        self.metrics = metrics
        self.tables = range(len(metrics[0].tables)) if tables is None else tables
        self.minus = minus
        self.units = len(metrics[0].tables[0])
        self._ends = np.cumsum([metric.width for metric in metrics for _ in self.tables])
        self.width = -(-int(self._ends[-1]) // _TILE_COLUMNS) * _TILE_COLUMNS
        self._whole = self._piece(0, self.units) if self.units * self.width <= _WHOLE_CELLS else None

    def _by_table(self, stacked: Matrix) -> list[list[Matrix]]:
        """Return the columns of each metric and table."""
        columns = iter(np.split(stacked, self._ends, axis=1))
        return [[next(columns) for _ in self.tables] for _ in self.metrics]

    def _piece(self, begin: int, end: int) -> Matrix:
        piece = np.zeros((end - begin, self.width))
        for metric, tables in zip(self.metrics, self._by_table(piece), strict=True):
            subtracted = np.zeros((end - begin, metric.width))
            if self.minus is not None:
                metric.split(metric.tables[self.minus], begin, end, subtracted)
            for k, columns in zip(self.tables, tables, strict=True):
                metric.split(metric.tables[k], begin, end, columns)
                np.subtract(columns, subtracted, out=columns)
        return piece

    def _pieces(self) -> Iterator[tuple[slice, Matrix]]:
        if self._whole is not None:
            yield slice(None), self._whole
            return
        step = max(1, _PIECE_CELLS // self.width)
        for begin in range(0, self.units, step):
            end = min(self.units, begin + step)
            yield slice(begin, end), self._piece(begin, end)

    def part_sums(self, weights: Matrix) -> list[list[Matrix]]:
        """Return the sums of the parts of each metric and table, for each row of weights."""
        total = np.zeros((len(weights), self.width))
        for units, piece in self._pieces():
            add_product(weights[:, units], piece, total)
        return self._by_table(total)

    def sums(self, weights: Matrix) -> list[list[Matrix]]:
        """Return the weighted sums of each metric and table, one row per row of weights."""
        by_metric = zip(self.metrics, self.part_sums(weights), strict=True)
        return [[metric.join(parts) for parts in tables] for metric, tables in by_metric]


def add_product(weights: Matrix, piece: Matrix, total: Matrix) -> None:
    """Add a matrix product to a total, tile by tile. The number of columns must be a multiple of the tile width."""
    rows, (units, width) = len(weights), piece.shape
    right = piece.reshape(units, width // _TILE_COLUMNS, _TILE_COLUMNS).transpose(1, 0, 2)
    whole = rows // _TILE_ROWS * _TILE_ROWS
    for part, height in ((slice(0, whole), _TILE_ROWS), (slice(whole, rows), rows - whole)):
        if part.start == part.stop:
            continue
        left = weights[part].reshape(-1, 1, height, units)
        tiles = np.zeros((len(left), len(right), height, _TILE_COLUMNS))
        for begin in range(0, units, _TILE_UNITS):
            tile = slice(begin, begin + _TILE_UNITS)
            tiles += left[..., tile] @ right[:, tile]
        total[part] += tiles.transpose(0, 2, 1, 3).reshape(-1, width)


def _whole(table: Rows) -> Rows:
    """Return which columns hold only whole numbers."""
    if table.dtype.kind in "iu":
        return np.ones(table.shape[1], dtype=bool)
    return np.array([bool((column == np.floor(column)).all()) for column in table.T])
