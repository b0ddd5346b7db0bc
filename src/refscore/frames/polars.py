"""Segment scores and corpus scores as Polars expressions, eager and lazy.

    frame.with_columns(refscore.frames.polars.segment_score("hyp", "ref", "bleu"))

Scores are from 0 to 1 for most metrics. Text is read from Polars' memory without a copy. In a lazy query, the streaming
engine evaluates an expression batch by batch, so errors count rows from the batch's first row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import narwhals as nw

from refscore.errors import InputError, requires
from refscore.frames.columns import score_segments, storable
from refscore.frames.grouping import sum_groups
from refscore.frames.job import Job, Missing
from refscore.frames.scoring import check_not_empty
from refscore.metrics import MetricChoice

with requires("refscore.frames.polars", "polars"):
    import polars as pl

if TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack

    class ExpressionOptions(TypedDict, total=False):
        """Keyword arguments for an expression."""

        sources: Column | None
        threads: int | None
        missing: Missing


Column: TypeAlias = "str | pl.Expr"
Columns: TypeAlias = "Column | Iterable[Column] | None"


def segment_score(
    hypotheses: Column, references: Columns, metric: MetricChoice = "bleu", **options: Unpack[ExpressionOptions]
) -> pl.Expr:
    """Return an expression for each segment's score. It is elementwise and has the type Float64.

    Takes the same arguments as `refscore.frames.with_scores`, with one metric, and with expressions for columns. The
    expression is named like the metric. Hypotheses are an expression or a column's name: texts (strings), tokens
    (string lists) or token ids (integer lists). References are the same, or a list with several. Null is a
    missing reference. Each segment needs at least one reference.

    Example:
        >>> import polars as pl
        >>> from refscore import frames
        >>> frame = pl.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frame.with_columns(frames.polars.segment_score("hyp", "ref", "wer"))["wer"].to_list()
        [0.5, 0.0]
    """

    def score(job: Job, part: Any) -> pl.Series:
        ((label, scores),) = score_segments(job, part).items()
        return pl.Series(label, storable(scores), pl.Float64)

    return _expression(hypotheses, references, metric, score, for_segments=True, **options)


def corpus_score(
    hypotheses: Column, references: Columns, metric: MetricChoice = "bleu", **options: Unpack[ExpressionOptions]
) -> pl.Expr:
    """Return an expression for the corpus score or, in `group_by(…).agg(…)`, for each group's score.

    Takes the same arguments as `segment_score`. The metric has its settings for corpora.

    Example:
        >>> import polars as pl
        >>> from refscore import frames
        >>> frame = pl.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> frame.group_by("lang", maintain_order=True).agg(frames.polars.corpus_score("hyp", "ref", "wer")).rows()
        [('de', 0.5), ('fr', 0.0)]
    """

    def score(job: Job, part: Any) -> float:
        check_not_empty(len(part))
        (label,) = job.metrics
        return float(sum_groups(job, [part]).scores(job.metrics, job.missing)[label].item())

    return _expression(hypotheses, references, metric, score, for_segments=False, **options)


def _expression(
    hypotheses: Column,
    references: Columns,
    metric: MetricChoice,
    score: Callable[[Job, Any], Any],
    *,
    for_segments: bool,
    sources: Column | None = None,
    **options: Any,
) -> pl.Expr:
    """Return an expression that calls `score` with a job and a frame."""
    several = isinstance(references, Iterable) and not isinstance(references, (str, pl.Expr))
    sides = [] if references is None else [*references] if several else [references]
    names = [f"references {index}" for index in range(len(sides))]
    source = None if sources is None else "sources"
    job = Job.parse("hypotheses", names, [metric], sources=source, for_segments=for_segments, **options)
    (label,) = job.metrics

    def score_series(series: Sequence[pl.Series]) -> Any:
        columns: dict[str, pl.Series] = {}
        for column in _broadcast(series):
            # Two expressions of one column have the same name.
            columns[f"{column.name} {len(columns)}" if column.name in columns else column.name] = column
        try:
            return score(job.with_columns(columns), nw.from_native(pl.DataFrame(columns)))
        except InputError as error:
            # Polars re-raises the class of an error with only a text as its argument, so the class must carry the
            # location.
            kind, arguments = type(error), error.args
            initialize = {"__init__": lambda self, *_: kind.__init__(self, *arguments)}
            raise type(kind.__name__, (kind,), initialize)() from None

    return pl.map_batches(
        [hypotheses, *sides, *([] if sources is None else [sources])],
        score_series,
        return_dtype=pl.Float64,
        is_elementwise=for_segments,
        returns_scalar=not for_segments,
    ).alias(label)


def _broadcast(series: Sequence[pl.Series]) -> list[pl.Series]:
    """Repeat literals, which Polars passes as one value, to the columns' length."""
    size = max((len(column) for column in series if len(column) != 1), default=1)
    return [column.new_from_index(0, size) if len(column) == 1 != size else column for column in series]
