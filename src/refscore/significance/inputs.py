"""Checks of what is compared and how, before any work."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, SettingError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.runner import kernel_threads
from refscore.metrics.core.score import Rows
from refscore.metrics.core.settings import number, whole_number

Runs: TypeAlias = tuple[Rows, ...]
"""The rows of each run of one system."""

Systems: TypeAlias = Mapping[str, Any]
"""Rows by the name of their system, or a list of rows where it has several runs; the baseline comes first."""

Units: TypeAlias = Iterable[Hashable]
Progress: TypeAlias = Callable[[int, int], object]

# Enough for any purpose; more is a mistake.
MOST_DRAWS = 10_000_000
MOST_SEED = 2**128 - 1


def checked_systems(metric: Any, systems: Any, where: str = "systems") -> dict[str, Runs]:
    """The systems of one metric, each as a tuple of runs, all of the same length."""
    checked_metric(metric)
    if not isinstance(systems, Mapping):
        raise InputError(None, f"{where} must be a mapping from names to rows of statistics, not {_kind(systems)}")
    if len(systems) < 2:
        raise InputError(
            None, f"{where} has {len(systems)}: a comparison needs a baseline, which comes first, and a system"
        )
    found: dict[str, Runs] = {}
    for name, rows in systems.items():
        if not isinstance(name, str):
            raise InputError(None, f"names in {where} must be strings, not {name!r}")
        found[name] = checked_runs(metric, rows, f"{where}[{name!r}]")
    same_lengths({f"{where}[{name!r}]": runs for name, runs in found.items()})
    return found


def checked_metric(metric: Any) -> Metric[Any]:
    """A metric, not its name or class."""
    if not isinstance(metric, Metric):
        raise SettingError(f"a metric is needed, such as refscore.BLEU(), not {metric!r}")
    return metric


def same_lengths(systems: Mapping[str, Runs]) -> None:
    """Raises an error where systems are not of the same segments."""
    (first, runs), *others = systems.items()
    for name, other in others:
        if len(other[0]) != len(runs[0]):
            raise InputError(
                None,
                f"{name} has {len(other[0])} rows but {first} has {len(runs[0])}: "
                "systems are compared on the same segments",
            )


def checked_runs(metric: Metric[Any], rows: Any, where: str) -> Runs:
    """One system's rows, for each of its runs."""
    given = list(rows) if isinstance(rows, (list, tuple)) or getattr(rows, "ndim", 0) == 3 else [rows]
    if given and not hasattr(given[0], "ndim"):
        given = [rows]  # one table as a list of lists
    if not given:
        raise InputError(None, f"{where} has no runs")
    several = len(given) > 1
    runs = tuple(_checked_rows(metric, run, f"{where}[{k}]" if several else where) for k, run in enumerate(given))
    same_lengths({f"{where}[{k}]": (run,) for k, run in enumerate(runs)})
    return runs


def _checked_rows(metric: Metric[Any], rows: Any, where: str) -> Rows:
    names = metric.columns
    try:
        table = np.asarray(rows)
    except ValueError:
        table = np.asarray(None)
    if table.ndim != 2 or table.dtype.kind not in "iuf" or table.shape[1] != len(names):
        raise InputError(
            None,
            f"{where} must be rows of {metric.name}, {len(names)} numbers a segment as metric.stats gives them, "
            f"not {_kind(rows)}",
        )
    if not len(table):
        raise InputError(None, f"{where} is empty: there is no segment to resample")
    if table.dtype.kind == "f" and table.dtype.itemsize != 8:
        table = table.astype(np.float64)
    for column, name in enumerate(names):
        # Column by column, so that no mask of the whole table is made; not a number fails both comparisons.
        values = table[:, column]
        if not (values.min() >= 0 and values.max() < 2**63):
            wrong = int(np.flatnonzero(~((values >= 0) & (values < 2**63)))[0])
            raise InputError(
                None, f"{where}[{wrong}] has {values[wrong].item()} for {name}: statistics are numbers from 0 up"
            )
    return table


def _kind(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return f"an array of shape {tuple(shape)}" if shape is not None else f"{type(value).__name__}"


def unit_numbers(units: Units | None, segments: int) -> NDArray[np.int64] | None:
    """For each segment the number of its unit, in the order in which units first come; None if each is its own."""
    if units is None:
        if segments < 2:
            raise InputError(None, "there is 1 segment: resampling needs at least 2")
        return None
    if isinstance(units, str) or not isinstance(units, Iterable):
        raise InputError(None, f"units must be one label for each segment, not {_kind(units)}")
    labels = units.tolist() if isinstance(units, np.ndarray) else list(units)
    if len(labels) != segments:
        raise InputError(None, f"units has {len(labels)} labels for {segments} segments: give one for each")
    numbers: dict[Hashable, int] = {}
    try:
        found = [numbers.setdefault(label, len(numbers)) for label in labels]
    except TypeError:
        raise InputError(None, "units must be labels such as names of documents: strings, numbers or tuples") from None
    if len(numbers) < 2:
        raise InputError(None, f"all segments are of one unit, {labels[0]!r}: resampling needs at least 2")
    return np.array(found, dtype=np.int64)


def summed_units(rows: Rows, numbers: NDArray[np.int64] | None) -> Rows:
    """The rows of each unit added up."""
    if numbers is None:
        return rows
    order = np.argsort(numbers, kind="stable")
    begins = np.flatnonzero(np.diff(numbers[order], prepend=-1))
    summed: Rows = np.add.reduceat(rows[order], begins, axis=0)
    return summed


def checked_settings(name: str, count: Any, seed: Any, confidence: Any, threads: Any) -> tuple[int, int, float]:
    """How many draws, of what seed, and the confidence of intervals."""
    kernel_threads(threads)
    try:
        made = number(confidence)
    except (TypeError, OverflowError):
        made = 0.0
    if not 0 < made < 1:
        raise SettingError(f"confidence must be a number between 0 and 1 such as 0.95, not {confidence!r}")
    return whole_number(name, count, 1, MOST_DRAWS), whole_number("seed", seed, 0, MOST_SEED), made


def runs_of(systems: Mapping[str, Mapping[str, Runs]]) -> list[int]:
    """How many runs each system has; the same for each metric."""
    return [len(runs) for runs in next(iter(systems.values())).values()]


def segments_of(systems: Mapping[str, Mapping[str, Runs]]) -> int:
    """How many segments there are."""
    return len(next(iter(next(iter(systems.values())).values()))[0])


def by_label(metric: Any, systems: Any) -> tuple[dict[str, Metric[Any]], dict[str, dict[str, Runs]], bool]:
    """Metrics and systems under labels, and whether there were labels: several metrics are one mapping, one is not."""
    if not isinstance(metric, Mapping):
        return {"": metric}, {"": checked_systems(metric, systems)}, False
    if not isinstance(systems, Mapping) or set(metric) != set(systems) or not metric:
        raise InputError(
            None, "for several metrics, systems must be a mapping with the same labels, each with its systems"
        )
    found = {label: checked_systems(metric[label], systems[label], f"systems[{label!r}]") for label in metric}
    (first, one), *others = found.items()
    for label, other in others:
        if list(other) != list(one) or [len(runs) for runs in other.values()] != [len(runs) for runs in one.values()]:
            raise InputError(
                None, f"systems[{label!r}] and systems[{first!r}] are not the same systems and runs in one order"
            )
        same_lengths(
            {f"systems[{first!r}]": next(iter(one.values())), f"systems[{label!r}]": next(iter(other.values()))}
        )
    return dict(metric), found, True
