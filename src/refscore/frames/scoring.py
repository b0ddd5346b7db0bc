"""Segment scores as columns, and corpus scores by group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, overload

import narwhals as nw
import numpy as np

from refscore.errors import InputError
from refscore.frames.columns import score_segments, storable
from refscore.frames.grouping import sum_groups
from refscore.frames.job import GroupBy, Job, Names, Options
from refscore.frames.parts import arrow_batches, arrow_part, frame_parts, pyarrow, wrapped
from refscore.metrics import MetricChoices

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import Unpack

    from refscore.frames.types import ArrowData, DataFrameT, FrameT, LazyFrame, Relation, T_co


@overload
def with_scores(
    frame: Relation, hypotheses: str, references: Names, metrics: MetricChoices = "bleu", **options: Unpack[Options]
) -> pa.Table: ...
@overload
def with_scores(
    frame: FrameT, hypotheses: str, references: Names, metrics: MetricChoices = "bleu", **options: Unpack[Options]
) -> FrameT: ...
@overload
def with_scores(
    frame: ArrowData, hypotheses: str, references: Names, metrics: MetricChoices = "bleu", **options: Unpack[Options]
) -> pa.Table: ...
def with_scores(
    frame: Any, hypotheses: str, references: Names, metrics: MetricChoices = "bleu", **options: Unpack[Options]
) -> Any:
    """Return a new frame with segment scores as a float column per metric.

    The result has `frame`'s class. A Polars query stays lazy, and an Arrow reader is read when the result is.
    Other Arrow data, such as a DuckDB relation, becomes an Arrow table.

    Args:
        frame: A frame from any library that narwhals knows, such as pandas, Polars and PyArrow, an object with an Arrow
            stream, such as a DuckDB relation, an Arrow dataset, or an iterable over record batches.
        hypotheses: The hypothesis column's name: texts, tokens or token ids.
        references: The name or names of reference columns (strings or lists of strings).
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels. A
            bare name means the settings for single segments: "bleu" is sacrebleu's `sentence_bleu`.
        **options: Keyword arguments.

            - `sources`: The source column's name, for metrics that need sources.
            - `threads`: The number of threads, by default all cores.
            - `missing`: How to treat segments without a hypothesis or without any reference (null, and in pandas NaN).
              "error", the default, raises an InputError. "skip" gives them a null score and ignores them in corpus
              scores. "nan" gives them, and every corpus that has one, the score NaN.

    Example:
        >>> import pandas as pd
        >>> from refscore import frames
        >>> frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frames.with_scores(frame, "hyp", "ref", ["wer", "ter"]).to_dict("list")
        {'hyp': ['a cat', 'a dog'], 'ref': ['the cat', 'a dog'], 'wer': [0.5, 0.0], 'ter': [0.5, 0.0]}
    """
    return add_scores(Job.parse(hypotheses, references, metrics, for_segments=True, **options), frame)


@overload
def corpus(
    frame: Relation, hypotheses: str, references: Names, metrics: MetricChoices = "bleu", **options: Unpack[GroupBy]
) -> pa.Table: ...
@overload
def corpus(
    frame: LazyFrame[T_co],
    hypotheses: str,
    references: Names,
    metrics: MetricChoices = "bleu",
    **options: Unpack[GroupBy],
) -> T_co: ...
@overload
def corpus(
    frame: DataFrameT, hypotheses: str, references: Names, metrics: MetricChoices = "bleu", **options: Unpack[GroupBy]
) -> DataFrameT: ...
@overload
def corpus(
    frame: ArrowData, hypotheses: str, references: Names, metrics: MetricChoices = "bleu", **options: Unpack[GroupBy]
) -> pa.Table: ...
def corpus(
    frame: Any, hypotheses: str, references: Names, metrics: MetricChoices = "bleu", **options: Unpack[GroupBy]
) -> Any:
    """Return corpus scores for all segments, or for each group.

    Takes the same arguments as `with_scores`, and `by`: the columns to group by. Metrics have their
    settings for corpora. The frame is read in parts.

    Returns:
        A frame from the same library, or an Arrow table for Arrow data. It has one row per group, in the order of their
        first segments: the columns in `by`, the number of scored segments, and one score column per metric. The
        score is NaN for a group without scored segments.

    Example:
        >>> import polars as pl
        >>> from refscore import frames
        >>> frame = pl.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> frames.corpus(frame, "hyp", "ref", "wer", by="lang").to_dict(as_series=False)
        {'lang': ['de', 'fr'], 'segments': [1, 1], 'wer': [0.5, 0.0]}
    """
    job = Job.parse(hypotheses, references, metrics, **options)
    sums = sum_groups(job, frame_parts(frame, job))
    if not job.by:
        check_not_empty(len(sums.segments))
    return sums.scores(job.metrics, job.missing).to_native()


def check_not_empty(rows: int) -> None:
    """Raise an error for a corpus without segments."""
    if not rows:
        raise InputError(None, "the frame is empty", "an empty corpus has no score")


def add_scores(job: Job, frame: Any, begin: int = 0) -> Any:
    """Return a frame with the columns that `with_scores` adds. Errors count rows from `begin`."""
    known = wrapped(frame)
    if isinstance(known, nw.LazyFrame) and known.implementation.is_polars():
        return _add_to_query(job, known)
    if isinstance(known, nw.LazyFrame):
        known = known.collect()
    if not isinstance(known, nw.DataFrame):
        return _add_to_batches(job, frame, begin)
    job.check_columns(known.columns, adds_scores=True)
    parts = []
    for part in frame_parts(known, job):
        parts.append(score_segments(job, part, begin))
        begin += len(part)
    whole = {label: storable(np.concatenate([part[label] for part in parts])) for label in job.metrics}
    series = (nw.new_series(*item, nw.Float64, backend=known.implementation) for item in whole.items())
    return known.with_columns(series).to_native()


def _add_to_query(job: Job, query: Any) -> Any:
    from refscore.frames.polars import segment_score

    job.check_columns(query.collect_schema().names(), adds_scores=True)
    sides = job.hypotheses, job.references or None
    options: Options = {"sources": job.sources, "threads": job.threads, "missing": job.missing}
    return query.to_native().with_columns(
        segment_score(*sides, metric, **options).alias(label) for label, metric in job.metrics.items()
    )


def _add_to_batches(job: Job, data: Any, begin: int) -> Any:
    arrow = pyarrow()
    is_batch = isinstance(data, arrow.RecordBatch)
    schema, batches = (data.schema, iter([data])) if is_batch else arrow_batches(data)
    job.check_columns(schema.names, adds_scores=True)
    if not is_batch:
        score_segments(job, arrow_part(schema.empty_table(), job))  # raises errors of types early
    schema = arrow.schema([*schema, *(arrow.field(label, arrow.float64()) for label in job.metrics)], schema.metadata)

    def extend(row: int) -> Iterator[Any]:
        for batch in batches:
            scores = score_segments(job, arrow_part(arrow.Table.from_batches([batch]), job), row)
            added = (arrow.array(storable(values), arrow.float64()) for values in scores.values())
            yield arrow.RecordBatch.from_arrays([*batch.columns, *added], schema=schema)
            row += batch.num_rows

    if is_batch:
        return next(extend(begin))
    if isinstance(data, arrow.RecordBatchReader):
        return arrow.RecordBatchReader.from_batches(schema, extend(begin))
    return arrow.Table.from_batches(extend(begin), schema)
