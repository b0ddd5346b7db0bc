"""Exact sums by group, for frames from every library. Frames and series belong to narwhals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, Location
from refscore.frames.columns import check_first_rows, present_segments
from refscore.frames.job import SEGMENTS, Job, Missing, joined_names
from refscore.metrics import GroupedRowSum, Metric, sum_rows_by

Indexes = NDArray[np.int64]


@dataclass(frozen=True)
class Totals:
    """Each group's exact sum and number of segments."""

    backend: Any  # the library of the frames, as narwhals names it
    keys: Any  # a frame with one row per group, in the order of their first segments; None for a single group
    segments: Indexes
    missing: Indexes  # the number of segments in each group that are missing, so not scored
    sums: Mapping[str, GroupedRowSum]  # by the label of the metric

    def scores(self, metrics: Mapping[str, Metric[Any]], missing: Missing = "error") -> Any:
        """Return a frame with each group's scores: NaN without segments, or if some are missing and `missing` "nan"."""
        is_unknown = (self.segments == 0) | ((self.missing > 0) & (missing == "nan"))
        columns = {SEGMENTS: self.segments} | {
            label: np.where(is_unknown, np.nan, metric.values(self.sums[label].rows))
            for label, metric in metrics.items()
        }
        scores = nw.from_dict(columns, backend=self.backend)
        return scores if self.keys is None else nw.concat([self.keys, scores], how="horizontal")


def sum_groups(job: Job, parts: Iterable[Any]) -> Totals:
    """Return sums by group. A frame's first part has no rows."""
    return merge_totals(_sum_parts(job, parts))


def _sum_parts(job: Job, parts: Iterable[Any]) -> Iterator[Totals]:
    begin = 0
    for part in parts:
        if begin == 0:
            check_first_rows(job, part)
        with present_segments(job, part, begin) as (sides, is_present):
            rows = {label: metric.stats(*sides, threads=job.threads) for label, metric in job.metrics.items()}
        keys, codes, groups = _group(part.select(*job.by) if job.by else None, len(part))
        sums = {label: GroupedRowSum(groups, array.shape[1], array.dtype) for label, array in rows.items()}
        scored = codes[is_present]
        for label, total in sums.items():
            total.add(rows[label], scored)
        segments = np.bincount(scored, minlength=groups).astype(np.int64)
        missing = np.bincount(codes, minlength=groups) - segments
        yield Totals(part.implementation, keys, segments, missing, sums)
        begin += len(part)


def merge_totals(parts: Iterable[Totals]) -> Totals:
    """Return one or more parts' summed totals.

    Pending parts are merged once they have at least as many groups as the result so far. Memory therefore stays within
    a small multiple of the groups, and the time is not quadratic in it.
    """
    merged: list[Totals] = []
    for part in parts:
        merged.append(part)
        if sum(len(pending.segments) for pending in merged[1:]) >= len(merged[0].segments):
            merged = [_merge(merged)]
    return _merge(merged)


def _merge(parts: list[Totals]) -> Totals:
    first = parts[0]
    all_keys = None if first.keys is None else _concat([part.keys for part in parts])
    counts = np.stack([np.concatenate([getattr(part, name) for part in parts]) for name in ("segments", "missing")], 1)
    keys, codes, groups = _group(all_keys, len(counts))
    codes_by_part = np.split(codes, np.cumsum([len(part.segments) for part in parts])[:-1])
    sums = {label: GroupedRowSum(groups, total.columns, total.row_type) for label, total in first.sums.items()}
    for label, total in sums.items():
        for part, part_codes in zip(parts, codes_by_part, strict=True):
            total.merge(part.sums[label], part_codes)
    summed = sum_rows_by(counts, codes, groups)
    return Totals(first.backend, keys, summed[:, 0], summed[:, 1], sums)


def _concat(keys: list[Any]) -> Any:
    if not keys[0].implementation.is_pyarrow():
        return nw.concat(keys)
    # Totals of different parts may have different types of keys. A column of nulls has none.
    arrow = keys[0].implementation.to_native_namespace()
    try:
        return nw.from_native(arrow.concat_tables([part.to_native() for part in keys], promote_options="permissive"))
    except (TypeError, ValueError) as error:
        raise InputError(None, f"a column of by has different types in different parts ({error})") from None


def _group(keys: Any, count: int) -> tuple[Any, Indexes, int]:
    """Return the groups' keys in the order of their first rows, each row's group, and the number of groups."""
    if keys is None:
        return None, np.zeros(count, dtype=np.int64), min(count, 1)
    try:
        labels = _labels(keys)
    except (NotImplementedError, TypeError) as error:  # of pyarrow and pandas, for lists
        raise InputError(Location(joined_names(keys.columns)), f"cannot form groups: {error}") from None
    _, firsts, codes = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    return nw.maybe_reset_index(keys[firsts[order]]), np.argsort(order)[codes.reshape(-1)], len(firsts)


def _labels(keys: Any) -> NDArray[Any]:
    """Return an integer for each row. Equal rows have equal integers."""
    if not keys.implementation.is_pyarrow():
        row = "".join(keys.columns) + "_"  # longer than any column's name
        indexed = nw.maybe_reset_index(keys).with_row_index(row)  # in pandas, levels of the index may share names
        return np.asarray(indexed.select(nw.col(row).min().over(*keys.columns))[row].to_numpy())
    # narwhals' `over` reorders the rows of large Arrow tables.
    labels = np.zeros(len(keys), dtype=np.int64)
    for column in keys.to_native().columns:
        encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
        codes = np.asarray(encoded.indices).astype(np.int64)
        labels = np.unique(labels * (codes.max(initial=0) + 1) + codes, return_inverse=True)[1].reshape(-1)
    return labels
