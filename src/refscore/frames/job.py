"""One call's columns and metrics, checked before any work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, TypedDict, get_args

from refscore.errors import InputError, Location, SettingError, UnknownNameError
from refscore.metrics import Metric, MetricChoices, kernel_threads, parse_metrics

Names: TypeAlias = "str | Iterable[str] | None"

# How to treat segments without a hypothesis or without any reference (null, and in pandas NaN): raise an error; skip
# them (a null score, and no effect on corpus scores); or give them, and every corpus that has one, the score NaN.
Missing: TypeAlias = Literal["error", "skip", "nan"]

# Columns of results: the number of segments, and the suffix for the exact sums of a metric.
SEGMENTS = "segments"
EXACT = ".exact"


class Options(TypedDict, total=False):
    """Keyword arguments that score a frame's segments. `refscore.frames.with_scores` documents them."""

    sources: str | None
    threads: int | None
    missing: Missing


class GroupBy(Options, total=False):
    """Keyword arguments that score a frame or its groups. `refscore.frames.corpus` documents them."""

    by: Names


@dataclass(frozen=True)
class Job:
    """One call's columns and metrics. Engines send it to their workers."""

    hypotheses: str
    references: tuple[str, ...]
    metrics: Mapping[str, Metric[Any]]
    by: tuple[str, ...] = ()  # the columns to group by; none for a single group
    threads: int | None = None
    missing: Missing = "error"
    sources: str | None = None

    @classmethod
    def parse(
        cls,
        hypotheses: str,
        references: Names,
        metrics: MetricChoices,
        *,
        by: Names = None,
        threads: int | None = None,
        missing: Missing = "error",
        sources: str | None = None,
        for_segments: bool = False,
        **unknown: object,
    ) -> Job:
        """Check a call's arguments and return them as a job, for a corpus or for single segments."""
        if for_segments and by is not None:
            unknown["by"] = by
        for name in unknown:
            raise UnknownNameError.suggest("argument", name, (Options if for_segments else GroupBy).__annotations__)
        if not isinstance(hypotheses, str):
            raise SettingError(f"hypotheses must be the name of a column, not {hypotheses!r}")
        reference_columns = _column_names("references", references)
        labelled = parse_metrics(metrics, for_segments=for_segments)
        for metric in labelled.values():
            if metric.needs_references and not reference_columns:
                raise SettingError("references is empty: name at least one column")
            if metric.needs_sources and sources is None:
                raise SettingError(f"{metric.title} needs the source of each segment: name its column with sources=")
            metric.check_fitted()
        kernel_threads(threads)
        if missing not in get_args(Missing):
            raise UnknownNameError.suggest("value of missing", missing, get_args(Missing))
        if sources is not None and not isinstance(sources, str):
            raise SettingError(f"sources must be the name of a column, not {sources!r}")
        group_columns = _column_names("by", by)
        if not for_segments:
            _check_new((), [*group_columns, SEGMENTS, *labelled, *(label + EXACT for label in labelled)])
        return cls(hypotheses, reference_columns, labelled, group_columns, threads, missing, sources)

    @property
    def columns(self) -> list[str]:
        """The columns to read."""
        source = [] if self.sources is None else [self.sources]
        return [*dict.fromkeys([self.hypotheses, *self.references, *source, *self.by])]

    def check_columns(self, known: Sequence[str], *, adds_scores: bool = False) -> None:
        """Raise an error for a missing column or, with `adds_scores`, if a metric's label is already a column."""
        for name in self.columns:
            count = list(known).count(name)
            if count == 0:
                raise UnknownNameError.suggest("column", name, map(str, known))
            if count > 1:
                raise InputError(Location(name), f"is the name of {count} columns", "rename all but one")
        if adds_scores:
            _check_new(known, self.metrics)

    def check_sums(self) -> None:
        """Raise an error if sums cannot represent missing segments."""
        if self.missing == "nan":
            raise SettingError("sums cannot represent NaN: use missing='skip', or refscore.frames.corpus")

    def with_columns(self, names: Iterable[str]) -> Job:
        """Return the job with different names for the hypotheses, the references and the sources, in this order."""
        hypotheses, *references = names
        sources = None if self.sources is None else references.pop()
        return replace(self, hypotheses=hypotheses, references=tuple(references), sources=sources)

    def locate(self, location: Location, begin: int) -> Location:
        """Return the location with the names of the frame's columns and rows. Rows are counted from `begin`."""
        references, sources = joined_names(self.references), self.sources or "sources"
        return location.after(begin).on_sides(hypotheses=self.hypotheses, references=references, sources=sources)


def check_type(argument: str, value: object, kind: type | tuple[type, ...], description: str) -> None:
    """Raise an error if an argument is not an instance of a class or several classes."""
    if not isinstance(value, kind):
        raise InputError(None, f"{argument} must be {description}, not {type(value).__name__}")


def joined_names(columns: Sequence[str]) -> str:
    """Return the name that one or several columns have in an error."""
    return columns[0] if len(columns) == 1 else f"({', '.join(columns)})"


def _column_names(argument: str, value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
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
