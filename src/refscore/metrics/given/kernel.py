"""The kernel of given scores: from numbers to rows, and from rows to means."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, Location, relocated
from refscore.inputs import reject_masked
from refscore.metrics.core.row_sums import sum_rows
from refscore.metrics.core.score import Rows, Values
from refscore.settings import as_float

_SIDE = "hypotheses"
_FIX = "pass a list of numbers"


class IgnoredReferences:
    """The number of segments of references. Given scores need nothing else of them."""

    kind = "numbers"
    is_empty = False

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count


class GivenKernel:
    """A kernel that reads numbers and ignores references.

    Args:
        skips: Whether a missing number gives a row of zeros, instead of an error.
    """

    def __init__(self, skips: bool) -> None:
        self._skips = skips

    def counted(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Rows, int, int]:
        """Return one row per number. The numbers of references are 0."""
        return self.rows(hypotheses), 0, 0

    def rows(self, numbers: Any) -> NDArray[np.float64]:
        """Return the row (number, 1) of each number, and (0, 0) of a missing one."""
        values = _as_numbers(numbers)
        is_missing = np.isnan(values)
        if is_missing.any() and not self._skips:
            fix = "pass a number, or set missing='skip' to leave the segment out"
            raise InputError(Location(_SIDE, int(np.argmax(is_missing))), "is missing", fix)
        weights = (~is_missing).astype(np.float64)
        return np.stack([np.where(is_missing, 0.0, values), weights], axis=1)

    def total(self, hypotheses: Any, references: Any, threads: int, /) -> tuple[Any, ...]:
        """Return the summed row. The numbers of references are 0."""
        return sum_rows(self.rows(hypotheses)), 0, 0

    def total_into(self, hypotheses: Any, references: Any, threads: int, sums: Any, /) -> tuple[int, int]:
        """Add the rows to exact sums. The numbers of references are 0."""
        sums.add(self.rows(hypotheses))
        return 0, 0

    def one(self, hypothesis: Any, references: Any, /) -> tuple[float, tuple[Any, ...], int]:
        """Return the score and the row of one number."""
        with relocated(Location.in_one_segment):
            row = self.rows([hypothesis])
        return float(self.values(row, 1)[0]), tuple(row[0].tolist()), 0

    def values(self, rows: NDArray[np.float64], threads: int, /) -> Values:
        """Return the mean of each row; NaN without weight."""
        means = np.full(len(rows), np.nan)
        np.divide(rows[:, 0], rows[:, 1], out=means, where=rows[:, 1] != 0)
        return means

    def prepare(self, references: Any, threads: int, /) -> IgnoredReferences:
        """Return the number of segments of references."""
        return IgnoredReferences(len(references))

    def pairwise(self, hypotheses: Any, references: Any, threads: int, /) -> NDArray[np.float64]:
        """Return a copy of the matrix, after checking its numbers."""
        matrix: list[NDArray[np.float64]] = []
        for index, line in enumerate(hypotheses):
            location = Location(_SIDE, index)
            with relocated(lambda place, index=index: Location(_SIDE, index, place.segment)):  # type: ignore[misc]
                matrix.append(_as_numbers(line))
            if len(matrix[-1]) != len(matrix[0]):
                problem = f"has {len(matrix[-1])} numbers, but the first row has {len(matrix[0])}"
                raise InputError(location, problem, "pass one number per reference")
            if np.isnan(matrix[-1]).any():
                wrong = Location(_SIDE, index, int(np.argmax(np.isnan(matrix[-1]))))
                raise InputError(wrong, "is missing", "pass a score for every pair")
        return np.array(matrix, dtype=np.float64).reshape(len(matrix), -1)


def _as_numbers(numbers: Any) -> NDArray[np.float64]:
    """Return numbers as an array, with NaN for missing ones."""
    if isinstance(numbers, (str, bytes, dict, set, frozenset)) or not isinstance(numbers, Iterable):
        raise InputError(Location(_SIDE), f"is of type {type(numbers).__name__}", _FIX)
    reject_masked(numbers, Location(_SIDE))
    array = _as_array(numbers)
    if array.ndim != 1:
        raise InputError(Location(_SIDE), f"has {array.ndim} dimensions", _FIX)
    if array.dtype.kind not in "iuf":
        array = np.array([_as_number(value, index) for index, value in enumerate(array.tolist())], dtype=np.float64)
    values = array.astype(np.float64)
    if np.isinf(values).any():
        index = int(np.argmax(np.isinf(values)))
        raise InputError(Location(_SIDE, index), f"is {values[index]}", "scores must be finite")
    return values


def _as_array(numbers: Any) -> NDArray[Any]:
    items = list(numbers) if isinstance(numbers, Iterator) or not hasattr(numbers, "__array__") else numbers
    try:
        array = np.asarray(items)
    except ValueError:  # lists of different lengths
        array = np.asarray(None)
    if isinstance(items, list) and array.dtype.kind not in "iuf":
        # NumPy would turn a list of texts and numbers into texts, and True into 1.
        array = np.empty(len(items), dtype=object)
        array[:] = items
    return array


def _as_number(value: Any, index: int) -> float:
    if value is None or type(value).__name__ == "NAType":  # pandas.NA
        return math.nan
    try:
        return as_float(value)
    except (TypeError, OverflowError):
        raise InputError(Location(_SIDE, index), f"is {value!r}, not a number", _FIX) from None
