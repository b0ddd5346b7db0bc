"""Segment scores and sums of rows by group, for the frames of every library."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from refscore.data_warnings import is_checked, issue, unchecked
from refscore.errors import InputError
from refscore.frames.job import SEGMENTS, Columns, Job, Missing
from refscore.inputs import with_sources
from refscore.metrics import METRICS, Beside, GroupedRowSum, Metric, Values, check_data, parse_metric, sum_rows_by

T = TypeVar("T")
Indexes = NDArray[np.int64]

# The segments scored at a time. Their rows take a few megabytes.
STEP = 65_536


class Library(ABC):
    """The operations on frames that differ between libraries.

    A frame of keys has only the columns to group by.
    """

    def sides(self, frame: Any, job: Job) -> tuple[Any, Any]:
        """Return the hypotheses and references of a frame, in the form that metrics take."""
        return self.join(self.columns(frame, job))

    def columns(self, frame: Any, job: Job) -> Columns:
        """Return the columns that metrics read."""
        sources = None if job.sources is None else self.column(frame, job.sources)
        references = [self.column(frame, name) for name in job.references]
        return Columns(self.column(frame, job.hypotheses), references, sources)

    def column(self, frame: Any, name: str) -> Any:
        """Return a column of a frame."""
        return frame[name]

    def join(self, columns: Columns) -> tuple[Any, Any]:
        """Return the hypotheses, and the references with their sources, in the form that metrics take."""
        sources = None if columns.sources is None else self.values(columns.sources)
        references = self.join_references(columns.references) if columns.references else None
        return self.values(columns.hypotheses), with_sources(references, sources)

    def values(self, column: Any) -> Any:
        """Return a column in the form that metrics take."""
        return column

    def join_references(self, columns: Sequence[Any]) -> Any:
        """Return the references of one or several columns in the form that metrics take."""
        return self.values(columns[0]) if len(columns) == 1 else Beside(columns)

    @abstractmethod
    def is_missing(self, column: Any) -> NDArray[np.bool_]:
        """Return for each row whether its value is missing."""

    @abstractmethod
    def filter(self, column: Any, rows: NDArray[np.bool_]) -> Any:
        """Return the rows of a column for which `rows` is true."""

    @abstractmethod
    def with_nulls(self, values: Values, rows: NDArray[np.bool_]) -> Any:
        """Return values as a column that is null where `rows` is true."""

    @abstractmethod
    def keys(self, frame: Any, columns: tuple[str, ...]) -> Any:
        """Return the keys of a frame's rows."""

    @abstractmethod
    def labels(self, keys: Any) -> NDArray[Any]:
        """Return an integer for each row. Equal rows have equal integers."""

    @abstractmethod
    def take(self, keys: Any, rows: Indexes) -> Any:
        """Return the rows with these indexes."""

    @abstractmethod
    def concat(self, keys: list[Any]) -> Any:
        """Return the rows of several frames, one after the other."""

    @abstractmethod
    def table(self, keys: Any, columns: Mapping[str, NDArray[Any]]) -> Any:
        """Return a frame with the keys, which may be None, and further columns."""


@dataclass(frozen=True)
class Totals:
    """The exact sum of rows and the number of segments of each group."""

    keys: Any  # a frame with one row per group, in the order of their first segments; None for a single group
    segments: Indexes
    missing: Indexes  # the number of segments in each group that are missing, so not scored
    sums: Mapping[str, GroupedRowSum]  # by the label of the metric


class Present(NamedTuple):
    """The segments that can be scored, in the form that metrics take, and whether each row is one of them."""

    sides: tuple[Any, Any]
    rows: NDArray[np.bool_] | None  # None for all
    missing: Callable[[], NDArray[np.bool_]]  # for each row whether it is missing

    @contextmanager
    def located(self) -> Iterator[None]:
        """Make errors in a `with` block count all rows, and suggest `missing` for missing segments."""
        try:
            yield
        except InputError as error:
            location, fix = error.location, error.fix
            if location is not None and location.segment is not None and self.rows is not None:
                location = replace(location, segment=int(np.flatnonzero(self.rows)[location.segment]))
            elif location is not None and location.segment is not None and self.missing()[location.segment]:
                fix += "; to allow it, pass missing='skip' or 'nan'"
            raise error.at(location, fix=fix) from None


def present_segments(library: Library, columns: Columns, missing: Missing) -> Present:
    """Return the segments that can be scored. If missing segments are an error, return all."""
    hypotheses, references, sources = columns

    def is_missing() -> NDArray[np.bool_]:
        missing_rows = library.is_missing(hypotheses)
        if references:
            missing_rows = missing_rows | np.logical_and.reduce([*map(library.is_missing, references)])
        return missing_rows if sources is None else missing_rows | library.is_missing(sources)

    if missing != "error":
        rows = ~is_missing()
        if not rows.all():
            present = Columns(
                library.filter(hypotheses, rows),
                [library.filter(column, rows) for column in references],
                None if sources is None else library.filter(sources, rows),
            )
            return Present(library.join(present), rows, is_missing)
    return Present(library.join(columns), None, is_missing)


def score_columns(
    library: Library, columns: Columns, metric: Metric[Any], missing: Missing, threads: int | None
) -> Any:
    """Return the score of each segment as a column. Missing segments have null ("skip") or NaN ("nan")."""
    present = present_segments(library, columns, missing)
    with present.located():
        if present.rows is None:
            return metric.segments(*present.sides, threads=threads)
        values = np.full(len(present.rows), np.nan)
        if present.rows.any():
            values[present.rows] = metric.segments(*present.sides, threads=threads)
    return library.with_nulls(values, ~present.rows) if missing == "skip" else values


def score_segments(library: Library, job: Job, frame: Any, begin: int = 0) -> dict[str, Any]:
    """Return the score of each segment by each metric. Errors count rows from `begin`."""
    with job.located(begin):
        columns = library.columns(frame, job)
        with unchecked():
            values = {
                label: score_columns(library, columns, metric, job.missing, job.threads)
                for label, metric in job.metrics.items()
            }
    if begin == 0:
        _check_data(library, job, columns)
    return values


def _check_data(library: Library, job: Job, columns: Columns) -> None:
    """Issue warnings about the first rows."""
    if is_checked():
        hypotheses, references = library.join(columns)
        issue(check_data([*job.metrics.values()], {"": hypotheses}, references))


def score_corpus(library: Library, job: Job, frames: Iterable[Any], empty: Any) -> Any:
    """Return a frame with the scores of each group, or of all segments. The arguments are those of `sum_groups`."""
    totals = sum_groups(library, job, frames, empty)
    if not job.score_by:
        check_not_empty(len(totals.segments))
    return score_totals(library, totals, job.metrics, job.missing)


def check_not_empty(rows: int) -> None:
    """Raise an error for a corpus without segments."""
    if not rows:
        raise InputError(None, "the frame is empty", "an empty corpus has no score")


def score_totals(
    library: Library, totals: Totals, metrics: Mapping[str, Metric[Any]], missing: Missing = "error"
) -> Any:
    """Return a frame with the scores of each group: NaN without segments, or with missing ones if these are "nan"."""
    is_unknown = (totals.segments == 0) | ((totals.missing > 0) & (missing == "nan"))
    values = {
        label: np.where(is_unknown, np.nan, metric.values(totals.sums[label].rows)) for label, metric in metrics.items()
    }
    return library.table(totals.keys, {SEGMENTS: totals.segments, **values})


def sum_groups(library: Library, job: Job, frames: Iterable[Any], empty: Any) -> Totals:
    """Return the sums of rows by group. Frames have at most `STEP` rows. `empty` has their columns without rows."""
    return merge_totals(library, _sum_parts(library, job, chain([empty], frames)))


def _sum_parts(library: Library, job: Job, frames: Iterable[Any]) -> Iterator[Totals]:
    begin = 0
    for frame in frames:
        columns = library.columns(frame, job)
        count = len(columns.hypotheses)
        if begin == 0 and count:
            _check_data(library, job, columns)
        present = present_segments(library, columns, job.missing)
        with job.located(begin), present.located():
            rows = {label: metric.stats(*present.sides, threads=job.threads) for label, metric in job.metrics.items()}
        keys, codes, groups = _group(library, library.keys(frame, job.score_by) if job.score_by else None, count)
        sums = {label: GroupedRowSum(groups, array.shape[1], array.dtype) for label, array in rows.items()}
        scored = codes if present.rows is None else codes[present.rows]
        for label, total in sums.items():
            total.add(rows[label], scored)
        segments = np.bincount(scored, minlength=groups).astype(np.int64)
        yield Totals(keys, segments, np.bincount(codes, minlength=groups) - segments, sums)
        begin += count


def merge_totals(library: Library, parts: Iterable[Totals]) -> Totals:
    """Return the sum of the totals of one or more parts.

    Pending parts are merged once they have at least as many groups as the result so far. Memory therefore stays within
    a few times the number of groups, and the time is not quadratic in it.
    """
    merged: list[Totals] = []
    for part in parts:
        merged.append(part)
        if sum(len(pending.segments) for pending in merged[1:]) >= len(merged[0].segments):
            merged = [_merge(library, merged)]
    return _merge(library, merged)


def _merge(library: Library, parts: list[Totals]) -> Totals:
    all_keys = None if parts[0].keys is None else library.concat([part.keys for part in parts])
    counts = np.stack([np.concatenate([getattr(part, name) for part in parts]) for name in ("segments", "missing")], 1)
    segments = counts[:, 0]
    keys, codes, groups = _group(library, all_keys, len(segments))
    codes_by_part = np.split(codes, np.cumsum([len(part.segments) for part in parts])[:-1])
    sums = {label: GroupedRowSum(groups, total.columns, total.row_type) for label, total in parts[0].sums.items()}
    for label, total in sums.items():
        for part, part_codes in zip(parts, codes_by_part, strict=True):
            total.merge(part.sums[label], part_codes)
    summed = sum_rows_by(counts, codes, groups)
    return Totals(keys, summed[:, 0], summed[:, 1], sums)


def _group(library: Library, keys: Any, count: int) -> tuple[Any, Indexes, int]:
    """Return the keys of the groups in the order of their first rows, the group of each row, and their number."""
    labels = np.zeros(count, dtype=np.int64) if keys is None else library.labels(keys)
    _, firsts, codes = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    group_keys = None if keys is None else library.take(keys, firsts[order])
    return group_keys, np.argsort(order)[codes.reshape(-1)], len(firsts)


def metric_function(name: str, score: Callable[..., T]) -> Callable[..., T]:
    """Return a function that calls `score` with a metric and takes the metric's settings as keyword arguments.

    Modules of frames have one for every metric: `frames.pandas.bleu` and `frames.polars.sari`.
    """
    if name not in METRICS:
        raise AttributeError(f"module {score.__module__!r} has no attribute {name!r}")

    def function(
        hypotheses: Any,
        references: Any,
        *,
        sources: Any = None,
        threads: int | None = None,
        missing: Missing = "error",
        **settings: Any,
    ) -> T:
        metric = parse_metric(name, for_segments=True, **settings)[1]
        return score(hypotheses, references, metric, sources=sources, threads=threads, missing=missing)

    function.__name__ = function.__qualname__ = name
    function.__module__ = score.__module__
    function.__doc__ = f"Call `score` with the metric {name}. Keyword arguments are its settings."
    return function
