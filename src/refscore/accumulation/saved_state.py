"""The saved state of an accumulator and its metrics. Every value is checked, because files may be untrusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, Location, RefscoreError
from refscore.inputs import reject_masked
from refscore.metrics import METRICS, Metric, Rows, RowSum, from_signature
from refscore.settings import split

Counts: TypeAlias = "tuple[int, int]"

MOST_SAMPLED = 1 << 32  # the largest size of a sample
_WEIGHTS = "weights/"  # the prefix of the arrays of fitted metrics


def check_counts(references: Any) -> Counts | None:
    """Return the smallest and largest number of references per segment, or None if unknown."""
    if references is None:
        return None
    is_pair = isinstance(references, (list, tuple)) and len(references) == 2
    if not is_pair or not all(type(count) is int for count in references) or not 1 <= references[0] <= references[1]:
        problem = f"references must be the smallest and largest number per segment, not {references!r}"
        raise InputError(None, problem, "pass a pair such as (1, 1)")
    return references[0], references[1]


def check_rows(label: str, metric: Metric[Any], rows: Any) -> Rows:
    """Return rows of a metric as an array of its type."""
    reject_masked(rows, Location(f"rows of {label}"))
    array = np.asarray(rows)
    kinds = "iu" if metric.row_type.kind == "i" else "iuf"
    if array.ndim != 2 or array.shape[1] != len(metric.columns) or array.dtype.kind not in kinds:
        kind = "whole numbers" if metric.row_type.kind == "i" else "numbers"
        problem = f"rows of {label} must have {len(metric.columns)} {kind} each ({', '.join(metric.columns)})"
        raise InputError(None, problem)
    if len(array):
        for extreme in (array.min(axis=0), array.max(axis=0)):  # NaN if any number is NaN
            metric.score(extreme)
    return array.astype(metric.row_type, copy=False)


def check_header(header: Any) -> None:
    """Raise an error for a header without a note or without the versions of refscore."""
    if not isinstance(header.get("note"), dict):
        fail("its note is not an object")
    versions = header.get("refscore")
    if not isinstance(versions, list) or not all(isinstance(version, str) for version in versions):
        fail("it lists no versions of refscore")


class SavedState:
    """The header and arrays of a file. Methods return checked values."""

    def __init__(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        check_header(header)
        self.header = header
        self.arrays = arrays

    def count(self, field: str) -> int:
        """Return the value of a field, which must be a whole number."""
        value = self.header.get(field)
        if type(value) is not int or not 0 <= value < 2**63:
            fail(f"{field} is not a whole number")
        return value

    def keep(self) -> Any:
        """Return the field `keep`."""
        keep = self.header.get("keep")
        if keep not in ("sums", "rows") and not 2 <= self.count("keep") <= MOST_SAMPLED:
            fail("the size of its sample is out of range")
        return keep

    def seeds(self) -> tuple[int, ...]:
        """Return the seeds of the samples that were merged."""
        seeds = self.header.get("seeds")
        if not isinstance(seeds, list) or not seeds:
            fail("it has no seed")
        if not all(isinstance(seed, str) and seed.isascii() and seed.isdecimal() and len(seed) < 40 for seed in seeds):
            fail("a seed is not a number")
        return tuple(map(int, seeds))

    def total(self, label: str, metric: Metric[Any]) -> RowSum:
        """Return the sum of a metric's rows."""
        data = self.array(f"sum/{label}", np.dtype(np.uint8), 1).tobytes()
        total = RowSum.from_bytes(data, len(metric.columns), metric.row_type)
        metric.score(total.row)  # raises an error for numbers that are out of range
        return total

    def rows(self, metrics: Mapping[str, Metric[Any]], count: int) -> dict[str, Rows]:
        """Return the rows of `count` segments, by metric."""
        rows = {
            label: check_rows(label, metric, self.array(f"rows/{label}", metric.row_type, 2))
            for label, metric in metrics.items()
        }
        if any(len(array) != count for array in rows.values()):
            fail("its numbers of rows and segments differ")
        return rows

    def array(self, name: str, kind: np.dtype[Any], dimensions: int) -> Rows:
        """Return an array, which must have this type and number of dimensions."""
        array = self.arrays.get(name)
        if array is None or array.dtype != kind or array.ndim != dimensions:
            fail(f"its array {name!r} is missing or has the wrong type")
        return array


def fail(problem: str) -> NoReturn:
    """Raise the error for a file that refscore cannot have written."""
    raise InputError(None, f"cannot be read as statistics: {problem}")


def describe_metrics(metrics: Mapping[str, Metric[Any]]) -> tuple[list[dict[str, Any]], dict[str, NDArray[Any]]]:
    """Return the metrics as JSON values, and the weights of fitted metrics as arrays."""
    listed = [
        {"label": label, "signature": metric.signature, "columns": list(metric.columns)}
        for label, metric in metrics.items()
    ]
    states = {label: metric.fitted_state() for label, metric in metrics.items()}
    return listed, {
        _WEIGHTS + label: np.frombuffer(state, dtype=np.uint8) for label, state in states.items() if state is not None
    }


def load_metrics(
    listed: Any, arrays: Mapping[str, NDArray[Any]], given: Mapping[str, Metric[Any]] | None
) -> dict[str, Metric[Any]]:
    """Return the metrics that `describe_metrics` described: the given ones, or new ones from their signatures."""
    entries = listed if isinstance(listed, list) else []
    if not entries or not all(map(_is_described, entries)):
        fail("its header lists no metrics")
    labels = [entry["label"] for entry in entries]
    if len({*labels}) != len(labels):
        fail("two metrics have the same label")
    if given is not None and list(given) != labels:
        raise InputError(None, f"has the metrics {', '.join(labels)}, not {', '.join(given)}")
    metrics = {}
    for entry in entries:
        label, signature = entry["label"], entry["signature"]
        metric = _load_metric(label, signature, arrays.get(_WEIGHTS + label)) if given is None else given[label]
        if _settings(metric.signature) != _settings(signature):
            raise InputError(None, f"has different settings for {label!r}: {signature}")
        if list(metric.columns) != entry["columns"]:
            raise InputError(None, f"has different columns for {label!r} than this version of refscore")
        metrics[label] = metric
    return metrics


def _is_described(entry: Any) -> bool:
    kinds = {"label": str, "signature": str, "columns": list}
    return isinstance(entry, dict) and all(isinstance(entry.get(key), kind) for key, kind in kinds.items())


def _settings(signature: str) -> str:
    return signature.partition("|version:")[0]


def _load_metric(label: str, signature: str, weights: NDArray[Any] | None) -> Metric[Any]:
    try:
        if weights is None:
            metric = from_signature(signature)
        else:
            name, pairs = split(signature)
            metric = METRICS[name or ""].from_fitted_state(pairs, weights.tobytes())
        metric.check_fitted()
        return metric
    except (RefscoreError, KeyError) as error:
        raise InputError(
            None,
            f"has the metric {label!r}, which cannot be restored ({error})",
            "pass the original metrics as metrics=, and import or register custom metrics first",
        ) from None
