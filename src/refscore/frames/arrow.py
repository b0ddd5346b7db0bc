"""Arrow tables and batches, with pyarrow: the functions that engines of batches are built on.

A batch with columns of hypotheses and references becomes a batch of segment scores (`scores`), of rows of statistics
(`rows`), or of sums of rows by groups (`totals`). `merge` adds up the sums of parts, made in any process, and `score`
turns sums into scores. Sums are exact: any split of the data gives the same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.row_sums import GroupedRowSum
from refscore.metrics.core.selection import MetricChoices, parse_metrics

try:
    import pyarrow as pa
except ModuleNotFoundError:
    raise NotInstalledError("refscore.frames.arrow needs a package: pip install 'refscore[arrow]'") from None

# The metadata of a metric's columns.
_SIGNATURE, _COLUMNS, _TYPE = b"refscore.signature", b"refscore.columns", b"refscore.type"

# Rows of files that are read at a time.
_SCANNED = 16_384


def scores(
    batch: Any,
    hypotheses: str,
    references: ColumnNames,
    metrics: MetricChoices = "bleu",
    *,
    threads: int | None = None,
    missing: Missing = "error",
) -> pa.RecordBatch:
    """Return the score of each segment, from 0 to 1 for most metrics.

    Args:
        batch: A record batch.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or lists of strings; or several names.
        metrics: A name ("bleu", "chrf++", "bleu:nltk"), a metric, or several; in a dictionary, under names of your
            own. A bare name means the settings for single segments: "bleu" is sacrebleu's `sentence_bleu`.
        threads: How many to use; all cores by default.
        missing: What to do with a segment whose hypothesis, or all of whose references, are null: "error" raises an
            InputError; "skip" leaves it out, so its score is null and a corpus does not count it; with "nan" its score
            is NaN, and so is that of a corpus with it.

    Returns:
        A batch with a column of float64 for each metric.

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> batch = pa.record_batch({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frames.arrow.scores(batch, "hyp", "ref", ["chrf", "wer"]).to_pydict()["wer"]
        [0.5, 0.0]
    """
    job = Job.parse(hypotheses, references, metrics, threads=threads, missing=missing, for_segments=True)
    job.check_columns(batch.schema.names)
    return pa.record_batch(score_segments(ARROW, job, batch))


def rows(
    batch: Any, hypotheses: str, references: ColumnNames, metrics: MetricChoices = "bleu", *, threads: int | None = None
) -> pa.RecordBatch:
    """Return the row of statistics of each segment. Rows can be summed.

    The arguments are those of `scores` without `missing`. Metrics have their settings for corpora.

    Returns:
        A batch with a column of lists of fixed size for each metric, of int64 or float64; the fields' metadata have
        the metrics' signatures.

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> batch = pa.record_batch({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frames.arrow.rows(batch, "hyp", "ref", "wer").to_pydict()
        {'wer': [[1, 1, 0, 0], [2, 0, 0, 0]]}
    """
    job = Job.parse(hypotheses, references, metrics, threads=threads)
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
    references: ColumnNames,
    metrics: MetricChoices = "bleu",
    *,
    threads: int | None = None,
    missing: Missing = "error",
) -> Any:
    """Return a table, record batch or reader of batches with a column of segment scores for each metric.

    The arguments are those of `scores`. The result has the class of `data`, and columns of float64 at its end. Scores
    are from 0 to 1 for most metrics.

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frames.arrow.with_scores(table, "hyp", "ref", "wer").column_names
        ['hyp', 'ref', 'wer']
    """
    job = Job.parse(hypotheses, references, metrics, threads=threads, missing=missing, for_segments=True)
    kinds = (pa.Table, pa.RecordBatch, pa.RecordBatchReader)
    check_type("data", data, kinds, "a table, a record batch or a reader of pyarrow")
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
    references: ColumnNames,
    metrics: MetricChoices = "bleu",
    *,
    score_by: ColumnNames | None = None,
    threads: int | None = None,
    missing: Missing = "error",
) -> pa.Table:
    """Return the sums of the segments' rows by groups: small tables, which `merge` adds up.

    `data` is a table, a record batch, a dataset, a reader or an iterable of batches, or any object that gives a stream
    of Arrow data (a data frame, a relation of DuckDB). A stream is read batch by batch. `score_by` names the columns
    whose values form groups; by default, all segments are one group. The other arguments are those of `scores`. Metrics
    have their settings for corpora.

    Returns:
        A table with a row for each group, in the order of their first segments: the columns of `score_by`, the number
        of segments, for each metric the sum of the rows, rounded, and the exact sum as bytes (`bleu.exact`).

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> totals = frames.arrow.totals(table, "hyp", "ref", "wer", score_by="lang")
        >>> totals.drop_columns("wer.exact").to_pydict()
        {'lang': ['de', 'fr'], 'segments': [1, 1], 'wer': [[1, 1, 0, 0], [2, 0, 0, 0]]}
    """
    if missing == "nan":
        raise SettingError("totals have no place for NaN: use missing='skip', or corpus()")
    job = Job.parse(hypotheses, references, metrics, score_by=score_by, threads=threads, missing=missing)
    described = {label: _metadata(metric) for label, metric in job.metrics.items()}
    return _totals_table(sum_groups(ARROW, job, *_open(data, job)), described)


def merge(parts: Iterable[Any]) -> pa.Table:
    """Return the totals of several parts together: of batches, files, or tasks of a cluster.

    The parts are tables or batches of `totals`, at least one, with the same metrics and groups.

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
        raise InputError(None, "there are no totals to merge")
    layout = _layout(first.schema)

    def read(i: int, table: Any) -> Totals:
        if _layout(table.schema) != layout:
            raise InputError(Location("parts", segment=i), "has other columns than parts[0], or other metrics")
        return _read_totals(table)

    merged = merge_totals(ARROW, (read(i, table) for i, table in enumerate(chain([first], tables))))
    return _totals_table(merged, layout[1])


def score(total: Any, metrics: MetricChoices) -> pa.Table:
    """Return the scores of a table of `totals` or `merge`, by its metrics.

    The result has a row for each group: its columns, the number of segments, and a column of scores for each metric,
    from 0 to 1 for most.

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
        raise SettingError(f"the totals are of the metrics {', '.join(read.sums)}, not of {', '.join(labelled)}")
    for label, metric in labelled.items():
        if _layout(total.schema)[1][label][_SIGNATURE].decode() != metric.signature:
            raise SettingError(f"the totals of {label!r} were made with other settings of the metric")
    table: pa.Table = score_totals(ARROW, read, labelled)
    return table


def corpus(
    data: Any,
    hypotheses: str,
    references: ColumnNames,
    metrics: MetricChoices = "bleu",
    *,
    score_by: ColumnNames | None = None,
    threads: int | None = None,
    missing: Missing = "error",
) -> pa.Table:
    """Return the scores of all segments together, or of each group; the arguments are those of `totals`.

    Returns:
        A table with a row for each group: the columns of `score_by`, the number of segments that were scored, and a
        column for each metric. Values are from 0 to 1 for most metrics, and NaN for a group without such segments.

    Example:
        >>> import pyarrow as pa
        >>> from refscore import frames
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> frames.arrow.corpus(table, "hyp", "ref", "wer", score_by=["lang"]).to_pydict()
        {'lang': ['de', 'fr'], 'segments': [1, 1], 'wer': [0.5, 0.0]}
    """
    job = Job.parse(hypotheses, references, metrics, score_by=score_by, threads=threads, missing=missing)
    table: pa.Table = score_corpus(ARROW, job, *_open(data, job))
    return table


class _Arrow(Library):
    def columns(self, frame: Any, job: Job) -> Sequence[Any]:
        return [frame.column(name) for name in (job.hypotheses, *job.references)]

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
                raise InputError(Location(name), f"cannot form groups: its type is {column.type}") from None
            labels = np.unique(labels * (codes.max(initial=0) + 1) + codes, return_inverse=True)[1].reshape(-1)
        return labels

    def take(self, keys: Any, rows: Indexes) -> Any:
        return keys.take(pa.array(rows))

    def concat(self, keys: list[Any]) -> Any:
        try:
            return pa.concat_tables(keys, promote_options="permissive")
        except (pa.ArrowTypeError, pa.ArrowInvalid) as error:
            problem = f"score_by names a column whose type is not the same in all parts: {error}"
            raise InputError(None, problem) from None

    def table(self, keys: Any, columns: Mapping[str, NDArray[Any]]) -> Any:
        table = pa.table(dict(columns))
        return table if keys is None else pa.table([*keys.columns, *table.columns], [*keys.column_names, *columns])


ARROW = _Arrow()


def _open(data: Any, job: Job) -> tuple[Iterator[Any], Any]:
    """The batches of data in steps, and a table without rows; a dataset reads only the columns that are needed."""
    if hasattr(data, "__arrow_c_stream__"):  # also tables and batches of pyarrow
        reader = pa.RecordBatchReader.from_stream(data)
        schema, batches = reader.schema, iter(reader)
    elif hasattr(data, "scanner"):  # a pyarrow dataset
        schema, batches = data.schema, _scan(data, job.columns)
    else:
        check_type("data", data, Iterable, "a table, batches, or give a stream of Arrow data")
        batches = iter(data)
        first = next(batches, None)
        if first is None:
            raise InputError(None, "data must have at least one record batch")
        check_type("data", first, pa.RecordBatch, "record batches")
        schema, batches = first.schema, chain([first], batches)
    job.check_columns(schema.names)
    return _slices(batches), schema.empty_table()


def _scan(dataset: Any, columns: list[str]) -> Iterator[Any]:
    from pyarrow import dataset as files

    # By default a scanner prefetches most of a file, which saves hardly any time.
    options: dict[str, Any] = {"use_threads": False, "batch_readahead": 1, "fragment_readahead": 1}
    if isinstance(getattr(dataset, "format", None), files.ParquetFileFormat):
        options["fragment_scan_options"] = files.ParquetFragmentScanOptions(pre_buffer=False)
    yield from dataset.scanner(columns=columns, batch_size=_SCANNED, **options).to_reader()


def _slices(batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        yield from (batch.slice(begin, STEP) for begin in range(0, batch.num_rows, STEP))


def _plain(column: Any) -> Any:
    """The column with the values themselves: parts have these in common where dictionaries differ."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    kind = pa.large_string() if str(kind) == "string_view" else kind
    try:
        return column if kind == column.type else column.cast(kind)
    except pa.ArrowNotImplementedError:  # of views, in some versions
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
    """The table of totals; `described` has the metadata of each metric."""
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
    """The names of the groups' columns, and the metadata of each metric. The rounded sums may be absent."""
    described = {
        field.name.removesuffix(EXACT): field.metadata
        for field in schema
        if field.name.endswith(EXACT) and {_SIGNATURE, _COLUMNS, _TYPE} <= {*(field.metadata or {})}
    }
    if not described or SEGMENTS not in schema.names:
        raise InputError(None, "this is not a table of totals", "pass what totals() returned")
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
