"""What was saved, checked piece by piece: a file may come from anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from refscore.accumulation.kept import AllRows, KeptRows, NoRows, SampledRows
from refscore.accumulation.sums import RowSum
from refscore.errors import InputError
from refscore.metrics import Metric
from refscore.metrics.core.score import Rows


@dataclass(frozen=True)
class State:
    """All of an accumulator but its metrics."""

    segments: int
    note: dict[str, Any]
    versions: list[str]
    references: tuple[int, int] | None
    sums: dict[str, RowSum]
    kept: KeptRows


def restored(
    header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], metrics: Mapping[str, Metric[Any]], name: str
) -> State:
    """The state that a header and arrays hold.

    Args:
        header: The header of the file.
        arrays: Its arrays.
        metrics: The metrics under their labels.
        name: What messages call the file.
    """
    return _Reader(header, arrays, metrics, name).state()


class _Reader:
    def __init__(
        self,
        header: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        metrics: Mapping[str, Metric[Any]],
        name: str,
    ) -> None:
        self._header = header
        self._arrays = arrays
        self._metrics = metrics
        self._name = name

    def state(self) -> State:
        segments = self._whole("segments", self._header.get("segments"))
        note, versions = self._header.get("note"), self._header.get("refscore")
        if not isinstance(note, dict):
            self._fail("note is no object")
        if not isinstance(versions, list) or not all(isinstance(version, str) for version in versions):
            self._fail("refscore is no list of versions")
        sums = {label: self._sum(label, metric) for label, metric in self._metrics.items()}
        return State(segments, note, versions, self._references(), sums, self._kept(segments))

    def _references(self) -> tuple[int, int] | None:
        given = self._header.get("references")
        if given is None:
            return None
        if not isinstance(given, list) or len(given) != 2:
            self._fail("references are not two numbers")
        fewest, most = (self._whole("references", count) for count in given)
        if not 1 <= fewest <= most:
            self._fail("references are not the fewest and the most")
        return fewest, most

    def _kept(self, segments: int) -> KeptRows:
        keep = self._header.get("keep")
        if keep == "sums":
            return NoRows()
        rows = {label: self._rows(label, metric) for label, metric in self._metrics.items()}
        lengths = {len(own) for own in rows.values()}
        if keep == "rows":
            if lengths != {segments}:
                self._fail("it has not as many rows as segments")
            return AllRows.of(self._metrics, rows)
        size = self._whole("keep", keep)
        keys = self._array("keys", np.dtype(np.uint64), 1)
        if size < 2 or lengths != {min(size, segments)} or lengths != {len(keys)}:
            self._fail("its sample is of another size")
        return SampledRows.of(self._metrics, {"": keys, **rows}, size, self._seeds())

    def _seeds(self) -> tuple[int, ...]:
        seeds = self._header.get("seeds")
        if not isinstance(seeds, list) or not seeds:
            self._fail("it names no seed")
        if not all(isinstance(seed, str) and seed.isascii() and seed.isdecimal() and len(seed) < 40 for seed in seeds):
            self._fail("a seed is no number")
        return tuple(map(int, seeds))

    def _sum(self, label: str, metric: Metric[Any]) -> RowSum:
        total = self._array(f"sum/{label}", metric.row_type, 1)
        self._check_statistics(total, len(total), len(metric.columns))
        if metric.row_type.kind == "i":
            return RowSum(total)
        lost = self._array(f"lost/{label}", metric.row_type, 1)
        if lost.shape != total.shape or not np.isfinite(lost).all():
            self._fail("its sums are no numbers")
        return RowSum(total, lost)

    def _rows(self, label: str, metric: Metric[Any]) -> Rows:
        rows = self._array(f"rows/{label}", metric.row_type, 2)
        self._check_statistics(rows, rows.shape[1], len(metric.columns))
        return rows

    def _check_statistics(self, numbers: Rows, width: int, columns: int) -> None:
        if width != columns:
            self._fail(f"it has {width} columns for {columns}")
        if numbers.size and not (numbers.min() >= 0 and numbers.max() < 2**63):  # not a number fails both
            self._fail("its statistics are not all numbers from 0 up")

    def _array(self, name: str, kind: np.dtype[Any], dimensions: int) -> Rows:
        array = self._arrays.get(name)
        if array is None or array.dtype != kind or array.ndim != dimensions:
            self._fail(f"its array {name!r} is missing, or of another kind")
        return array

    def _whole(self, name: str, value: Any) -> int:
        if type(value) is not int or not 0 <= value < 2**63:
            self._fail(f"{name} is no whole number")
        return value

    def _fail(self, why: str) -> NoReturn:
        raise InputError(None, f"{self._name} cannot be read as statistics: {why}")
