"""The columns and metrics of one call, checked before any work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from refscore.errors import InputError, Location, SettingError, UnknownNameError, relocated
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.runner import kernel_threads
from refscore.metrics.core.selection import MetricChoices, parse_metrics

ColumnNames: TypeAlias = "str | Iterable[str]"

# What happens to segments whose hypothesis, or all of whose references, are missing (null; in pandas also NaN): an
# error; they are left out (null as a score, not counted in a corpus); or their score is NaN, and so is their corpus'.
Missing: TypeAlias = Literal["error", "skip", "nan"]

# The columns of results: the number of segments, and after a metric's label, its exact sums.
SEGMENTS = "segments"
EXACT = ".exact"


@dataclass(frozen=True)
class Job:
    """The columns and metrics of one call. Engines send it to their workers."""

    hypotheses: str
    references: tuple[str, ...]
    metrics: Mapping[str, Metric[Any]]
    score_by: tuple[str, ...] = ()  # the columns whose values form groups; none for a single group
    threads: int | None = None
    missing: Missing = "error"

    @classmethod
    def parse(
        cls,
        hypotheses: str,
        references: ColumnNames,
        metrics: MetricChoices,
        *,
        score_by: ColumnNames | None = None,
        threads: int | None = None,
        missing: Missing = "error",
        for_segments: bool = False,
    ) -> Job:
        """Return the job that the arguments of a call describe, for a corpus or for single segments."""
        if not isinstance(hypotheses, str):
            raise SettingError(f"hypotheses must be the name of a column, not {hypotheses!r}")
        reference_columns = _column_names("references", references)
        if not reference_columns:
            raise SettingError("references names no column")
        labelled = parse_metrics(metrics, for_segments=for_segments)
        for metric in labelled.values():
            metric.check_fitted()
        kernel_threads(threads)
        check_missing(missing)
        group_columns = _column_names("score_by", () if score_by is None else score_by)
        if not for_segments:
            _check_new((), [*group_columns, SEGMENTS, *labelled, *(label + EXACT for label in labelled)])
        return cls(hypotheses, reference_columns, labelled, group_columns, threads, missing)

    @property
    def columns(self) -> list[str]:
        """The columns that are read."""
        return [*dict.fromkeys([self.hypotheses, *self.references, *self.score_by])]

    def check_columns(self, known: Sequence[Any], *, adds_scores: bool = False) -> None:
        """Raise an error for a missing column, or if scores are added for a metric whose label is a column already."""
        for name in self.columns:
            count = list(known).count(name)
            if count == 0:
                raise UnknownNameError.suggest("column", name, map(str, known))
            if count > 1:
                raise InputError(Location(name), f"is the name of {count} columns", "rename all but one")
        if adds_scores:
            _check_new(known, self.metrics)

    def located(self, begin: int = 0) -> AbstractContextManager[None]:
        """Within it, errors about segments name columns and rows of the frame, `begin` rows before the first."""
        return in_columns(self.hypotheses, self.references, begin)


def check_missing(missing: str) -> None:
    """Raise an error for a value of `missing` that does not exist."""
    if missing not in get_args(Missing):
        raise UnknownNameError.suggest("value of missing", missing, get_args(Missing))


def check_type(argument: str, value: Any, kind: Any, description: str) -> None:
    """Raise an error for an argument that is not of a class, or of one of several."""
    if not isinstance(value, kind):
        raise InputError(None, f"{argument} must be {description}, not {type(value).__name__}")


def in_columns(hypotheses: str, references: Sequence[str], begin: int = 0) -> AbstractContextManager[None]:
    """Within it, errors about segments name these columns, and rows that are counted from the frame's first."""
    side = references[0] if len(references) == 1 else f"({', '.join(references)})"
    return relocated(lambda location: location.after(begin).on_sides(hypotheses=hypotheses, references=side))


def _column_names(argument: str, value: Any) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) or not isinstance(value, Iterable) else tuple(value)
    if not all(isinstance(name, str) for name in names):
        raise SettingError(f"{argument} must be the name of a column, or several names, not {value!r}")
    return names


def _check_new(known: Iterable[Any], new: Iterable[str]) -> None:
    taken = set(known)
    for name in new:
        if name in taken:
            fix = "rename it, or choose another name, metrics={'name': 'metric'}"
            raise InputError(Location(name), "is the name of a column already", fix)
        taken.add(name)
