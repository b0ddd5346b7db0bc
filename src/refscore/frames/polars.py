"""Segment scores as Polars expressions, eager and lazy, and corpus scores by group.

    frame.with_columns(refscore.frames.polars.bleu("hyp", "ref"))

Scores are from 0 to 1 for most metrics. Text is read from Polars' memory without a copy. In a lazy query, the streaming
engine evaluates an expression batch by batch, so errors count rows from the first row of the batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from numpy.typing import NDArray

from refscore.errors import InputError, NotInstalledError
from refscore.frames.job import (
    ColumnNames,
    Columns,
    Job,
    Missing,
    check_missing,
    check_references,
    check_sources,
    check_type,
    in_columns,
)
from refscore.frames.scoring import (
    STEP,
    Indexes,
    Library,
    metric_function,
    present_segments,
    score_columns,
    score_corpus,
)
from refscore.metrics import Metric, MetricChoice, MetricChoices, parse_metric

try:
    import polars as pl
except ModuleNotFoundError:
    raise NotInstalledError("refscore.frames.polars needs polars: pip install 'refscore[polars]'") from None


def score(
    hypotheses: Any,
    references: Any,
    metric: MetricChoice = "bleu",
    *,
    sources: Any = None,
    threads: int | None = None,
    missing: Missing = "error",
) -> pl.Expr:
    """Return an expression for the score of each segment. It is elementwise and has the type Float64.

    The arguments are those of `refscore.frames.arrow.scores`, with one metric. The expression is named like the metric.
    Hypotheses are an expression or the name of a column: texts (strings), tokens (lists of strings) or token ids (lists
    of integers). References are the same, or a list of several. Null is a missing reference; each segment needs at
    least one reference. Scores are from 0 to 1 for most metrics.

    Example:
        >>> import polars as pl
        >>> from refscore import frames
        >>> frame = pl.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frame.with_columns(frames.polars.score("hyp", "ref", "wer"))["wer"].to_list()
        [0.5, 0.0]
    """
    label, chosen = parse_metric(metric, for_segments=True)
    chosen.check_fitted()
    check_missing(missing)

    def score_series(series: Sequence[pl.Series]) -> pl.Series:
        columns = _named(_broadcast(series), sources)
        with _in_columns(columns):
            return pl.Series(label, score_columns(_POLARS, columns, chosen, missing, threads))

    columns = _expressions(hypotheses, references, sources, chosen)
    return pl.map_batches(columns, score_series, return_dtype=pl.Float64, is_elementwise=True).alias(label)


def corpus_score(
    hypotheses: Any,
    references: Any,
    metric: MetricChoice = "bleu",
    *,
    sources: Any = None,
    threads: int | None = None,
    missing: Missing = "error",
) -> pl.Expr:
    """Return an expression for the corpus score of all segments or, in `group_by(…).agg(…)`, of each group.

    The arguments are those of `score`. The metric has its settings for corpora. Scores are from 0 to 1 for most
    metrics.

    Example:
        >>> import polars as pl
        >>> from refscore import frames
        >>> frame = pl.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> frame.group_by("lang", maintain_order=True).agg(frames.polars.corpus_score("hyp", "ref", "wer")).rows()
        [('de', 0.5), ('fr', 0.0)]
    """
    label, chosen = parse_metric(metric)
    check_missing(missing)

    def score_series(series: Sequence[pl.Series]) -> float:
        columns = _named(_broadcast(series), sources)
        with _in_columns(columns):
            present = present_segments(_POLARS, columns, missing)
            if present.rows is not None and (missing == "nan" or not present.rows.any()):
                return math.nan
            with present.located():
                return float(chosen.corpus(*present.sides, threads=threads))

    columns = _expressions(hypotheses, references, sources, chosen)
    return pl.map_batches(columns, score_series, return_dtype=pl.Float64, returns_scalar=True).alias(label)


def corpus(
    frame: Any,
    hypotheses: str,
    references: ColumnNames | None,
    metrics: MetricChoices = "bleu",
    *,
    score_by: ColumnNames | None = None,
    sources: str | None = None,
    threads: int | None = None,
    missing: Missing = "error",
) -> pl.DataFrame:
    """Return the corpus scores of a frame, or of each group, from 0 to 1 for most metrics.

    The arguments and the columns of the result are those of `refscore.frames.arrow.corpus`. A lazy frame is read batch
    by batch.

    Example:
        >>> import polars as pl
        >>> from refscore import frames
        >>> frame = pl.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> frames.polars.corpus(frame, "hyp", "ref", "wer", score_by=["lang"]).rows()
        [('de', 1, 0.5), ('fr', 1, 0.0)]
    """
    job = Job.parse(
        hypotheses, references, metrics, score_by=score_by, sources=sources, threads=threads, missing=missing
    )
    check_type("frame", frame, (pl.DataFrame, pl.LazyFrame), "a Polars data frame")
    schema = frame.collect_schema()
    job.check_columns(schema.names())
    scored: pl.DataFrame = score_corpus(_POLARS, job, _batches(frame.select(job.columns)), schema.to_frame())
    return scored


def __getattr__(name: str) -> Callable[..., Any]:
    """Return the function of a metric by its name, such as `bleu`: `score` with this metric."""
    return metric_function(name, score)


class _Polars(Library):
    def is_missing(self, column: Any) -> NDArray[Any]:
        missing: NDArray[Any] = column.is_null().to_numpy()
        return missing

    def filter(self, column: Any, rows: NDArray[Any]) -> Any:
        return column.filter(pl.Series(rows))

    def with_nulls(self, values: NDArray[Any], rows: NDArray[Any]) -> Any:
        return pl.Series(values).set(pl.Series(rows), None)

    def keys(self, frame: Any, columns: tuple[str, ...]) -> Any:
        return frame.select(columns)

    def labels(self, keys: Any) -> NDArray[Any]:
        row = "".join(keys.columns) + "_"  # longer than any column's name
        labels: NDArray[Any] = keys.with_row_index(row).select(pl.first(row).over(keys.columns)).to_series().to_numpy()
        return labels

    def take(self, keys: Any, rows: Indexes) -> Any:
        return keys[rows]

    def concat(self, keys: list[Any]) -> Any:
        return pl.concat(keys)

    def table(self, keys: Any, columns: Mapping[str, NDArray[Any]]) -> Any:
        added = [pl.Series(name, values) for name, values in columns.items()]
        return pl.DataFrame([*([] if keys is None else keys.get_columns()), *added])


_POLARS = _Polars()


def _expressions(hypotheses: Any, references: Any, sources: Any, metric: Metric[Any]) -> list[Any]:
    """Return the expressions of hypotheses, references and sources, in this order."""
    check_sources(sources, [metric])
    last = [] if sources is None else [sources]
    if references is None:
        check_references((), [metric])
        return [hypotheses, *last]
    several = isinstance(references, Iterable) and not isinstance(references, (str, pl.Expr))
    return [hypotheses, *(references if several else [references]), *last]


def _named(series: Sequence[pl.Series], sources: Any) -> Columns:
    """Return the columns from the values of `_expressions`."""
    hypotheses, *references = series
    return Columns(hypotheses, references, None if sources is None else references.pop())


@contextmanager
def _in_columns(columns: Columns) -> Iterator[None]:
    """Make errors in a `with` block name the columns, and pass through Polars unchanged.

    Polars re-raises the class of an error with only a text as its argument, so the class must carry the location.
    """
    try:
        sources = None if columns.sources is None else columns.sources.name
        with in_columns(columns.hypotheses.name, [column.name for column in columns.references], sources):
            yield
    except InputError as error:
        kind, arguments = type(error), error.args
        initialize = {"__init__": lambda self, *_: kind.__init__(self, *arguments)}
        raise type(kind.__name__, (kind,), initialize)() from None


def _broadcast(series: Sequence[pl.Series]) -> list[pl.Series]:
    """Repeat literals, which Polars passes as one value, to the length of the columns."""
    size = max((len(column) for column in series if len(column) != 1), default=1)
    return [column.new_from_index(0, size) if len(column) == 1 != size else column for column in series]


def _batches(frame: Any) -> Iterator[pl.DataFrame]:
    if isinstance(frame, pl.LazyFrame):
        if hasattr(frame, "collect_batches"):
            yield from (batch for batch in frame.collect_batches(chunk_size=STEP) if batch.height)
            return
        frame = frame.collect()
    yield from (batch for batch in frame.iter_slices(STEP) if batch.height)
