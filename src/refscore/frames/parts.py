"""A frame's parts, as narwhals frames with few enough rows to score at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import narwhals as nw

from refscore.errors import InputError, requires
from refscore.frames.job import Job, check_type

# The segments scored at a time. Their rows take a few megabytes.
STEP = 65_536

# The rows of a file read at a time: a few megabytes of sentences, and enough to keep all threads busy.
_SCANNED = 16_384


def frame_parts(frame: Any, job: Job) -> Iterator[Any]:
    """Return a part without rows, and then a frame's parts with at most `STEP` rows. Checks columns first."""
    known = wrapped(frame)
    if isinstance(known, nw.LazyFrame):
        schema = known.collect_schema()
        job.check_columns(schema.names())
        native = known.select(job.columns).to_native()
        if hasattr(native, "collect_batches"):  # a Polars query
            empty = native.collect_schema().to_frame()
            return chain([nw.from_native(empty)], map(nw.from_native, native.collect_batches(chunk_size=STEP)))
        known = known.select(job.columns).collect()
    if isinstance(known, nw.DataFrame):
        job.check_columns(known.columns)
        whole = known.select(*job.columns)
        return chain([whole[:0]], (whole[begin : begin + STEP] for begin in range(0, len(whole), STEP)))
    schema, batches = arrow_batches(frame, job.columns)
    job.check_columns(schema.names)
    tables = (pyarrow().Table.from_batches([batch]) for batch in batches)
    return (arrow_part(table, job) for table in chain([schema.empty_table()], tables))


def wrapped(frame: Any) -> Any:
    """Return a narwhals frame. Arrow tables, lazy frames with an Arrow stream, and unknown objects stay the same."""
    frame = nw.to_native(frame, pass_through=True)
    if nw.dependencies.is_pyarrow_table(frame):
        return frame
    try:
        known = nw.from_native(frame, pass_through=True)
    except nw.exceptions.DuplicateError:
        raise InputError(None, "frame has several columns with the same name", "rename all but one") from None
    return frame if isinstance(known, nw.LazyFrame) and hasattr(frame, "__arrow_c_stream__") else known


def arrow_batches(data: Any, columns: list[str] | None = None) -> tuple[Any, Iterator[Any]]:
    """Return the schema and the record batches from Arrow data, or from some columns in a dataset."""
    if hasattr(data, "__arrow_c_stream__"):
        reader = pyarrow().RecordBatchReader.from_stream(data)
        return reader.schema, _slices(reader)
    if hasattr(data, "scanner"):  # a pyarrow dataset
        return data.schema, _scan(data, columns)
    check_type("frame", data, Iterable, "a data frame, record batches, or an object with an Arrow stream")
    batches = iter(data)
    first = next(batches, None)
    if first is None:
        raise InputError(None, "frame has no record batch", "pass at least one")
    check_type("frame", first, pyarrow().RecordBatch, "a data frame or record batches")
    return first.schema, _slices(chain([first], batches))


def pyarrow() -> Any:
    """Import pyarrow."""
    with requires("Arrow data", "arrow"):
        import pyarrow
    return pyarrow


def _scan(dataset: Any, columns: list[str] | None) -> Iterator[Any]:
    from pyarrow import dataset as files

    # By default a scanner prefetches most of a file, which takes memory and saves hardly any time.
    options: dict[str, Any] = {"use_threads": False, "batch_readahead": 1, "fragment_readahead": 1}
    if isinstance(getattr(dataset, "format", None), files.ParquetFileFormat):
        options["fragment_scan_options"] = files.ParquetFragmentScanOptions(pre_buffer=False)
    yield from dataset.scanner(columns=columns, batch_size=_SCANNED, **options).to_reader()


def _slices(batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        yield from (batch.slice(begin, STEP) for begin in range(0, batch.num_rows, STEP))


def arrow_part(table: Any, job: Job) -> Any:
    """Return an Arrow table's needed columns. Columns to group by are plain, because parts' dictionaries may differ."""
    types = pyarrow().types
    table = table.select(job.columns)
    for index, name in enumerate(table.column_names):
        column = table.column(name)
        kind = column.type.value_type if types.is_dictionary(column.type) else column.type
        kind = pyarrow().large_string() if str(kind) == "string_view" else kind
        if name in job.by and kind != column.type:
            try:
                column = column.cast(kind)
            except NotImplementedError:  # for views, in some versions
                column = pyarrow().chunked_array([column.to_pylist()], kind)
            table = table.set_column(index, name, column)
    return nw.from_native(table)
