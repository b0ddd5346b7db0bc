"""Native draws and sums for significance tests. With 0 threads, they use all cores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.metrics import Rows

usable_cores = _native.usable_cores


def resample_weights(bits: np.random.PCG64, begin: int, out: NDArray[np.float64], threads: int) -> None:
    """Write how often each resample draws each unit, from the raw words of a generator in its first state."""
    native_generator(bits).resample_weights(begin, out, threads)


def swap_weights(bits: np.random.PCG64, begin: int, out: NDArray[np.float64], threads: int) -> None:
    """Write 1 for each unit that a trial swaps and 0 for others, from the bits of a generator in its first state."""
    native_generator(bits).swap_weights(begin, out, threads)


def native_generator(bits: np.random.PCG64) -> _native.Pcg64:
    """Return the same generator for native code. It must be in its first state."""
    state = bits.state["state"]
    halves = [half for number in (state["state"], state["inc"]) for half in divmod(number, 2**64)]
    return _native.Pcg64(*halves)


def add_products(
    weights: NDArray[np.float64], table: NDArray[np.float64], total: NDArray[np.float64], threads: int
) -> None:
    """Add the matrix product of weights and a table to a total. The number of columns must be a multiple of 32."""
    _native.add_products(weights, table, total, threads)


def stack_tables(
    tables: Sequence[Rows], minus: Rows | None, begin: int, column: int, out: NDArray[np.float64], threads: int
) -> bool:
    """Write rows of several tables side by side, from a column on, minus the rows of a table unless it is None.

    Return False and write nothing if a table is not a contiguous array of int64.
    """
    if not all(table.dtype == np.int64 and table.flags.c_contiguous for table in (*tables, minus) if table is not None):
        return False
    _native.stack_tables([*tables], minus, begin, column, out, threads)
    return True
