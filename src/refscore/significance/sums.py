"""Weighted sums of rows as exact matrix products, which do not depend on the order of summation.

Whole numbers need no change if no sum can exceed 2**53. Other columns are split into parts. Each part is a multiple of
a power of two, coarse enough for exact sums. Only joining the parts' sums rounds. So the result does not
depend on the machine, its BLAS, threads or blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.metrics import Rows
from refscore.significance.draws import Drawn, Matrix, Weights

# The bits of whole numbers that a float64 holds exactly, and the bits of a column's largest number in all its parts.
_EXACT_BITS = 53
_KEPT_BITS = 60
# Columns below 2**-800 are split as if they were that large: float64 has no finer grids.
_LEAST_EXPONENT = -800
# The largest table that is split once and stays in memory (32 MiB), and the piece size of larger tables (4 MiB).
_WHOLE_CELLS = 2**22
_PIECE_CELLS = 2**19
# The native product needs a multiple of this many columns. It is used instead of NumPy's, because the threads of BLAS
# wait for locks when several threads call it.
_TILE_COLUMNS = 32


class SplitTables:
    """The rows of one metric for all systems and runs, in tables of the same shape with columns split into parts."""

    def __init__(self, tables: Sequence[Rows]) -> None:
        self.tables = tables
        units, self.columns = tables[0].shape
        bits = _EXACT_BITS - max(1, (units - 1).bit_length())
        self._split, exponents = _columns_to_split(tables, bits)
        # The grid of each part, and its columns. The first part shares the columns of unsplit whole numbers.
        self._parts: list[tuple[Matrix, slice | NDArray[np.intp]]] = []
        self.width = self.columns
        for k in range(-(-_KEPT_BITS // bits) if len(self._split) else 0):
            end = self.width + len(self._split) if k else self.width
            columns = slice(self.width, end) if k else self._split
            self._parts.append((np.ldexp(1.0, exponents - (k + 1) * bits), columns))
            self.width = end

    @property
    def is_whole(self) -> bool:
        return not self._parts

    def split(self, table: Rows, begin: int, end: int, out: Matrix) -> None:
        """Write a table's rows into `out` as whole numbers, part by part."""
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
        total = np.array(sums[..., : self.columns], order="C")
        if self._parts:
            # From the finest part to the coarsest, to add small numbers first.
            parts = [sums[..., columns] * grid for grid, columns in self._parts]
            total[..., self._split] = sum(reversed(parts[:-1]), start=parts[-1])
        return total


class StackedTables:
    """Several metrics' tables side by side, so one matrix product gives all sums. They have the same length.

    `tables` are indexes, all by default. `minus` is the index of a table to subtract from all.
    """

    def __init__(
        self,
        metrics: Sequence[SplitTables],
        *,
        tables: Sequence[int] | None = None,
        minus: int | None = None,
        threads: int = 1,
    ) -> None:
        self.metrics = metrics
        self.tables = range(len(metrics[0].tables)) if tables is None else tables
        self.minus = minus
        self.units = len(metrics[0].tables[0])
        self._ends = np.cumsum([metric.width for metric in metrics for _ in self.tables])
        self.width = -(-int(self._ends[-1]) // _TILE_COLUMNS) * _TILE_COLUMNS
        self._whole = self._piece(0, self.units, threads) if self.units * self.width <= _WHOLE_CELLS else None

    def _by_table(self, stacked: Matrix) -> list[list[Matrix]]:
        columns = iter(np.split(stacked, self._ends, axis=1))
        return [[next(columns) for _ in self.tables] for _ in self.metrics]

    def _by_metric(self, stacked: Matrix) -> list[Matrix]:
        """Return each metric's columns, with the shape (tables, rows, columns)."""
        ends = self._ends[len(self.tables) - 1 :: len(self.tables)]
        columns = np.split(stacked, ends, axis=1)[: len(self.metrics)]
        return [part.reshape(len(stacked), len(self.tables), -1).swapaxes(0, 1) for part in columns]

    def _piece(self, begin: int, end: int, threads: int) -> Matrix:
        """Return some rows from all tables, split into parts, side by side."""
        piece, first = np.empty((end - begin, self.width)), 0
        piece[:, self._ends[-1] :] = 0
        for metric, tables in zip(self.metrics, self._by_table(piece), strict=True):
            column, first = first, first + metric.width * len(tables)
            if metric.is_whole:
                used = [metric.tables[k] for k in self.tables]
                minus = None if self.minus is None else metric.tables[self.minus]
                given = used if minus is None else [*used, minus]
                if all(table.dtype == np.int64 and table.flags.c_contiguous for table in given):
                    _native.stack_tables(used, minus, begin, column, piece, threads)
                    continue
            for k, columns in zip(self.tables, tables, strict=True):
                metric.split(metric.tables[k], begin, end, columns)
            if self.minus is not None:
                subtracted = np.zeros((end - begin, metric.width))
                metric.split(metric.tables[self.minus], begin, end, subtracted)
                for columns in tables:
                    np.subtract(columns, subtracted, out=columns)
        return piece

    def _pieces(self, threads: int = 1) -> Iterator[tuple[slice, Matrix]]:
        if self._whole is not None:
            yield slice(None), self._whole
            return
        step = max(1, _PIECE_CELLS // self.width)
        for begin in range(0, self.units, step):
            end = min(self.units, begin + step)
            yield slice(begin, end), self._piece(begin, end, threads)

    def _totals(self, drawn: Matrix | Weights, threads: int) -> Matrix:
        if isinstance(drawn, Drawn) and self._whole is not None:
            total = np.zeros((drawn.end - drawn.begin, self.width))
            drawn.add_products(self._whole, total)
            return total
        weights = np.ascontiguousarray(drawn() if callable(drawn) else drawn, dtype=np.float64)
        total = np.zeros((len(weights), self.width))
        for units, piece in self._pieces(threads):
            _native.add_products(weights[:, units], piece, total, threads)
        return total

    def part_sums(self, weights: Matrix | Weights, threads: int = 1) -> list[Matrix]:
        """Return each metric's sums by part, with the shape (tables, rows of weights, parts)."""
        return self._by_metric(self._totals(weights, threads))

    def sums(self, weights: Matrix | Weights, threads: int = 1) -> list[Matrix]:
        by_metric = zip(self.metrics, self.part_sums(weights, threads), strict=True)
        return [metric.join(parts) for metric, parts in by_metric]


def _columns_to_split(tables: Sequence[Rows], bits: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return which columns are not whole numbers up to 2**bits, and their largest exponents."""
    if all(table.dtype.kind in "iu" and max(-int(table.min()), int(table.max())) <= 2**bits for table in tables):
        return np.array([], dtype=np.intp), np.array([], dtype=np.intp)
    extremes = [extreme.astype(np.float64) for table in tables for extreme in (table.max(0), table.min(0))]
    largest = np.abs(extremes).max(0)
    whole = np.all([_whole(table) for table in tables], axis=0) & (largest <= 2.0**bits)
    split = np.flatnonzero(~whole)
    return split, np.maximum(np.frexp(largest[split])[1], _LEAST_EXPONENT)


def _whole(table: Rows) -> Rows:
    if table.dtype.kind in "iu":
        return np.ones(table.shape[1], dtype=bool)
    return np.array([bool((column == np.floor(column)).all()) for column in table.T])
