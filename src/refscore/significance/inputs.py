from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Set, Sized
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from refscore.errors import InputError, Location
from refscore.metrics import MetricChoice, RowMetric, Rows, parse_row_metric, parse_row_metrics
from refscore.significance.settings import Units
from refscore.text_display import counted

Numbers: TypeAlias = NDArray[np.int64]
Runs: TypeAlias = tuple[Rows, ...]
"""The rows of each run of one system."""

Systems: TypeAlias = Mapping[str, ArrayLike]
"""Rows of statistics by system, or a list of them for several runs. The first system is the baseline."""


MetricByLabel: TypeAlias = Mapping[str, MetricChoice] | list[MetricChoice]
"""Several metrics, by label or in a list."""


def check_labelled(
    metric: MetricChoice | MetricByLabel, systems: Any, units: Units | None
) -> tuple[dict[str, RowMetric[Any]], dict[str, dict[str, Runs]], Numbers | None]:
    """Return metrics and systems by label, and each segment's unit as an index. A single metric has the label ""."""
    if not isinstance(metric, (Mapping, list)):
        _, chosen = parse_row_metric(metric)
        metrics, systems, places = {"": chosen}, {"": systems}, {"": "systems"}
    else:
        metrics = parse_row_metrics(metric)
        if not isinstance(systems, Mapping) or set(metrics) != set(systems):
            fix = "pass a dictionary from each label to its systems"
            raise InputError(Location("systems"), "must have the same labels as the metrics", fix)
        places = {label: f"systems[{label!r}]" for label in metrics}
    checked = {label: _check_systems(each, systems[label], places[label]) for label, each in metrics.items()}
    run_counts = {label: [(name, len(runs)) for name, runs in each.items()] for label, each in checked.items()}
    first = next(iter(checked))
    for label, counts in run_counts.items():
        if counts != run_counts[first]:
            fix = "pass the same systems and runs in the same order for every metric"
            raise InputError(Location(places[label]), f"has different systems or runs than {places[first]}", fix)
    _check_lengths({places[label]: next(iter(each.values())) for label, each in checked.items()})
    segments = len(next(iter(checked[first].values()))[0])
    return metrics, checked, unit_numbers(units, segments)


def _check_systems(metric: RowMetric[Any], systems: Any, where: str) -> dict[str, Runs]:
    if not isinstance(systems, Mapping):
        problem = f"must be a dictionary from names to rows of statistics, not {_kind(systems)}"
        raise InputError(Location(where), problem)
    check_several(systems, where)
    checked: dict[str, Runs] = {}
    for name, rows in systems.items():
        if not isinstance(name, str):
            raise InputError(Location(where), f"has a name that is not a string: {name!r}")
        checked[name] = check_runs(metric, rows, f"{where}[{name!r}]")
    _check_lengths({f"{where}[{name!r}]": runs for name, runs in checked.items()})
    return checked


def check_several(systems: Sized, where: str) -> None:
    """Raise an error for fewer than two systems."""
    if len(systems) < 2:
        fix = "pass the baseline first, and at least one more system"
        raise InputError(Location(where), f"has {counted(len(systems), 'system')}", fix)


def _check_lengths(systems: Mapping[str, Runs]) -> None:
    (first, runs), *others = systems.items()
    for name, other in others:
        if len(other[0]) != len(runs[0]):
            problem = f"has {len(other[0])} rows but {first} has {len(runs[0])}"
            raise InputError(Location(name), problem, "pass rows of the same segments")


def check_runs(metric: RowMetric[Any], rows: Any, where: str) -> Runs:
    given = list(rows) if isinstance(rows, (list, tuple)) or getattr(rows, "ndim", 0) == 3 else [rows]
    if given and not hasattr(given[0], "ndim"):
        given = [rows]  # one array as a list of lists
    if not given:
        raise InputError(Location(where), "is empty", "pass the rows of at least one run")
    several = len(given) > 1
    runs = tuple(_check_rows(metric, run, f"{where}[{k}]" if several else where) for k, run in enumerate(given))
    _check_lengths({f"{where}[{k}]": (run,) for k, run in enumerate(runs)})
    return runs


def _check_rows(metric: RowMetric[Any], rows: Any, where: str) -> Rows:
    table = metric.check_rows(rows, Location(where))
    if not len(table):
        raise InputError(Location(where), "is empty", "resampling needs at least 2 segments")
    return table


def _kind(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return f"an array of shape {tuple(shape)}" if shape is not None else f"{type(value).__name__}"


def unit_numbers(units: Units | None, segments: int) -> Numbers | None:
    few = "resampling needs at least 2"
    if units is None:
        if segments < 2:
            raise InputError(None, "there is 1 segment", few)
        return None
    labels, numbers = label_numbers(units, segments, "units")
    if len(labels) < 2:
        raise InputError(Location("units"), f"has only one label, {labels[0]!r}", few)
    return numbers


def label_numbers(given: Units, segments: int, side: str) -> tuple[list[Hashable], Numbers]:
    """Return the different labels as they first occur, and each segment's label as an index. Errors name `side`."""
    where = Location(side)
    if isinstance(given, (str, Set, Mapping)) or not isinstance(given, Iterable):  # a set has no order
        raise InputError(where, f"must be one label per segment, not {_kind(given)}")
    labels = given.tolist() if isinstance(given, np.ndarray) else list(given)  # a masked value becomes None
    labels = [label.as_py() if hasattr(label, "as_py") else label for label in labels]  # scalars of pyarrow
    if len(labels) != segments:
        raise InputError(where, f"has {len(labels)} labels for {segments} segments", "pass one label per segment")
    for segment, label in enumerate(labels):
        if _is_missing(label):
            # Whether such segments belong together would be a guess.
            raise InputError(Location(side, segment), f"is missing ({label!r})", "pass a label for every segment")
    numbers: dict[Hashable, int] = {}
    try:
        indexes = [numbers.setdefault(label, len(numbers)) for label in labels]
    except TypeError:
        raise InputError(where, "must be hashable labels, such as names of documents") from None
    return list(numbers), np.array(indexes, dtype=np.int64)


def _is_missing(label: Any) -> bool:
    """Return whether a label, or a part of it, is None, NaN, or missing in pandas."""
    if isinstance(label, tuple):
        return any(map(_is_missing, label))
    differs = label != label  # noqa: PLR0124 - only NaN and NaT differ from themselves
    is_missing = isinstance(differs, (bool, np.bool_)) and bool(differs)
    return label is None or is_missing or type(label).__name__ == "NAType"
