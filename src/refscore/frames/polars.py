"""Segment scores and corpus scores as Polars expressions, eager and lazy.

    frame.with_columns(refscore.frames.polars.segment_score("hyp", "ref", "bleu"))

Scores are from 0 to 1 for most metrics. Text is read from Polars' memory without a copy. In a lazy query, the streaming
engine evaluates an expression batch by batch, so errors count rows from the first row of the batch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from refscore.errors import InputError, NotInstalledError
from refscore.frames.columns import Columns, present_segments, score_columns, storable
from refscore.frames.job import Missing, check_columns_given, check_missing, in_columns
from refscore.metrics import Metric, MetricChoice, parse_metric

try:
    import polars as pl
except ModuleNotFoundError:
    raise NotInstalledError("refscore.frames.polars needs polars: pip install 'refscore[polars]'") from None

if TYPE_CHECKING:
    from typing_extensions import TypedDict, Unpack

    class ExpressionOptions(TypedDict, total=False):
        """Keyword arguments of an expression."""

        sources: Any
        threads: int | None
        missing: Missing


def segment_score(
    hypotheses: Any, references: Any, metric: MetricChoice = "bleu", **options: Unpack[ExpressionOptions]
) -> pl.Expr:
    """Return an expression for the score of each segment. It is elementwise and has the type Float64.

    Takes the same arguments as `refscore.frames.with_scores`, with one metric and expressions instead of columns. The
    expression is named like the metric. Hypotheses are an expression or the name of a column: texts (strings), tokens
    (lists of strings) or token ids (lists of integers). References are the same, or a list of several. Null is a
    missing reference; each segment needs at least one reference.

    Example:
        >>> import polars as pl
        >>> from refscore import frames
        >>> frame = pl.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frame.with_columns(frames.polars.segment_score("hyp", "ref", "wer"))["wer"].to_list()
        [0.5, 0.0]
    """
    label, chosen = parse_metric(metric, for_segments=True)
    chosen.check_fitted()

    def score(columns: Columns, missing: Missing, threads: int | None) -> pl.Series:
        return pl.Series(label, storable(score_columns(columns, chosen, missing, threads)), pl.Float64)

    return _expression(hypotheses, references, chosen, score, is_elementwise=True, **options).alias(label)


def corpus_score(
    hypotheses: Any, references: Any, metric: MetricChoice = "bleu", **options: Unpack[ExpressionOptions]
) -> pl.Expr:
    """Return an expression for the corpus score of all segments or, in `group_by(…).agg(…)`, of each group.

    Takes the same arguments as `segment_score`. The metric has its settings for corpora.

    Example:
        >>> import polars as pl
        >>> from refscore import frames
        >>> frame = pl.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> frame.group_by("lang", maintain_order=True).agg(frames.polars.corpus_score("hyp", "ref", "wer")).rows()
        [('de', 0.5), ('fr', 0.0)]
    """
    label, chosen = parse_metric(metric)

    def score(columns: Columns, missing: Missing, threads: int | None) -> float:
        with present_segments(columns, missing) as (sides, rows):
            if not rows.all() and (missing == "nan" or not rows.any()):
                return math.nan
            return float(chosen.corpus(*sides, threads=threads))

    return _expression(hypotheses, references, chosen, score, is_elementwise=False, **options).alias(label)


def _expression(
    hypotheses: Any,
    references: Any,
    metric: Metric[Any],
    score: Callable[[Columns, Missing, int | None], Any],
    *,
    is_elementwise: bool,
    sources: Any = None,
    threads: int | None = None,
    missing: Missing = "error",
) -> pl.Expr:
    """Return an expression that calls `score` with the columns."""
    check_missing(missing)
    several = isinstance(references, Iterable) and not isinstance(references, (str, pl.Expr))
    sides = [] if references is None else [*references] if several else [references]
    check_columns_given(sides, sources, [metric])

    def score_series(series: Sequence[pl.Series]) -> Any:
        hypothesis, *others = (nw.from_native(column, series_only=True) for column in _broadcast(series))
        source = None if sources is None else others.pop()
        columns = Columns(hypothesis, others, source)
        try:
            with in_columns(
                hypothesis.name, [column.name for column in others], None if source is None else source.name
            ):
                return score(columns, missing, threads)
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
        is_elementwise=is_elementwise,
        returns_scalar=not is_elementwise,
    )


def _broadcast(series: Sequence[pl.Series]) -> list[pl.Series]:
    """Repeat literals, which Polars passes as one value, to the length of the columns."""
    size = max((len(column) for column in series if len(column) != 1), default=1)
    return [column.new_from_index(0, size) if len(column) == 1 != size else column for column in series]
