"""The columns and metrics of one call, checked before any work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from refscore.errors import InputError, Location, SettingError, UnknownNameError, relocated
from refscore.metrics import Metric, MetricChoices, kernel_threads, parse_metrics

ColumnNames: TypeAlias = "str | Iterable[str]"

# How to treat segments without a hypothesis or without any reference (null, and in pandas NaN): raise an error; skip
# them (a null score, and no effect on corpus scores); or give them, and every corpus that has one, the score NaN.
Missing: TypeAlias = Literal["error", "skip", "nan"]

# Columns of results: the number of segments, and the suffix for the exact sums of a metric.
SEGMENTS = "segments"
EXACT = ".exact"


@dataclass(frozen=True)
class Job:
    """The columns and metrics of one call. Engines send it to their workers."""

    hypotheses: str
    references: tuple[str, ...]
    metrics: Mapping[str, Metric[Any]]
    score_by: tuple[str, ...] = ()  # the columns to group by; none for a single group
    threads: int | None = None
    missing: Missing = "error"
    sources: str | None = None

    @classmethod
    def parse(
        cls,
        hypotheses: str,
        references: ColumnNames | None,
        metrics: MetricChoices,
        *,
        score_by: ColumnNames | None = None,
        threads: int | None = None,
        missing: Missing = "error",
        sources: str | None = None,
        for_segments: bool = False,
    ) -> Job:
        """Check the arguments of a call and return them as a job, for a corpus or for single segments."""
        if not isinstance(hypotheses, str):
            raise SettingError(f"hypotheses must be the name of a column, not {hypotheses!r}")
        reference_columns = _column_names("references", () if references is None else references)
        labelled = parse_metrics(metrics, for_segments=for_segments)
        check_references(reference_columns, labelled.values())
        check_sources(sources, labelled.values())
        for metric in labelled.values():
            metric.check_fitted()
        kernel_threads(threads)
        check_missing(missing)
        if sources is not None and not isinstance(sources, str):
            raise SettingError(f"sources must be the name of a column, not {sources!r}")
        group_columns = _column_names("score_by", () if score_by is None else score_by)
        if not for_segments:
            _check_new((), [*group_columns, SEGMENTS, *labelled, *(label + EXACT for label in labelled)])
        return cls(hypotheses, reference_columns, labelled, group_columns, threads, missing, sources)

    @property
    def columns(self) -> list[str]:
        """The columns to read."""
        source = [] if self.sources is None else [self.sources]
        return [*dict.fromkeys([self.hypotheses, *self.references, *source, *self.score_by])]

    def check_columns(self, known: Sequence[Any], *, adds_scores: bool = False) -> None:
        """Raise an error for a missing column or, with `adds_scores`, if a metric's label is already a column."""
        for name in self.columns:
            count = list(known).count(name)
            if count == 0:
                raise UnknownNameError.suggest("column", name, map(str, known))
            if count > 1:
                raise InputError(Location(name), f"is the name of {count} columns", "rename all but one")
        if adds_scores:
            _check_new(known, self.metrics)

    def located(self, begin: int = 0) -> AbstractContextManager[None]:
        """Return a context in which errors name columns and rows of the frame. Rows are counted from `begin`."""
        return in_columns(self.hypotheses, self.references, self.sources, begin)


class Columns(NamedTuple):
    """The columns of a frame that metrics read."""

    hypotheses: Any
    references: Sequence[Any]
    sources: Any = None  # None if there are none


def check_references(columns: Sequence[str], metrics: Iterable[Metric[Any]]) -> None:
    """Raise an error if there are no columns of references but a metric needs them."""
    if not columns and any(metric.needs_references for metric in metrics):
        raise SettingError("references is empty: name at least one column")


def check_sources(column: Any, metrics: Iterable[Metric[Any]]) -> None:
    """Raise an error if there is no column of sources but a metric needs it."""
    if column is None:
        needing = next((metric for metric in metrics if metric.needs_sources), None)
        if needing is not None:
            raise SettingError(f"{needing.title} needs the source of each segment: name its column with sources=")


def check_missing(missing: str) -> None:
    """Raise an error for an unknown value of `missing`."""
    if missing not in get_args(Missing):
        raise UnknownNameError.suggest("value of missing", missing, get_args(Missing))


def check_type(argument: str, value: Any, kind: Any, description: str) -> None:
    """Raise an error if an argument is not an instance of a class, or of one of several."""
    if not isinstance(value, kind):
        raise InputError(None, f"{argument} must be {description}, not {type(value).__name__}")


def in_columns(
    hypotheses: str, references: Sequence[str], sources: str | None = None, begin: int = 0
) -> AbstractContextManager[None]:
    """Return a context in which errors name these columns and rows of the frame. Rows are counted from `begin`."""
    side = references[0] if len(references) == 1 else f"({', '.join(references)})"
    names = {"hypotheses": hypotheses, "references": side, "sources": sources or "sources"}
    return relocated(lambda location: location.after(begin).on_sides(**names))


def _column_names(argument: str, value: Any) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) or not isinstance(value, Iterable) else tuple(value)
    if not all(isinstance(name, str) for name in names):
        raise SettingError(f"{argument} must be one or several names of columns, not {value!r}")
    return names


def _check_new(known: Iterable[Any], new: Iterable[str]) -> None:
    taken = set(known)
    for name in new:
        if name in taken:
            fix = "rename it, or label the metric, metrics={'name': 'metric'}"
            raise InputError(Location(name), "is already a column", fix)
        taken.add(name)
