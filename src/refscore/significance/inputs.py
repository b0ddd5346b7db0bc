"""Checks of what is compared and how, before any work."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, SupportsFloat, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, SettingError
from refscore.metrics.core.metric import Rows, Values, kernel_threads
from refscore.metrics.core.settings import number, whole_number

Runs: TypeAlias = tuple[Rows, ...]
"""The rows of each run of one system."""

Systems: TypeAlias = Mapping[str, Any]
"""Rows by the name of their system, or a list of rows for one with several runs; the baseline is the first."""

Units: TypeAlias = Iterable[Hashable]
Progress: TypeAlias = Callable[[int, int], object]

# Enough for any purpose; more is a mistake.
MOST_DRAWS = 10_000_000
MOST_SEED = 2**128 - 1


@runtime_checkable
class RowScorer(Protocol):
    """What the tests need of a metric: every `Metric` has it."""

    @property
    def higher_is_better(self) -> bool:
        """Whether larger scores are better."""

    @property
    def title(self) -> str:
        """The name in tables."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of a row's columns."""

    def values(self, rows: Any, *, threads: int | None = None) -> Values:
        """Return the score of each of several sums of rows."""

    def score(self, row: Any) -> SupportsFloat:
        """Return the score of one sum of rows."""


@dataclass(frozen=True)
class Sampling:
    """How much is drawn, and with what."""

    count: int
    seed: int
    confidence: float
    threads: int | None
    progress: Progress | None


def check_sampling(
    name: str, count: Any, seed: Any, confidence: Any, threads: int | None, progress: Progress | None
) -> Sampling:
    """Return the settings of a test; `name` is what the number of draws is called."""
    kernel_threads(threads)
    try:
        share = number(confidence)
    except (TypeError, OverflowError):
        share = 0.0
    if not 0 < share < 1:
        raise SettingError(f"confidence must be a number between 0 and 1 such as 0.95, not {confidence!r}")
    draws = whole_number(name, count, 1, MOST_DRAWS)
    return Sampling(draws, whole_number("seed", seed, 0, MOST_SEED), share, threads, progress)


def check_metric(metric: Any) -> RowScorer:
    """Return the metric, which must be one, not its name or class."""
    if isinstance(metric, type) or not isinstance(metric, RowScorer):
        raise SettingError(f"a metric is needed, such as refscore.BLEU(), not {metric!r}")
    return metric


def check_labelled(metric: Any, systems: Any) -> tuple[dict[str, RowScorer], dict[str, dict[str, Runs]]]:
    """Return metrics and systems by label; a single metric has the label ""."""
    if not isinstance(metric, Mapping):
        scorer = check_metric(metric)
        return {"": scorer}, {"": _check_systems(scorer, systems, "systems")}
    if not isinstance(systems, Mapping) or set(metric) != set(systems) or not metric:
        raise InputError("for several metrics, systems must be a mapping with the same labels, each with its systems")
    metrics = {label: check_metric(each) for label, each in metric.items()}
    checked = {label: _check_systems(each, systems[label], f"systems[{label!r}]") for label, each in metrics.items()}
    (first, expected), *others = checked.items()
    for label, other in others:
        if [(name, len(runs)) for name, runs in other.items()] != [
            (name, len(runs)) for name, runs in expected.items()
        ]:
            raise InputError(
                f"systems[{label!r}] and systems[{first!r}] are not the same systems and runs in one order"
            )
        lengths = {
            f"systems[{key!r}]": next(iter(value.values())) for key, value in ((first, expected), (label, other))
        }
        _check_lengths(lengths)
    return metrics, checked


def _check_systems(metric: RowScorer, systems: Any, where: str) -> dict[str, Runs]:
    if not isinstance(systems, Mapping):
        raise InputError(f"{where} must be a mapping from names to rows of statistics, not {_kind(systems)}")
    if len(systems) < 2:
        raise InputError(f"{where} has {len(systems)}: a comparison needs a baseline, which comes first, and a system")
    checked: dict[str, Runs] = {}
    for name, rows in systems.items():
        if not isinstance(name, str):
            raise InputError(f"names in {where} must be strings, not {name!r}")
        checked[name] = check_runs(metric, rows, f"{where}[{name!r}]")
    _check_lengths({f"{where}[{name!r}]": runs for name, runs in checked.items()})
    return checked


def _check_lengths(systems: Mapping[str, Runs]) -> None:
    (first, runs), *others = systems.items()
    for name, other in others:
        if len(other[0]) != len(runs[0]):
            raise InputError(
                f"{name} has {len(other[0])} rows but {first} has {len(runs[0])}: "
                "systems are compared on the same segments"
            )


def check_runs(metric: RowScorer, rows: Any, where: str) -> Runs:
    """Return the rows of one system, for each of its runs."""
    given = list(rows) if isinstance(rows, (list, tuple)) or getattr(rows, "ndim", 0) == 3 else [rows]
    if given and not hasattr(given[0], "ndim"):
        given = [rows]  # one table as a list of lists
    if not given:
        raise InputError(f"{where} has no runs")
    several = len(given) > 1
    runs = tuple(_check_rows(metric, run, f"{where}[{k}]" if several else where) for k, run in enumerate(given))
    _check_lengths({f"{where}[{k}]": (run,) for k, run in enumerate(runs)})
    return runs


def _check_rows(metric: RowScorer, rows: Any, where: str) -> Rows:
    names = metric.columns
    try:
        table = np.asarray(rows)
    except ValueError:
        table = np.asarray(None)
    if table.ndim != 2 or table.dtype.kind not in "iuf" or table.shape[1] != len(names):
        raise InputError(
            f"{where} must be rows of {metric.title}, {len(names)} numbers a segment as metric.stats gives them, "
            f"not {_kind(rows)}"
        )
    if not len(table):
        raise InputError(f"{where} is empty: there is no segment to resample")
    if table.dtype.kind == "f" and table.dtype.itemsize != 8:
        table = table.astype(np.float64)
    for column, name in enumerate(names):
        # Column by column, to save the memory of a mask of the whole table; not a number fails both comparisons.
        values = table[:, column]
        if not (values.min() >= 0 and values.max() < 2**63):
            wrong = int(np.flatnonzero(~((values >= 0) & (values < 2**63)))[0])
            raise InputError(
                f"{where}[{wrong}] has {values[wrong].item()} for {name}: statistics are numbers from 0 up"
            )
    return table


def _kind(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return f"an array of shape {tuple(shape)}" if shape is not None else f"{type(value).__name__}"


def unit_numbers(units: Units | None, segments: int) -> NDArray[np.int64] | None:
    """Return the number of each segment's unit, counted in the order of first occurrence; None for no units."""
    if units is None:
        if segments < 2:
            raise InputError("there is 1 segment: resampling needs at least 2")
        return None
    if isinstance(units, str) or not isinstance(units, Iterable):
        raise InputError(f"units must be one label for each segment, not {_kind(units)}")
    labels = units.tolist() if isinstance(units, np.ndarray) else list(units)
    if len(labels) != segments:
        raise InputError(f"units has {len(labels)} labels for {segments} segments: give one for each")
    numbers: dict[Hashable, int] = {}
    try:
        of_segments = [numbers.setdefault(label, len(numbers)) for label in labels]
    except TypeError:
        raise InputError("units must be labels such as names of documents: strings, numbers or tuples") from None
    if len(numbers) < 2:
        raise InputError(f"all segments are of one unit, {labels[0]!r}: resampling needs at least 2")
    return np.array(of_segments, dtype=np.int64)


def sum_units(rows: Rows, numbers: NDArray[np.int64] | None) -> Rows:
    """Return the sum of the rows of each unit."""
    if numbers is None:
        return rows
    order = np.argsort(numbers, kind="stable")
    begins = np.flatnonzero(np.diff(numbers[order], prepend=-1))
    summed: Rows = np.add.reduceat(rows[order], begins, axis=0)
    return summed
