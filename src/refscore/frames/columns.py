"""Columns of hypotheses, references and sources, and the scores of their segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError
from refscore.frames.job import Job, Missing
from refscore.metrics import Beside, Metric, flat, is_column
from refscore.segments import with_sources


class Columns(NamedTuple):
    """The columns that metrics read, as series of narwhals."""

    hypotheses: Any
    references: Sequence[Any]
    sources: Any = None  # None if there are none

    @classmethod
    def select(cls, frame: Any, job: Job) -> Columns:
        """Return the columns of a frame that a job names."""
        sources = None if job.sources is None else frame[job.sources]
        return cls(frame[job.hypotheses], [frame[name] for name in job.references], sources)

    def sides(self) -> tuple[Any, Any]:
        """Return the hypotheses, and the references with their sources, in the form that metrics take."""
        sources = None if self.sources is None else _values(self.sources)
        return _values(self.hypotheses), with_sources(_join_references(self.references), sources)

    def is_missing(self) -> NDArray[np.bool_]:
        """Return for each row whether the hypothesis, all references or the source are missing."""
        missing = _is_null(self.hypotheses)
        if self.references:
            missing = missing | np.logical_and.reduce([*map(_is_null, self.references)])
        return missing if self.sources is None else missing | _is_null(self.sources)

    def filter(self, rows: NDArray[np.bool_]) -> Columns:
        """Return the rows for which `rows` is true."""
        mask = rows.tolist()
        sources = None if self.sources is None else self.sources.filter(mask)
        return Columns(self.hypotheses.filter(mask), [column.filter(mask) for column in self.references], sources)


@contextmanager
def present_segments(columns: Columns, missing: Missing) -> Iterator[tuple[tuple[Any, Any], NDArray[np.bool_]]]:
    """Yield the sides of the segments that can be scored, and whether each row is one of them.

    If missing segments are an error, yields all. Errors in the `with` block count all rows, and suggest `missing` for
    missing segments.
    """
    rows = np.ones(len(columns.hypotheses), dtype=bool) if missing == "error" else ~columns.is_missing()
    sides = (columns if rows.all() else columns.filter(rows)).sides()
    try:
        yield sides, rows
    except InputError as error:
        location, fix = error.location, error.fix
        if location is not None and location.segment is not None:
            location = replace(location, segment=int(np.flatnonzero(rows)[location.segment]))
            if columns.is_missing()[location.segment]:
                fix += "; to allow it, pass missing='skip' or 'nan'"
        raise error.at(location, fix=fix) from None


def score_columns(columns: Columns, metric: Metric[Any], missing: Missing, threads: int | None) -> NDArray[Any]:
    """Return the score of each segment. Missing segments have NaN ("nan"), or None in an array of objects ("skip")."""
    with present_segments(columns, missing) as (sides, rows):
        if rows.all():
            return metric.segments(*sides, threads=threads)
        values = np.full(len(rows), None if missing == "skip" else np.nan)
        if rows.any():
            values[rows] = metric.segments(*sides, threads=threads)
    return values


def storable(scores: NDArray[Any]) -> Any:
    """Return scores in a form that every library turns into a column: with None, a list."""
    return scores.tolist() if scores.dtype == object else scores


def values_or_none(column: Any) -> list[Any]:
    """Return the values of a series, with None for missing values."""
    return [None if null else value for value, null in zip(column.to_list(), _is_null(column).tolist(), strict=True)]


def _is_null(column: Any) -> NDArray[np.bool_]:
    return np.asarray(column.is_null().to_numpy(), dtype=bool)


def _values(column: Any) -> Any:
    native = column.to_native()
    return native if is_column(native) else values_or_none(column)


def _join_references(columns: Sequence[Any]) -> Any:
    if len(columns) < 2:
        return _values(columns[0]) if columns else None
    natives = [column.to_native() for column in columns]
    if all(map(is_column, natives)):
        return Beside(natives)
    return [flat(entry) for entry in zip(*map(values_or_none, columns), strict=True)]
