"""Summed rows by group as Arrow tables, which can be stored, sent, merged and scored.

Engines are built on these functions. Sums are exact, so every split gives the same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, Location, SettingError, requires
from refscore.frames.grouping import Totals, merge_totals, sum_groups
from refscore.frames.job import EXACT, SEGMENTS, GroupBy, Job, Names
from refscore.frames.parts import frame_parts
from refscore.metrics import GroupedRowSum, Metric, MetricChoices, parse_metrics

with requires("refscore.frames.totals", "arrow"):
    import pyarrow as pa

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.frames.types import Frame

# The keys of the metadata of a metric's columns.
_SIGNATURE, _COLUMNS, _TYPE = b"refscore.signature", b"refscore.columns", b"refscore.type"


def totals(
    frame: Frame, hypotheses: str, references: Names, metrics: MetricChoices = "bleu", **options: Unpack[GroupBy]
) -> pa.Table:
    """Return the segments' summed rows by group. `merge` adds up several parts' totals.

    Takes the same arguments as `refscore.frames.corpus`, but `missing` is "error" or "skip".

    Returns:
        A table with one row per group, in the order of their first segments. Its columns are `by`, the
        number of segments, and for each metric the rounded sum and the exact sum as bytes (`bleu.exact`).

    Example:
        >>> import pandas as pd
        >>> from refscore import frames
        >>> frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> frames.totals(frame, "hyp", "ref", "wer", by="lang").drop_columns("wer.exact").to_pydict()
        {'lang': ['de', 'fr'], 'segments': [1, 1], 'wer': [[1, 1, 0, 0], [2, 0, 0, 0]]}
    """
    return sum_table(Job.parse(hypotheses, references, metrics, **options), frame)


def sum_table(job: Job, frame: Any) -> pa.Table:
    """Return what `totals` returns."""
    job.check_sums()
    described = {label: _metadata(metric) for label, metric in job.metrics.items()}
    return _totals_table(sum_groups(job, frame_parts(frame, job)), described)


def merge(parts: Iterable[pa.Table | pa.RecordBatch]) -> pa.Table:
    """Add up totals from several parts, such as batches, files or tasks.

    `parts` has at least one table or batch from `totals`. All have the same metrics and group columns.

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> halves = [frames.totals(table.slice(i, 1), "hyp", "ref", "wer") for i in range(2)]
        >>> frames.merge(halves) == frames.totals(table, "hyp", "ref", "wer")
        True
    """
    tables = iter(parts)
    first = next(tables, None)
    if first is None:
        raise InputError(None, "there are no totals to merge", "pass at least one")
    layout = _layout(first.schema)

    def read(i: int, table: Any) -> Totals:
        if _layout(table.schema) != layout:
            raise InputError(Location("parts", segment=i), "has different columns or metrics than parts[0]")
        return _read_totals(table)

    merged = merge_totals(read(i, table) for i, table in enumerate(chain([first], tables)))
    return _totals_table(merged, layout[1])


def score_totals(totals: pa.Table, metrics: MetricChoices) -> pa.Table:
    """Return the corpus scores for a table from `totals` or `merge`. The metrics must be the same.

    The result has one row per group: the group columns, the number of segments, and a score column per
    metric, from 0 to 1 for most.

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frames.score_totals(frames.totals(table, "hyp", "ref", "wer"), "wer").to_pydict()
        {'segments': [2], 'wer': [0.25]}
    """
    labelled = parse_metrics(metrics)
    read = _read_totals(totals)
    if list(read.sums) != list(labelled):
        raise SettingError(f"the totals have the metrics {', '.join(read.sums)}, not {', '.join(labelled)}")
    for label, metric in labelled.items():
        if _layout(totals.schema)[1][label][_SIGNATURE].decode() != metric.signature:
            raise SettingError(f"the totals of {label!r} have different settings: pass the metric that computed them")
    return read.scores(labelled).to_native()


def _metadata(metric: Metric[Any]) -> dict[bytes, bytes]:
    texts = {_SIGNATURE: metric.signature, _COLUMNS: " ".join(metric.columns), _TYPE: str(metric.row_type)}
    return {key: text.encode() for key, text in texts.items()}


def _row_field(label: str, metadata: Mapping[bytes, bytes]) -> Any:
    item = pa.field("item", pa.from_numpy_dtype(metadata[_TYPE].decode()), nullable=False)
    return pa.field(label, pa.list_(item, len(metadata[_COLUMNS].split())), nullable=False, metadata=dict(metadata))


def _as_lists(array: NDArray[Any], kind: Any) -> Any:
    return pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(array).reshape(-1)), type=kind)


def _totals_table(totals: Totals, described: Mapping[str, Mapping[bytes, bytes]]) -> pa.Table:
    """Return the table with totals. `described` has each metric's metadata."""
    lists = [_row_field(label, metadata) for label, metadata in described.items()]
    exact = [
        pa.field(label + EXACT, pa.binary(), nullable=False, metadata=dict(metadata))
        for label, metadata in described.items()
    ]
    keys = pa.table({}) if totals.keys is None else totals.keys.to_arrow()
    columns = [
        *keys.columns,
        pa.array(totals.segments, pa.int64()),
        *(_as_lists(totals.sums[field.name].rows, field.type) for field in lists),
        *(pa.array(totals.sums[label].to_parts(), pa.binary()) for label in described),
    ]
    fields = [*keys.schema, pa.field(SEGMENTS, pa.int64(), nullable=False), *lists, *exact]
    return pa.table(columns, schema=pa.schema(fields))


def _layout(schema: pa.Schema) -> tuple[list[str], dict[str, dict[bytes, bytes]]]:
    """Return the group columns' names, and each metric's metadata. The rounded sums may be missing."""
    described = {
        field.name.removesuffix(EXACT): field.metadata
        for field in schema
        if field.name.endswith(EXACT) and {_SIGNATURE, _COLUMNS, _TYPE} <= {*(field.metadata or {})}
    }
    if not described or SEGMENTS not in schema.names:
        raise InputError(None, "this is not a table of totals", "pass the result of totals() or merge()")
    other = {SEGMENTS, *described, *(label + EXACT for label in described)}
    return [name for name in schema.names if name not in other], described


def _read_totals(table: Any) -> Totals:
    names, described = _layout(table.schema)
    sums = {
        label: GroupedRowSum.from_parts(
            table.column(label + EXACT).to_pylist(), len(metadata[_COLUMNS].split()), np.dtype(metadata[_TYPE].decode())
        )
        for label, metadata in described.items()
    }
    segments = np.asarray(table.column(SEGMENTS).to_numpy(zero_copy_only=False), dtype=np.int64)
    keys = nw.from_native(pa.table([table.column(name) for name in names], names)) if names else None
    return Totals(nw.Implementation.PYARROW, keys, segments, np.zeros_like(segments), sums)
