"""The state of an accumulator as saved, checked piece by piece: a file may come from anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError
from refscore.metrics import Metric
from refscore.metrics.core.row_sums import RowSum
from refscore.metrics.core.score import Rows

Counts: TypeAlias = "tuple[int, int]"

# The largest sample.
MOST_SAMPLED = 1 << 32


def check_counts(references: Any) -> Counts | None:
    """Return the fewest and the most references that a segment has; None if they are not known."""
    if references is None:
        return None
    is_pair = isinstance(references, (list, tuple)) and len(references) == 2
    if not is_pair or not all(type(count) is int for count in references) or not 1 <= references[0] <= references[1]:
        raise InputError(None, f"references must be the fewest and the most that a segment has, not {references!r}")
    return references[0], references[1]


def check_rows(label: str, metric: Metric[Any], rows: Any) -> Rows:
    """Return rows of a metric as an array of its type."""
    array = np.asarray(rows)
    kinds = "iu" if metric.row_type.kind == "i" else "iuf"
    if array.ndim != 2 or array.shape[1] != len(metric.columns) or array.dtype.kind not in kinds:
        kind = "whole numbers" if metric.row_type.kind == "i" else "numbers"
        raise InputError(None, f"rows of {label} have {len(metric.columns)} {kind} each: {', '.join(metric.columns)}")
    if len(array):
        for extreme in (array.min(axis=0), array.max(axis=0)):  # NaN if a number is
            metric.score(extreme)
    return array.astype(metric.row_type, copy=False)


def check_header(header: Any) -> None:
    """Raise an error for a header without a note or the versions of refscore."""
    if not isinstance(header.get("note"), dict):
        _fail("its note is not an object")
    versions = header.get("refscore")
    if not isinstance(versions, list) or not all(isinstance(version, str) for version in versions):
        _fail("it lists no versions of refscore")


class SavedState:
    """The header and the arrays of a file. Its methods return checked values."""

    def __init__(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        check_header(header)
        self.header = header
        self.arrays = arrays

    def count(self, field: str) -> int:
        """Return a field that is a whole number."""
        value = self.header.get(field)
        if type(value) is not int or not 0 <= value < 2**63:
            _fail(f"{field} is not a whole number")
        return value

    def keep(self) -> Any:
        """Return the field `keep`."""
        keep = self.header.get("keep")
        if keep not in ("sums", "rows") and not 2 <= self.count("keep") <= MOST_SAMPLED:
            _fail("its sample has a size that is out of range")
        return keep

    def seeds(self) -> tuple[int, ...]:
        """Return the seeds of the samples that were merged."""
        seeds = self.header.get("seeds")
        if not isinstance(seeds, list) or not seeds:
            _fail("it names no seed")
        if not all(isinstance(seed, str) and seed.isascii() and seed.isdecimal() and len(seed) < 40 for seed in seeds):
            _fail("a seed is not a number")
        return tuple(map(int, seeds))

    def total(self, label: str, metric: Metric[Any]) -> RowSum:
        """Return the sum of a metric's rows."""
        data = self.array(f"sum/{label}", np.dtype(np.uint8), 1).tobytes()
        total = RowSum.from_bytes(data, len(metric.columns), metric.row_type)
        metric.score(total.row)  # raises an error for numbers that are out of range
        return total

    def rows(self, metrics: Mapping[str, Metric[Any]], count: int) -> dict[str, Rows]:
        """Return the rows of so many segments, by metric."""
        rows = {
            label: check_rows(label, metric, self.array(f"rows/{label}", metric.row_type, 2))
            for label, metric in metrics.items()
        }
        if any(len(array) != count for array in rows.values()):
            _fail("it has a different number of rows than of segments")
        return rows

    def array(self, name: str, kind: np.dtype[Any], dimensions: int) -> Rows:
        """Return an array of a type and a number of dimensions."""
        array = self.arrays.get(name)
        if array is None or array.dtype != kind or array.ndim != dimensions:
            _fail(f"its array {name!r} is missing, or of a different type")
        return array


def _fail(problem: str) -> NoReturn:
    raise InputError(None, f"cannot be read as statistics: {problem}")
