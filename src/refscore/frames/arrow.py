"""Arrow tables and batches, by pyarrow: the functions that every engine of batches is built on.

A batch with columns of hypotheses and references becomes a batch of segment scores (`scores`), of rows of statistics
(`rows`), or of sums of rows by groups (`totals`). Sums of parts add up (`merge`) to those of the whole, whoever made
them and wherever, and give its scores (`score`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from refscore.errors import InputError, NotInstalledError, SettingError
from refscore.frames.columns import check_columns, check_new_columns, names_of
from refscore.frames.metrics import Metrics, corpus_metrics, segment_metrics
from refscore.frames.sums import STEP, Codes, Sums, check_some, merged, sums_of, within
from refscore.metrics.core.arrow_columns import Beside
from refscore.metrics.core.metric import Metric

try:
    import pyarrow as pa
except ModuleNotFoundError:
    raise NotInstalledError("refscore.frames.arrow needs a package: pip install 'refscore[arrow]'") from None

_SIGNATURE = b"refscore.signature"
_SEGMENTS = "segments"

# Rows of files that are read at a time.
_SCANNED = 16_384

# Sums of so many parts are added up before more come, so that they never fill the memory.
_PARTS = 64


def scores(
    batch: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    threads: int | None = None,
) -> pa.RecordBatch:
    """The score of each segment.

    Args:
        batch: A record batch.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or lists of strings; or several names.
        metrics: A name ("bleu", "chrf++", "bleu:nltk"), a metric, or several; in a dictionary, under names of your
            own. By its name alone, BLEU is sacrebleu's `sentence_bleu`.
        threads: How many to use; all cores by default.

    Returns:
        A batch with a column of float64 for each metric.

    Example:
        >>> import pyarrow as pa
        >>> from refscore.frames import arrow
        >>> batch = pa.record_batch({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> arrow.scores(batch, "hyp", "ref", ["chrf", "wer"]).to_pydict()["wer"]
        [0.5, 0.0]
    """
    chosen = segment_metrics(metrics)
    columns = sides(batch, hypotheses, references)
    values = [pa.array(metric.segments(*columns, threads=threads)) for metric in chosen.values()]
    return pa.RecordBatch.from_arrays(values, names=list(chosen))


def rows(
    batch: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    threads: int | None = None,
) -> pa.RecordBatch:
    """The row of statistics of each segment, which add up.

    Args:
        batch: A record batch.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or lists of strings; or several names.
        metrics: A name ("bleu", "chrf++", "bleu:nltk"), a metric, or several; in a dictionary, under names of your own.
        threads: How many to use; all cores by default.

    Returns:
        A batch with a column of lists of fixed size for each metric, of int64 or float64; the fields' metadata have
        the metrics' signatures.

    Example:
        >>> import pyarrow as pa
        >>> from refscore.frames import arrow
        >>> batch = pa.record_batch({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> arrow.rows(batch, "hyp", "ref", "wer").to_pydict()
        {'wer': [[1, 1, 0, 0], [2, 0, 0, 0]]}
    """
    chosen = corpus_metrics(metrics)
    columns = sides(batch, hypotheses, references)
    fields = _row_fields(chosen)
    made = [_as_lists(metric.stats(*columns, threads=threads)) for metric in chosen.values()]
    return pa.RecordBatch.from_arrays(made, schema=pa.schema(fields))


def with_scores(
    data: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    threads: int | None = None,
) -> Any:
    """The table or batch with a column of segment scores for each metric; of a reader, another reader.

    Args:
        data: A table, a record batch, or a reader of batches.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or lists of strings; or several names.
        metrics: As for `scores`.
        threads: How many to use; all cores by default.

    Returns:
        What was given, with columns of float64 at its end.

    Example:
        >>> import pyarrow as pa
        >>> from refscore.frames import arrow
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> arrow.with_scores(table, "hyp", "ref", "wer").column_names
        ['hyp', 'ref', 'wer']
    """
    chosen = segment_metrics(metrics)

    def widened(batch: Any) -> Any:
        made = scores(batch, hypotheses, names, chosen, threads=threads)
        return pa.RecordBatch.from_arrays([*batch.columns, *made.columns], schema=schema)

    names = names_of(references, "references")
    if not isinstance(data, (pa.Table, pa.RecordBatch, pa.RecordBatchReader)):
        raise InputError(
            None, f"data must be a table, a record batch or a reader of pyarrow, not {type(data).__name__}"
        )
    check_columns(data.schema.names, hypotheses, names, [])
    check_new_columns(data.schema.names, chosen)
    schema = data.schema
    for label in chosen:
        schema = schema.append(pa.field(label, pa.float64()))
    if isinstance(data, pa.RecordBatch):
        return widened(data)
    made = _positioned(data, widened)
    if isinstance(data, pa.RecordBatchReader):
        return pa.RecordBatchReader.from_batches(schema, made)
    return pa.Table.from_batches(made, schema)


def totals(
    data: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    score_by: str | Iterable[str] | None = None,
    threads: int | None = None,
) -> pa.Table:
    """The sums of the segments' rows, by groups: small, whatever the data are, and ready to be merged with others.

    Args:
        data: A table, a record batch, a reader or an iterable of batches, or whatever else gives a stream of Arrow
            data (a data frame, a relation of DuckDB). Only some of it is there at a time if it is a stream.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or lists of strings; or several names.
        metrics: As for `rows`.
        score_by: The names of the columns that make up groups; by default, all is one group.
        threads: How many to use; all cores by default.

    Returns:
        A table with a row for each group, in the order in which they come: the columns of `score_by`, the number of
        segments, and for each metric the sum of the rows.

    Example:
        >>> import pyarrow as pa
        >>> from refscore.frames import arrow
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> arrow.totals(table, "hyp", "ref", "wer", score_by="lang").to_pydict()
        {'lang': ['de', 'fr'], 'segments': [1, 1], 'wer': [[1, 1, 0, 0], [2, 0, 0, 0]]}
    """
    chosen, names, by = corpus_metrics(metrics), names_of(references, "references"), names_of(score_by, "score_by")
    check_new_columns(by, [_SEGMENTS, *chosen])
    schema, batches = _opened(data, [*dict.fromkeys([hypotheses, *names, *by])])
    check_columns(schema.names, hypotheses, names, by)

    def part(batch: Any) -> pa.Table:
        codes, firsts = _groups(batch, by)
        sums = sums_of(chosen, *sides(batch, hypotheses, names), codes, len(firsts), threads)
        return _total_table(_keys(batch, by, firsts), sums, out)

    out = _total_schema(schema, by, chosen)
    parts = [out.empty_table()]
    for made in _positioned(batches, part):
        parts.append(made)
        if len(parts) == _PARTS:
            parts = [merge(parts)]
    return merge(parts)


def merge(parts: Iterable[Any]) -> pa.Table:
    """The totals of several parts together: of batches, files, or tasks of a cluster.

    Args:
        parts: What `totals` made, tables or batches, at least one; all by the same metrics and groups.

    Returns:
        The totals of the whole.

    Example:
        >>> import pyarrow as pa
        >>> from refscore.frames import arrow
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> halves = [arrow.totals(table.slice(i, 1), "hyp", "ref", "wer") for i in range(2)]
        >>> arrow.merge(halves) == arrow.totals(table, "hyp", "ref", "wer")
        True
    """
    tables = [part if isinstance(part, pa.Table) else pa.Table.from_batches([part]) for part in parts]
    if not tables:
        raise InputError(None, "there are no totals to merge")
    schema = tables[0].schema
    for i, table in enumerate(tables):
        if not table.schema.equals(schema, check_metadata=True):
            raise InputError(
                None, f"parts[{i}] has other columns than parts[0], or other metrics: totals have to be alike"
            )
    by, labels = _layout(schema)
    whole = pa.concat_tables(tables)
    sums = Sums(_numbers(whole[_SEGMENTS]), {label: _from_lists(whole[label]) for label in labels})
    codes, firsts = _groups(whole, by)
    groups = len(firsts) if by else min(1, whole.num_rows)
    total = merged([sums], codes, groups)
    return _total_table(_keys(whole, by, firsts), total, schema)


def score(total: Any, metrics: Metrics) -> pa.Table:
    """The scores of totals.

    Args:
        total: What `totals` or `merge` made.
        metrics: Those that the totals were made by.

    Returns:
        A table with a row for each group: its columns, the number of segments, and a column of scores for each metric.

    Example:
        >>> import pyarrow as pa
        >>> from refscore.frames import arrow
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> arrow.score(arrow.totals(table, "hyp", "ref", "wer"), "wer").to_pydict()
        {'segments': [2], 'wer': [0.25]}
    """
    chosen = corpus_metrics(metrics)
    table = total if isinstance(total, pa.Table) else pa.Table.from_batches([total])
    by, labels = _layout(table.schema)
    if labels != list(chosen):
        raise SettingError(f"the totals are of the metrics {', '.join(labels)}, not of {', '.join(chosen)}")
    for label, metric in chosen.items():
        if table.schema.field(label).metadata[_SIGNATURE].decode() != metric.signature:
            raise SettingError(f"the totals of {label!r} were made with other settings of the metric")
    values = [pa.array(metric.values(_from_lists(table[label]))) for label, metric in chosen.items()]
    columns = [*(table[name] for name in by), table[_SEGMENTS], *values]
    return pa.table(columns, names=[*by, _SEGMENTS, *chosen])


def corpus(
    data: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    score_by: str | Iterable[str] | None = None,
    threads: int | None = None,
) -> pa.Table:
    """The scores of all segments together, or of each group of them.

    Args:
        data: As for `totals`.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or lists of strings; or several names.
        metrics: As for `rows`.
        score_by: The names of the columns that make up groups; by default, all is one group.
        threads: How many to use; all cores by default.

    Returns:
        A table with a row for each group: the columns of `score_by`, the number of segments, and a column for each
        metric. Values are as scores' are, from 0 to 1 for most metrics.

    Example:
        >>> import pyarrow as pa
        >>> from refscore.frames import arrow
        >>> table = pa.table({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> arrow.corpus(table, "hyp", "ref", "wer", score_by=["lang"]).to_pydict()
        {'lang': ['de', 'fr'], 'segments': [1, 1], 'wer': [0.5, 0.0]}
    """
    chosen = corpus_metrics(metrics)
    found = totals(data, hypotheses, references, chosen, score_by=score_by, threads=threads)
    if not names_of(score_by, "score_by"):
        check_some(found.num_rows)
    return score(found, chosen)


def _opened(data: Any, needed: list[str]) -> tuple[pa.Schema, Iterator[Any]]:
    """The schema of data, and their batches; of a dataset with the columns that are needed, if it has them."""
    if isinstance(data, pa.RecordBatch):
        return data.schema, iter([data])
    if isinstance(data, pa.Table):
        return data.schema, iter(data.to_batches())
    if hasattr(data, "__arrow_c_stream__"):
        reader = pa.RecordBatchReader.from_stream(data)
        return reader.schema, iter(reader)
    if hasattr(data, "scanner"):  # a pyarrow dataset
        return data.schema, _scanned(data, needed)
    if not isinstance(data, Iterable):
        raise InputError(
            None, f"data must be a table, batches, or give a stream of Arrow data, not {type(data).__name__}"
        )
    batches = iter(data)
    first = next(batches, None)
    if not isinstance(first, pa.RecordBatch):
        raise InputError(
            None, "data must have at least one record batch" if first is None else "data must be record batches"
        )
    return first.schema, _chained(first, batches)


def _scanned(dataset: Any, needed: list[str]) -> Iterator[Any]:
    from pyarrow import dataset as files

    # Of its own accord a scanner reads most of a file ahead of scoring, which saves hardly any time.
    options: dict[str, Any] = {"use_threads": False, "batch_readahead": 1, "fragment_readahead": 1}
    if isinstance(getattr(dataset, "format", None), files.ParquetFileFormat):
        options["fragment_scan_options"] = files.ParquetFragmentScanOptions(pre_buffer=False)
    yield from dataset.scanner(columns=needed, batch_size=_SCANNED, **options).to_reader()


def _chained(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield from rest


def _positioned(data: Iterable[Any], work: Any) -> Iterator[Any]:
    """What `work` makes of batches in steps; its errors say where in the whole they are."""
    done = 0
    for batch in data.to_batches() if isinstance(data, pa.Table) else data:
        for begin in range(0, batch.num_rows, STEP):
            part = batch.slice(begin, STEP)
            with within(done, done + part.num_rows):
                yield work(part)
            done += part.num_rows


def sides(batch: Any, hypotheses: str, references: str | Iterable[str]) -> tuple[Any, Any]:
    """The columns of both sides, as metrics take them.

    >>> hypotheses, references = sides(pa.record_batch({"hyp": ["a cat"], "ref": ["the cat"]}), "hyp", "ref")
    >>> hypotheses.to_pylist(), references.to_pylist()
    (['a cat'], ['the cat'])
    """
    names = names_of(references, "references")
    check_columns(batch.schema.names, hypotheses, names, [])
    parts = [batch.column(batch.schema.get_field_index(name)) for name in names]
    return batch.column(batch.schema.get_field_index(hypotheses)), parts[0] if len(parts) == 1 else Beside(parts)


def _groups(table: Any, by: list[str]) -> tuple[Codes, Codes]:
    """For each row the number of its group, and for each group its first row; in the order in which they come."""
    codes = np.zeros(table.num_rows, dtype=np.intp)
    firsts = np.zeros(min(1, table.num_rows), dtype=np.intp)
    for name in by:
        column = table.column(table.schema.get_field_index(name))
        own = _encoded(column)
        _, firsts, codes = np.unique(codes * (own.max(initial=0) + 1) + own, return_index=True, return_inverse=True)
        order = np.argsort(firsts)
        firsts, codes = firsts[order], np.argsort(order)[codes.reshape(-1)]
    return codes, firsts


def _encoded(column: Any) -> Codes:
    """Numbers that are equal where values are."""
    try:
        encoded = _plain(column).dictionary_encode(null_encoding="encode")
    except pa.ArrowNotImplementedError:
        raise InputError(None, f"score_by cannot make groups of a column of type {column.type}") from None
    return np.asarray(encoded.indices).astype(np.intp)


def _row_fields(metrics: Mapping[str, Metric[Any]]) -> list[Any]:
    return [
        pa.field(
            label,
            pa.list_(pa.field("item", pa.from_numpy_dtype(metric.row_type), nullable=False), len(metric.columns)),
            nullable=False,
            metadata={_SIGNATURE: metric.signature.encode(), b"refscore.columns": " ".join(metric.columns).encode()},
        )
        for label, metric in metrics.items()
    ]


def _as_lists(array: Any, kind: Any = None) -> Any:
    flat = pa.array(np.ascontiguousarray(array).reshape(-1))
    kind = kind or pa.list_(pa.field("item", flat.type, nullable=False), array.shape[1])
    return pa.FixedSizeListArray.from_arrays(flat, type=kind)


def _from_lists(column: Any) -> Any:
    width = column.type.list_size
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    flat = whole.flatten()
    return np.asarray(flat).reshape(-1, width)


def _numbers(column: Any) -> Any:
    return np.asarray(column.combine_chunks(), dtype=np.int64)


def _layout(schema: pa.Schema) -> tuple[list[str], list[str]]:
    """The names of the groups' columns, and the labels of the metrics, of totals."""
    labels = [field.name for field in schema if _SIGNATURE in (field.metadata or {})]
    if _SEGMENTS not in schema.names or not labels:
        raise InputError(None, "this is no table of totals: pass what totals() made")
    return [name for name in schema.names if name not in (_SEGMENTS, *labels)], labels


def _total_schema(schema: pa.Schema, by: list[str], metrics: Mapping[str, Metric[Any]]) -> pa.Schema:
    # Of the values themselves, which parts have in common where dictionaries differ.
    keys = [pa.field(name, _plain_type(schema.field(name).type)) for name in by]
    return pa.schema([*keys, pa.field(_SEGMENTS, pa.int64(), nullable=False), *_row_fields(metrics)])


def _plain_type(kind: Any) -> Any:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.large_string() if str(kind) == "string_view" else kind


def _plain(column: Any) -> Any:
    """The values themselves, in one array."""
    kind = _plain_type(column.type)
    if isinstance(column, pa.ChunkedArray):
        parts = [_plain(chunk) for chunk in column.chunks]
        return pa.concat_arrays(parts) if parts else pa.array([], kind)
    if pa.types.is_dictionary(column.type):
        return _plain(column.dictionary).take(column.indices)
    if kind == column.type:
        return column
    try:
        return column.cast(kind)
    except pa.ArrowNotImplementedError:  # of views, in some versions
        return pa.array(column.to_pylist(), kind)


def _keys(table: Any, by: list[str], firsts: Codes) -> list[Any]:
    """The values of the groups' columns, one for each group."""
    return [_plain(table.column(table.schema.get_field_index(name))).take(pa.array(firsts)) for name in by]


def _total_table(keys: list[Any], sums: Sums, schema: pa.Schema) -> pa.Table:
    made = [_as_lists(array, schema.field(label).type) for label, array in sums.rows.items()]
    return pa.table([*keys, pa.array(sums.segments, pa.int64()), *made], schema=schema)
