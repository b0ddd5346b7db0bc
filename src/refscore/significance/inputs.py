"""Checks of the arguments of significance tests."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, SupportsFloat, TypeAlias, TypedDict, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, Location, SettingError
from refscore.inputs import reject_masked
from refscore.metrics import Rows, Values, kernel_threads, parse_metric, parse_metrics, sum_rows_by
from refscore.settings import as_float, whole_number

Runs: TypeAlias = tuple[Rows, ...]
"""The rows of each run of one system."""

Systems: TypeAlias = Mapping[str, Any]
"""Rows of statistics by system, or a list of them for several runs. The first system is the baseline."""

Units: TypeAlias = Iterable[Hashable]
Progress: TypeAlias = Callable[[int, int], object]

if TYPE_CHECKING:

    class SamplingSettings(TypedDict, total=False):
        """The settings of `Sampling`, without the number of draws."""

        seed: int
        confidence: float
        units: Units | None
        threads: int | None
        progress: Progress | None

    class ComparisonSettings(SamplingSettings, total=False):
        """The settings of `paired_bootstrap`."""

        resamples: int
        holm: bool
        paper: bool


# More draws are surely a mistake.
MOST_DRAWS = 10_000_000
MOST_SEED = 2**128 - 1


@runtime_checkable
class RowScorer(Protocol):
    """The methods of a metric that significance tests need. Every `refscore.metrics.Metric` has them.

    >>> import refscore
    >>> isinstance(refscore.BLEU(), RowScorer)
    True
    """

    @property
    def higher_is_better(self) -> bool:
        """Whether larger scores are better."""

    @property
    def title(self) -> str:
        """The name in tables."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of a row."""

    def values(self, rows: Any, *, threads: int | None = None) -> Values:
        """Return the score of each sum of rows."""

    def score(self, row: Any) -> SupportsFloat:
        """Return the score of one sum of rows."""


ScorerChoice: TypeAlias = RowScorer | str
"""A metric, or a name that `refscore.metrics.parse_metric` accepts, such as "bleu" or "chrf++"."""

ScorerChoices: TypeAlias = Mapping[str, ScorerChoice] | list[ScorerChoice]
"""Several metrics, by label or in a list."""


@dataclass(frozen=True)
class Sampling:
    """The settings that all significance tests share.

    Attributes:
        count: The number of draws.
        seed: The seed of the random numbers. The same seed gives the same result.
        confidence: The confidence level of intervals.
        units: One label per segment, such as its document. Segments with the same label are drawn together.
        threads: The number of threads; all cores by default.
        progress: A function called with the amount of work done and the total.

    Example:
        >>> Sampling(confidence=0.99).seed
        12345
    """

    count: int = 1000
    seed: int = 12345
    confidence: float = 0.95
    units: Units | None = None
    threads: int | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        kernel_threads(self.threads)
        object.__setattr__(self, "confidence", between_0_and_1("confidence", self.confidence, 0.95))
        object.__setattr__(self, "seed", whole_number("seed", self.seed, 0, MOST_SEED))


def between_0_and_1(name: str, value: Any, example: float = 0.05) -> float:
    """Return a setting that must be a number between 0 and 1, such as `example`."""
    try:
        number = as_float(value)
    except (TypeError, OverflowError):
        number = 0.0
    if not 0 < number < 1:
        raise SettingError(f"{name} must be a number between 0 and 1 such as {example:g}, not {value!r}")
    return number


def parse_scorer(choice: ScorerChoice) -> RowScorer:
    """Return the metric of a choice."""
    if isinstance(choice, RowScorer) and not isinstance(choice, type):
        return choice
    return parse_metric(cast("str", choice))[1]


def check_labelled(
    metric: ScorerChoice | ScorerChoices, systems: Any
) -> tuple[dict[str, RowScorer], dict[str, dict[str, Runs]]]:
    """Return metrics and systems by label. A single metric has the label ""."""
    if not isinstance(metric, (Mapping, list)):
        scorer = parse_scorer(metric)
        return {"": scorer}, {"": _check_systems(scorer, systems, "systems")}
    choices = metric if isinstance(metric, Mapping) else parse_metrics(metric)  # type: ignore[arg-type]
    if not isinstance(systems, Mapping) or set(choices) != set(systems) or not choices:
        raise InputError(
            Location("systems"),
            "must have the same labels as the metrics",
            "pass a dictionary from each label to its systems",
        )
    metrics = {label: parse_scorer(choice) for label, choice in choices.items()}
    checked = {label: _check_systems(each, systems[label], f"systems[{label!r}]") for label, each in metrics.items()}
    run_counts = {label: [(name, len(runs)) for name, runs in each.items()] for label, each in checked.items()}
    first = next(iter(checked))
    for label, counts in run_counts.items():
        if counts != run_counts[first]:
            problem = f"has different systems or runs than systems[{first!r}]"
            fix = "pass the same systems and runs in the same order for every metric"
            raise InputError(Location(f"systems[{label!r}]"), problem, fix)
    _check_lengths({f"systems[{label!r}]": next(iter(each.values())) for label, each in checked.items()})
    return metrics, checked


def _check_systems(metric: RowScorer, systems: Any, where: str) -> dict[str, Runs]:
    if not isinstance(systems, Mapping):
        problem = f"must be a dictionary from names to rows of statistics, not {_kind(systems)}"
        raise InputError(Location(where), problem)
    if len(systems) < 2:
        fix = "pass the baseline first, and at least one more system"
        raise InputError(Location(where), f"has {len(systems)} system{'' if len(systems) == 1 else 's'}", fix)
    checked: dict[str, Runs] = {}
    for name, rows in systems.items():
        if not isinstance(name, str):
            raise InputError(Location(where), f"has a name that is not a string: {name!r}")
        checked[name] = check_runs(metric, rows, f"{where}[{name!r}]")
    _check_lengths({f"{where}[{name!r}]": runs for name, runs in checked.items()})
    return checked


def _check_lengths(systems: Mapping[str, Runs]) -> None:
    (first, runs), *others = systems.items()
    for name, other in others:
        if len(other[0]) != len(runs[0]):
            problem = f"has {len(other[0])} rows but {first} has {len(runs[0])}"
            raise InputError(Location(name), problem, "pass rows of the same segments")


def check_runs(metric: RowScorer, rows: Any, where: str) -> Runs:
    """Return the rows of one system, for each of its runs."""
    given = list(rows) if isinstance(rows, (list, tuple)) or getattr(rows, "ndim", 0) == 3 else [rows]
    if given and not hasattr(given[0], "ndim"):
        given = [rows]  # one array as a list of lists
    if not given:
        raise InputError(Location(where), "is empty", "pass the rows of at least one run")
    several = len(given) > 1
    runs = tuple(_check_rows(metric, run, f"{where}[{k}]" if several else where) for k, run in enumerate(given))
    _check_lengths({f"{where}[{k}]": (run,) for k, run in enumerate(runs)})
    return runs


def _check_rows(metric: RowScorer, rows: Any, where: str) -> Rows:
    names = metric.columns
    reject_masked(rows, Location(where))
    try:
        table = np.asarray(rows)
    except ValueError:
        table = np.asarray(None)
    if table.ndim != 2 or table.dtype.kind not in "iuf" or table.shape[1] != len(names):
        problem = f"must have {len(names)} numbers per segment for {metric.title}, not {_kind(rows)}"
        raise InputError(Location(where), problem, "pass metric.stats(hypotheses, references)")
    if not len(table):
        raise InputError(Location(where), "is empty", "resampling needs at least 2 segments")
    if table.dtype.kind == "f" and table.dtype.itemsize != 8:
        table = table.astype(np.float64)
    # Column by column, since a mask of the whole table takes memory. NaN fails both comparisons. Usually, the smallest
    # and largest number of the table show that there is nothing to do.
    if table.min() >= 0 and table.max() < 2**63:
        return table
    for name, values in zip(names, table.T, strict=True):
        if not (values.min() >= 0 and values.max() < 2**63):
            _check_column(metric, table, name, values, where)
    return table


def _check_column(metric: RowScorer, table: Rows, name: str, values: Rows, where: str) -> None:
    """Raise an error if a column has a number that is too large, or negative and invalid for the metric."""
    unusual = np.flatnonzero(~((values >= 0) & (values < 2**63)))
    wrong = unusual[~(np.abs(values[unusual].astype(np.float64)) < 2.0**63)]
    fix = "statistics must be finite numbers below 2**63"
    if not len(wrong):
        try:
            metric.score(table[unusual[0]])
            return
        except InputError:
            wrong, fix = unusual, "statistics must not be negative"
    raise InputError(Location(where, segment=int(wrong[0])), f"has {values[wrong[0]].item()} for {name}", fix)


def _kind(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return f"an array of shape {tuple(shape)}" if shape is not None else f"{type(value).__name__}"


def unit_numbers(units: Units | None, segments: int) -> NDArray[np.int64] | None:
    """Return the index of each segment's unit, in the order of first occurrence; None without units."""
    few = "resampling needs at least 2"
    if units is None:
        if segments < 2:
            raise InputError(None, "there is 1 segment", few)
        return None
    labels, numbers = label_numbers(units, segments, "units")
    if len(labels) < 2:
        raise InputError(Location("units"), f"has only one label, {labels[0]!r}", few)
    return numbers


def label_numbers(given: Units, segments: int, side: str) -> tuple[list[Hashable], NDArray[np.int64]]:
    """Return the different labels in the order of first occurrence, and the index of each segment's label.

    `side` is the name of the argument, for errors.
    """
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
    """Return whether a label, or a part of it, is None, NaN, or a missing value of pandas."""
    if isinstance(label, tuple):
        return any(map(_is_missing, label))
    differs = label != label  # noqa: PLR0124 - only NaN and NaT differ from themselves
    is_missing = isinstance(differs, (bool, np.bool_)) and bool(differs)
    return label is None or is_missing or type(label).__name__ == "NAType"


def check_given_rows(
    rows: Mapping[str, Mapping[str, Any]], metrics: Mapping[str, RowScorer], runs: Mapping[str, int], segments: int
) -> dict[str, dict[str, list[Rows]]]:
    """Return the rows of each run, by label and system, of metrics that do not score texts.

    `runs` has the number of runs of each system. The rows of a system with several runs are a list of arrays.
    """
    checked: dict[str, dict[str, list[Rows]]] = {}
    for label, by_system in rows.items():
        if label not in metrics:
            raise SettingError(f"rows has {label!r}, which is not among the metrics: {', '.join(metrics)}")
        if not isinstance(by_system, Mapping) or set(by_system) != set(runs):
            problem, fix = "does not have the names of the systems", f"pass rows for {', '.join(runs)}"
            raise InputError(Location(f"rows[{label!r}]"), problem, fix)
        shape = segments, len(metrics[label].columns)
        checked[label] = {}
        for name, count in runs.items():
            place = Location(f"rows[{label!r}][{name!r}]")
            tables = [np.asarray(table) for table in (by_system[name] if count > 1 else [by_system[name]])]
            if len(tables) != count:
                raise InputError(place, f"has {len(tables)} arrays for {count} runs", "pass one array per run")
            for table in tables:
                if table.shape != shape:
                    raise InputError(
                        place, f"must have the shape {shape}, not {table.shape}", "pass one row per segment"
                    )
            checked[label][name] = tables
    return checked


def sum_units(rows: Rows, numbers: NDArray[np.int64] | None) -> Rows:
    """Return the sum of the rows of each unit."""
    return rows if numbers is None else sum_rows_by(rows, numbers, int(numbers.max()) + 1)
