"""Segments in a frame's columns, and their scores. Frames and series belong to narwhals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.data_warnings import is_checked, issue, unchecked
from refscore.errors import InputError, relocated
from refscore.frames.job import Job
from refscore.inputs import Beside, Input, flat, is_column, with_sources
from refscore.metrics import check_data


@contextmanager
def present_segments(job: Job, part: Any, begin: int) -> Iterator[tuple[tuple[Any, Any], NDArray[np.bool_]]]:
    """Yield both sides for the segments that can be scored, and whether each row is such a segment.

    If missing segments are an error, yields all. Errors in the `with` block name the frame's columns and rows. Rows
    are counted from `begin`.
    """
    rows = np.ones(len(part), dtype=bool) if job.missing == "error" else ~_is_missing(job, part)
    with relocated(lambda location: job.locate(location, begin)):
        try:
            yield _sides(job, part if rows.all() else part.filter(rows.tolist())), rows
        except InputError as error:
            location, fix = error.location, error.fix
            if location is not None and location.segment is not None:
                location = replace(location, segment=int(np.flatnonzero(rows)[location.segment]))
                if _is_missing(job, part)[location.segment]:
                    fix += "; to allow it, pass missing='skip' or 'nan'"
            raise error.at(location, fix=fix) from None


def score_segments(job: Job, part: Any, begin: int = 0) -> dict[str, NDArray[Any]]:
    """Return segment scores by metric. Missing segments have NaN ("nan") or None ("skip")."""
    scores = {label: np.full(len(part), None if job.missing == "skip" else np.nan) for label in job.metrics}
    with unchecked(), present_segments(job, part, begin) as (sides, rows):
        for label, metric in job.metrics.items():
            if rows.all():
                scores[label] = metric.segments(*sides, threads=job.threads)
            elif rows.any():
                scores[label][rows] = metric.segments(*sides, threads=job.threads)
    if begin == 0:
        check_first_rows(job, part)
    return scores


def storable(scores: NDArray[Any]) -> Any:
    """Return scores in a form that every library turns into a column: with None, a list."""
    return scores.tolist() if scores.dtype == object else scores


def check_first_rows(job: Job, part: Any) -> None:
    """Issue warnings about a frame's first rows."""
    if is_checked() and len(part):
        hypotheses, references = _sides(job, part)
        given = Input(hypotheses, references)
        issue(check_data([*job.metrics.values()], {"": given.hypotheses}, given.references))


def _sides(job: Job, part: Any) -> tuple[Any, Any]:
    """Return the hypotheses, and the references with their sources, in the form that metrics take."""
    sources = None if job.sources is None else _values(part[job.sources])
    references = _join_references([part[name] for name in job.references])
    return _values(part[job.hypotheses]), with_sources(references, sources)


def _is_missing(job: Job, part: Any) -> NDArray[np.bool_]:
    """Return for each row whether the hypothesis, all references or the source are missing."""
    missing = _is_null(part[job.hypotheses])
    if job.references:
        missing = missing | np.logical_and.reduce([_is_null(part[name]) for name in job.references])
    return missing if job.sources is None else missing | _is_null(part[job.sources])


def _is_null(column: Any) -> NDArray[np.bool_]:
    return np.asarray(column.is_null().to_numpy(), dtype=bool)


def _values(column: Any) -> Any:
    native = column.to_native()
    return native if is_column(native) else _values_or_none(column)


def _values_or_none(column: Any) -> list[Any]:
    return [None if null else value for value, null in zip(column.to_list(), _is_null(column).tolist(), strict=True)]


def _join_references(columns: Sequence[Any]) -> Any:
    if len(columns) < 2:
        return _values(columns[0]) if columns else None
    natives = [column.to_native() for column in columns]
    if all(map(is_column, natives)):
        return Beside(natives)
    return [flat(entry) for entry in zip(*map(_values_or_none, columns), strict=True)]
