"""Scores of segments and sums of rows by group, the same for the frames of every library."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError
from refscore.frames.job import SEGMENTS, Job
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.row_sums import GroupedRowSum, sum_rows_by
from refscore.metrics.core.score import Values
from refscore.metrics.core.selection import parse_metric

T = TypeVar("T")
Indexes = NDArray[np.int64]

# Segments whose rows are in memory at a time: they take some megabytes.
STEP = 65_536

# The metrics that have functions of their own.
_FUNCTIONS = ("bleu", "cer", "chrf", "gleu", "meteor", "ribes", "rouge", "ter", "wer")


class Library(ABC):
    """The operations on frames that differ between libraries.

    A frame of keys has the columns that form groups.
    """

    @abstractmethod
    def sides(self, frame: Any, job: Job) -> tuple[Any, Any]:
        """Return the hypotheses and the references, as metrics take them."""

    @abstractmethod
    def keys(self, frame: Any, columns: tuple[str, ...]) -> Any:
        """Return the keys of a frame's rows."""

    @abstractmethod
    def labels(self, keys: Any) -> NDArray[Any]:
        """Return an integer for each row; they are equal where rows are."""

    @abstractmethod
    def take(self, keys: Any, rows: Indexes) -> Any:
        """Return some of the rows."""

    @abstractmethod
    def concat(self, keys: list[Any]) -> Any:
        """Return the rows of several frames."""

    @abstractmethod
    def table(self, keys: Any, columns: Mapping[str, NDArray[Any]]) -> Any:
        """Return a frame of keys, which may be None, and further columns."""


@dataclass(frozen=True)
class Totals:
    """Exact sums of rows, and numbers of segments, by group."""

    keys: Any  # a frame with a row for each group, in the order of their first segments; None for a single group
    segments: Indexes
    sums: Mapping[str, GroupedRowSum]  # by the label of the metric


def score_segments(library: Library, job: Job, frame: Any, begin: int = 0) -> dict[str, Values]:
    """Return the score of each segment by each metric; so many rows of the whole come before the frame."""
    with job.located(begin):
        sides = library.sides(frame, job)
        return {label: metric.segments(*sides, threads=job.threads) for label, metric in job.metrics.items()}


def score_corpus(library: Library, job: Job, frames: Iterable[Any], empty: Any) -> Any:
    """Return a frame with the scores of each group, or of all segments; the arguments are those of `sum_groups`."""
    totals = sum_groups(library, job, frames, empty)
    if not job.score_by:
        check_not_empty(len(totals.segments))
    return score_totals(library, totals, job.metrics)


def check_not_empty(rows: int) -> None:
    """Raise an error for a corpus without segments."""
    if not rows:
        raise InputError(None, "the frame is empty", "an empty corpus has no score")


def score_totals(library: Library, totals: Totals, metrics: Mapping[str, Metric[Any]]) -> Any:
    """Return a frame with the scores of each group."""
    values = {label: metric.values(totals.sums[label].rows) for label, metric in metrics.items()}
    return library.table(totals.keys, {SEGMENTS: totals.segments, **values})


def sum_groups(library: Library, job: Job, frames: Iterable[Any], empty: Any) -> Totals:
    """Return the sums of rows by group. Frames have at most `STEP` rows; `empty` has their columns without rows."""
    return merge_totals(library, _sum_parts(library, job, chain([empty], frames)))


def _sum_parts(library: Library, job: Job, frames: Iterable[Any]) -> Iterator[Totals]:
    begin = 0
    for frame in frames:
        with job.located(begin):
            sides = library.sides(frame, job)
            rows = {label: metric.stats(*sides, threads=job.threads) for label, metric in job.metrics.items()}
        count = len(next(iter(rows.values())))
        keys, codes, groups = _group(library, library.keys(frame, job.score_by) if job.score_by else None, count)
        sums = {label: GroupedRowSum(groups, array.shape[1], array.dtype) for label, array in rows.items()}
        for label, total in sums.items():
            total.add(rows[label], codes)
        yield Totals(keys, np.bincount(codes, minlength=groups).astype(np.int64), sums)
        begin += count


def merge_totals(library: Library, parts: Iterable[Totals]) -> Totals:
    """Return the totals of several parts together, at least one.

    Parts are merged as soon as they have as many groups as all before them. So memory holds no more than a few times
    the groups, and the time does not grow with the square of their number.
    """
    merged: list[Totals] = []
    for part in parts:
        merged.append(part)
        if sum(len(pending.segments) for pending in merged[1:]) >= len(merged[0].segments):
            merged = [_merge(library, merged)]
    return _merge(library, merged)


def _merge(library: Library, parts: list[Totals]) -> Totals:
    all_keys = None if parts[0].keys is None else library.concat([part.keys for part in parts])
    segments = np.concatenate([part.segments for part in parts])
    keys, codes, groups = _group(library, all_keys, len(segments))
    codes_by_part = np.split(codes, np.cumsum([len(part.segments) for part in parts])[:-1])
    sums = {label: GroupedRowSum(groups, total.columns, total.row_type) for label, total in parts[0].sums.items()}
    for label, total in sums.items():
        for part, part_codes in zip(parts, codes_by_part, strict=True):
            total.merge(part.sums[label], part_codes)
    return Totals(keys, sum_rows_by(segments[:, np.newaxis], codes, groups)[:, 0], sums)


def _group(library: Library, keys: Any, count: int) -> tuple[Any, Indexes, int]:
    """The keys of the groups in the order of their first rows, the index of each row's group, and their number."""
    labels = np.zeros(count, dtype=np.int64) if keys is None else library.labels(keys)
    _, firsts, codes = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    group_keys = None if keys is None else library.take(keys, firsts[order])
    return group_keys, np.argsort(order)[codes.reshape(-1)], len(firsts)


def metric_functions(score: Callable[..., T]) -> tuple[Callable[..., T], ...]:
    """Return functions that call `score` with a metric each, in the order of their names."""
    return tuple(_metric_function(name, score) for name in _FUNCTIONS)


def _metric_function(name: str, score: Callable[..., T]) -> Callable[..., T]:
    """Return a function that calls `score` with a metric; it takes the metric's settings as keyword arguments."""

    def function(hypotheses: Any, references: Any, *, threads: int | None = None, **settings: Any) -> T:
        metric = parse_metric(name, for_segments=True, **settings)[1]
        return score(hypotheses, references, metric, threads=threads)

    function.__name__ = function.__qualname__ = name
    function.__module__ = score.__module__
    function.__doc__ = f"Call `score` with the metric {name}. Keyword arguments are its settings."
    return function
