"""Score Arrow tables and batches with pyarrow. Engines are built on these functions.

For a batch with columns of hypotheses and references, `scores` returns segment scores, `rows` the rows of statistics,
and `totals` the sums of rows by group. `merge` adds up the totals of parts from any process, and `score` turns totals
into scores. Sums are exact, so every split of the data gives the same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, Location, NotInstalledError, SettingError
from refscore.frames.job import EXACT, SEGMENTS, ColumnNames, Job, Missing, check_type
from refscore.frames.scoring import (
    STEP,
    Indexes,
    Library,
    Totals,
    merge_totals,
    score_corpus,
    score_segments,
    score_totals,
    sum_groups,
)
from refscore.metrics import GroupedRowSum, Metric, MetricChoices, parse_metrics

try:
    import pyarrow as pa
except ModuleNotFoundError:
    raise NotInstalledError("refscore.frames.arrow needs pyarrow: pip install 'refscore[arrow]'") from None

# The keys of the metadata of a metric's columns.
_SIGNATURE, _COLUMNS, _TYPE = b"refscore.signature", b"refscore.columns", b"refscore.type"

# The rows of a file read at a time: a few megabytes of sentences, and enough to keep all threads busy.
_SCANNED = 16_384


def scores(
    batch: Any,
    hypotheses: str,
    references: ColumnNames | None,
    metrics: MetricChoices = "bleu",
    *,
    sources: str | None = None,
    threads: int | None = None,
    missing: Missing = "error",
) -> pa.RecordBatch:
    """Return the score of each segment, from 0 to 1 for most metrics.

    Args:
        batch: A record batch.
        hypotheses: The name of the column of hypotheses.
        references: The name of a column of references (strings or lists of strings), or several names.
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels. A
            bare name means the settings for single segments: "bleu" is sacrebleu's `sentence_bleu`.
        sources: The name of the column of sources, for metrics that need them.
        threads: The number of threads; all cores by default.
        missing: How to treat segments without a hypothesis or without any reference (null). "error" raises an
            InputError. "skip" gives them a null score and ignores them in corpus scores. "nan" gives them, and every
            corpus that has one, the score NaN.

    Returns:
        A batch with a float64 column per metric.

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> batch = pa.record_batch({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frames.arrow.scores(batch, "hyp", "ref", ["chrf", "wer"]).to_pydict()["wer"]
        [0.5, 0.0]
    """
    job = Job.parse(
        hypotheses, references, metrics, sources=sources, threads=threads, missing=missing, for_segments=True
    )
    job.check_columns(batch.schema.names)
    return pa.record_batch(score_segments(ARROW, job, batch))


def rows(
    batch: Any,
    hypotheses: str,
    references: ColumnNames | None,
    metrics: MetricChoices = "bleu",
    *,
    sources: str | None = None,
    threads: int | None = None,
) -> pa.RecordBatch:
    """Return the row of statistics of each segment. Rows can be summed.

    The arguments are those of `scores` without `missing`. Metrics have their settings for corpora.

    Returns:
        A batch with a column of fixed-size lists (int64 or float64) per metric. The metadata of each field has the
        metric's signature.

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> batch = pa.record_batch({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frames.arrow.rows(batch, "hyp", "ref", "wer").to_pydict()
        {'wer': [[1, 1, 0, 0], [2, 0, 0, 0]]}
    """
    job = Job.parse(hypotheses, references, metrics, sources=sources, threads=threads)
    job.check_columns(batch.schema.names)
    fields = [_row_field(label, _metadata(metric)) for label, metric in job.metrics.items()]
    with job.located():
        sides = ARROW.sides(batch, job)
        arrays = [metric.stats(*sides, threads=threads) for metric in job.metrics.values()]
    lists = [_as_lists(array, field.type) for array, field in zip(arrays, fields, strict=True)]
    return pa.RecordBatch.from_arrays(lists, schema=pa.schema(fields))


def with_scores(
    data: Any,
    hypotheses: str,
    references: ColumnNames | None,
    metrics: MetricChoices = "bleu",
    *,
    sources: str | None = None,
    threads: int | None = None,
    missing: Missing = "error",
) -> Any:
    """Return a table, record batch or reader of batches with a column of segment scores per metric.

    The arguments are those of `scores`. The result has the class of `data`, with float64 columns appended. Scores are
    from 0 to 1 for most metrics.

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frames.arrow.with_scores(table, "hyp", "ref", "wer").column_names
        ['hyp', 'ref', 'wer']
    """
    job = Job.parse(
        hypotheses, references, metrics, sources=sources, threads=threads, missing=missing, for_segments=True
    )
    kinds = (pa.Table, pa.RecordBatch, pa.RecordBatchReader)
    check_type("data", data, kinds, "a table, record batch or reader of pyarrow")
    job.check_columns(data.schema.names, adds_scores=True)
    schema = pa.schema([*data.schema, *(pa.field(label, pa.float64()) for label in job.metrics)], data.schema.metadata)

    def extend(batches: Iterable[Any]) -> Iterator[Any]:
        begin = 0
        for batch in batches:
            values = score_segments(ARROW, job, batch, begin)
            yield pa.RecordBatch.from_arrays([*batch.columns, *map(pa.array, values.values())], schema=schema)
            begin += batch.num_rows

    if isinstance(data, pa.RecordBatch):
        return next(extend([data]))
    batches = extend(_slices(data.to_batches() if isinstance(data, pa.Table) else data))
    if isinstance(data, pa.Table):
        return pa.Table.from_batches(batches, schema)
    return pa.RecordBatchReader.from_batches(schema, batches)


def totals(
    data: Any,
    hypotheses: str,
    references: ColumnNames | None,
    metrics: MetricChoices = "bleu",
    *,
    score_by: ColumnNames | None = None,
    sources: str | None = None,
    threads: int | None = None,
    missing: Missing = "error",
) -> pa.Table:
    """Return the sums of the segments' rows by group. `merge` adds up the totals of several parts.

    `data` is a table, a record batch, a dataset, a reader or iterable of batches, or any object with an Arrow stream
    (such as a data frame or a DuckDB relation). Streams are read batch by batch. `score_by` names the columns to group
    by; by default, all segments are one group. The other arguments are those of `scores`. Metrics have their settings
    for corpora.

    Returns:
        A table with one row per group, in the order of their first segments. Its columns are those of `score_by`, the
        number of segments, and for each metric the rounded sum and the exact sum as bytes (`bleu.exact`).

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> totals = frames.arrow.totals(table, "hyp", "ref", "wer", score_by="lang")
        >>> totals.drop_columns("wer.exact").to_pydict()
        {'lang': ['de', 'fr'], 'segments': [1, 1], 'wer': [[1, 1, 0, 0], [2, 0, 0, 0]]}
    """
    if missing == "nan":
        raise SettingError("totals cannot represent NaN: use missing='skip', or call corpus()")
    job = Job.parse(
        hypotheses, references, metrics, score_by=score_by, sources=sources, threads=threads, missing=missing
    )
    described = {label: _metadata(metric) for label, metric in job.metrics.items()}
    return _totals_table(sum_groups(ARROW, job, *_open(data, job)), described)


def merge(parts: Iterable[Any]) -> pa.Table:
    """Add up the totals of several parts, such as batches, files or tasks of a cluster.

    `parts` has at least one table or batch of `totals`. All have the same metrics and columns of groups.

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> halves = [frames.arrow.totals(table.slice(i, 1), "hyp", "ref", "wer") for i in range(2)]
        >>> frames.arrow.merge(halves) == frames.arrow.totals(table, "hyp", "ref", "wer")
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

    merged = merge_totals(ARROW, (read(i, table) for i, table in enumerate(chain([first], tables))))
    return _totals_table(merged, layout[1])


def score(total: Any, metrics: MetricChoices) -> pa.Table:
    """Return the scores for a table from `totals` or `merge`. The metrics must be the same.

    The result has one row per group: the columns of the group, the number of segments, and a column of scores per
    metric, from 0 to 1 for most.

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frames.arrow.score(frames.arrow.totals(table, "hyp", "ref", "wer"), "wer").to_pydict()
        {'segments': [2], 'wer': [0.25]}
    """
    labelled = parse_metrics(metrics)
    read = _read_totals(total)
    if list(read.sums) != list(labelled):
        raise SettingError(f"the totals have the metrics {', '.join(read.sums)}, not {', '.join(labelled)}")
    for label, metric in labelled.items():
        if _layout(total.schema)[1][label][_SIGNATURE].decode() != metric.signature:
            raise SettingError(f"the totals of {label!r} have different settings: pass the metric that computed them")
    table: pa.Table = score_totals(ARROW, read, labelled)
    return table


def corpus(
    data: Any,
    hypotheses: str,
    references: ColumnNames | None,
    metrics: MetricChoices = "bleu",
    *,
    score_by: ColumnNames | None = None,
    sources: str | None = None,
    threads: int | None = None,
    missing: Missing = "error",
) -> pa.Table:
    """Return the corpus scores of all segments, or of each group. The arguments are those of `totals`.

    Returns:
        A table with one row per group: the columns of `score_by`, the number of scored segments, and a column of scores
        per metric, from 0 to 1 for most. The score of a group without scored segments is NaN.

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> frames.arrow.corpus(table, "hyp", "ref", "wer", score_by=["lang"]).to_pydict()
        {'lang': ['de', 'fr'], 'segments': [1, 1], 'wer': [0.5, 0.0]}
    """
    job = Job.parse(
        hypotheses, references, metrics, score_by=score_by, sources=sources, threads=threads, missing=missing
    )
    table: pa.Table = score_corpus(ARROW, job, *_open(data, job))
    return table


class _Arrow(Library):
    def column(self, frame: Any, name: str) -> Any:
        return frame.column(name)

    def is_missing(self, column: Any) -> NDArray[np.bool_]:
        return np.asarray(column.is_null(), dtype=bool)

    def filter(self, column: Any, rows: NDArray[np.bool_]) -> Any:
        return column.filter(pa.array(rows))

    def with_nulls(self, values: NDArray[Any], rows: NDArray[np.bool_]) -> Any:
        return pa.array(values, mask=rows)

    def keys(self, frame: Any, columns: tuple[str, ...]) -> Any:
        return pa.table([_plain(frame.column(name)) for name in columns], names=list(columns))

    def labels(self, keys: Any) -> NDArray[Any]:
        labels = np.zeros(keys.num_rows, dtype=np.int64)
        for name, column in zip(keys.column_names, keys.columns, strict=True):
            values = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
            try:
                codes = np.asarray(values.dictionary_encode(null_encoding="encode").indices).astype(np.int64)
            except pa.ArrowNotImplementedError:
                raise InputError(Location(name), f"has the type {column.type}, which cannot form groups") from None
            labels = np.unique(labels * (codes.max(initial=0) + 1) + codes, return_inverse=True)[1].reshape(-1)
        return labels

    def take(self, keys: Any, rows: Indexes) -> Any:
        return keys.take(pa.array(rows))

    def concat(self, keys: list[Any]) -> Any:
        try:
            return pa.concat_tables(keys, promote_options="permissive")
        except (pa.ArrowTypeError, pa.ArrowInvalid) as error:
            problem = f"a column of score_by has different types in different parts ({error})"
            raise InputError(None, problem) from None

    def table(self, keys: Any, columns: Mapping[str, NDArray[Any]]) -> Any:
        table = pa.table(dict(columns))
        return table if keys is None else pa.table([*keys.columns, *table.columns], [*keys.column_names, *columns])


ARROW = _Arrow()


def _open(data: Any, job: Job) -> tuple[Iterator[Any], Any]:
    """Return the batches of data, and a table without rows. Of a dataset, only the needed columns are read."""
    if hasattr(data, "__arrow_c_stream__"):  # includes pyarrow's tables and batches
        reader = pa.RecordBatchReader.from_stream(data)
        schema, batches = reader.schema, iter(reader)
    elif hasattr(data, "scanner"):  # a pyarrow dataset
        schema, batches = data.schema, _scan(data, job.columns)
    else:
        check_type("data", data, Iterable, "a table, batches, or an object with an Arrow stream")
        batches = iter(data)
        first = next(batches, None)
        if first is None:
            raise InputError(None, "data has no record batch", "pass at least one")
        check_type("data", first, pa.RecordBatch, "record batches")
        schema, batches = first.schema, chain([first], batches)
    job.check_columns(schema.names)
    return _slices(batches), schema.empty_table()


def _scan(dataset: Any, columns: list[str]) -> Iterator[Any]:
    from pyarrow import dataset as files

    # By default a scanner prefetches most of a file, which takes memory and saves hardly any time.
    options: dict[str, Any] = {"use_threads": False, "batch_readahead": 1, "fragment_readahead": 1}
    if isinstance(getattr(dataset, "format", None), files.ParquetFileFormat):
        options["fragment_scan_options"] = files.ParquetFragmentScanOptions(pre_buffer=False)
    yield from dataset.scanner(columns=columns, batch_size=_SCANNED, **options).to_reader()


def _slices(batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        yield from (batch.slice(begin, STEP) for begin in range(0, batch.num_rows, STEP))


def _plain(column: Any) -> Any:
    """Decode a dictionary column, because the dictionaries of parts may differ."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    kind = pa.large_string() if str(kind) == "string_view" else kind
    try:
        return column if kind == column.type else column.cast(kind)
    except pa.ArrowNotImplementedError:  # for views, in some versions
        return pa.array(column.to_pylist(), kind)


def _metadata(metric: Metric[Any]) -> dict[bytes, bytes]:
    texts = {_SIGNATURE: metric.signature, _COLUMNS: " ".join(metric.columns), _TYPE: str(metric.row_type)}
    return {key: text.encode() for key, text in texts.items()}


def _row_field(label: str, metadata: Mapping[bytes, bytes]) -> Any:
    item = pa.field("item", pa.from_numpy_dtype(metadata[_TYPE].decode()), nullable=False)
    return pa.field(label, pa.list_(item, len(metadata[_COLUMNS].split())), nullable=False, metadata=dict(metadata))


def _as_lists(array: NDArray[Any], kind: Any) -> Any:
    return pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(array).reshape(-1)), type=kind)


def _totals_table(totals: Totals, described: Mapping[str, Mapping[bytes, bytes]]) -> pa.Table:
    """Return the table of totals. `described` has the metadata of each metric."""
    lists = [_row_field(label, metadata) for label, metadata in described.items()]
    exact = [
        pa.field(label + EXACT, pa.binary(), nullable=False, metadata=dict(metadata))
        for label, metadata in described.items()
    ]
    keys = pa.table({}) if totals.keys is None else totals.keys
    columns = [
        *keys.columns,
        pa.array(totals.segments, pa.int64()),
        *(_as_lists(totals.sums[field.name].rows, field.type) for field in lists),
        *(pa.array(totals.sums[label].to_parts(), pa.binary()) for label in described),
    ]
    fields = [*keys.schema, pa.field(SEGMENTS, pa.int64(), nullable=False), *lists, *exact]
    return pa.table(columns, schema=pa.schema(fields))


def _layout(schema: pa.Schema) -> tuple[list[str], dict[str, dict[bytes, bytes]]]:
    """Return the names of the groups' columns, and the metadata of each metric. The rounded sums may be missing."""
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
    return Totals(ARROW.keys(table, tuple(names)) if names else None, segments, np.zeros_like(segments), sums)
