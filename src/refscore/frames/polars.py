"""Polars: scores of segments as expressions, eager and lazy, and scores of corpora by groups.

    frame.with_columns(refscore.frames.polars.bleu("hyp", "ref"))

Text stays where Polars has it. In a lazy query of the streaming engine an expression is computed batch by batch, and
the rows that errors name are counted from the batch's beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from refscore.errors import InputError, NotInstalledError
from refscore.frames.columns import check_columns, check_new_columns, names_of
from refscore.frames.metrics import Metrics, OneMetric, corpus_metrics, segment_metric_of, segment_metrics
from refscore.frames.sums import STEP, Codes, Sums, check_some, merged, sums_of, within
from refscore.metrics.core.arrow_columns import Beside
from refscore.metrics.core.metric import Metric

try:
    import polars as pl
except ModuleNotFoundError:
    raise NotInstalledError("refscore.frames.polars needs a package: pip install 'refscore[polars]'") from None

_SEGMENTS = "segments"

# Sums of so many parts are added up before more come, so that they never fill the memory.
_PARTS = 64


def score(hypotheses: Any, references: Any, metric: OneMetric = "bleu", *, threads: int | None = None) -> pl.Expr:
    """An expression for the score of each segment, elementwise and of the type Float64.

    Args:
        hypotheses: A column of texts (strings), tokens (lists of strings) or ids (lists of integers), or an expression.
        references: A column of one reference or of lists of them, or an expression; or a list of several such. Null is
            a missing reference; each segment needs one.
        metric: A name ("bleu", "chrf++", "bleu:nltk"), or a metric. By its name alone, BLEU is sacrebleu's
            `sentence_bleu`.
        threads: How many to use; all cores by default.

    Returns:
        The expression, with the metric's name.

    Example:
        >>> import polars as pl
        >>> from refscore.frames import polars
        >>> frame = pl.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frame.with_columns(polars.score("hyp", "ref", "wer"))["wer"].to_list()
        [0.5, 0.0]
    """
    ((label, chosen),) = segment_metrics([metric]).items()
    return _expression(label, chosen, hypotheses, references, threads)


def corpus_score(
    hypotheses: Any, references: Any, metric: OneMetric = "bleu", *, threads: int | None = None
) -> pl.Expr:
    """An expression for the score of all segments together; within `group_by(…).agg(…)`, of each group.

    Args:
        hypotheses: As for `score`.
        references: As for `score`.
        metric: A name ("bleu", "chrf++", "bleu:nltk"), or a metric.
        threads: How many to use; all cores by default.

    Returns:
        The expression, with the metric's name.

    Example:
        >>> import polars as pl
        >>> from refscore.frames import polars
        >>> frame = pl.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> frame.group_by("lang", maintain_order=True).agg(polars.corpus_score("hyp", "ref", "wer")).rows()
        [('de', 0.5), ('fr', 0.0)]
    """
    ((label, chosen),) = corpus_metrics([metric]).items()

    def scored(series: Sequence[pl.Series]) -> float:
        return float(chosen.corpus(*_sides(series), threads=threads))

    columns = _columns(hypotheses, references)
    return pl.map_batches(columns, scored, return_dtype=pl.Float64, returns_scalar=True).alias(label)


def corpus(
    frame: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    score_by: str | Iterable[str] | None = None,
    threads: int | None = None,
) -> pl.DataFrame:
    """The scores of all segments of a frame together, or of each group of them.

    Args:
        frame: A data frame; of a lazy one, only some is there at a time.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or lists of strings; or several names.
        metrics: A name ("bleu", "chrf++", "bleu:nltk"), a metric, or several; in a dictionary, under names of your own.
        score_by: The names of the columns that make up groups; by default, all is one group.
        threads: How many to use; all cores by default.

    Returns:
        A frame with a row for each group, in the order in which they come: the columns of `score_by`, the number of
        segments, and a column for each metric. Values are as scores' are, from 0 to 1 for most metrics.

    Example:
        >>> import polars as pl
        >>> from refscore.frames import polars
        >>> frame = pl.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> polars.corpus(frame, "hyp", "ref", "wer", score_by=["lang"]).rows()
        [('de', 1, 0.5), ('fr', 1, 0.0)]
    """
    if not isinstance(frame, (pl.DataFrame, pl.LazyFrame)):
        raise InputError(None, f"frame must be a data frame of Polars, not {type(frame).__name__}")
    chosen, names, by = corpus_metrics(metrics), names_of(references, "references"), names_of(score_by, "score_by")
    check_columns(frame.collect_schema().names(), hypotheses, names, by)
    check_new_columns(by, [_SEGMENTS, *chosen])
    needed = frame.select([*dict.fromkeys([hypotheses, *names, *by])])
    keys: list[pl.DataFrame] = []
    sums: list[Sums] = []
    done = 0
    for batch in _batches(needed):
        own_keys, codes = _groups(batch.select(by), batch.height)
        with within(done, done + batch.height):
            sides = _sides([batch[name] for name in (hypotheses, *names)])
            sums.append(sums_of(chosen, *sides, codes, own_keys.height if by else 1, threads))
        keys.append(own_keys)
        done += batch.height
        if len(keys) == _PARTS:
            whole, total = _merged(keys, sums)
            keys, sums = [whole], [total]
    if not sums:
        if not by:
            check_some(0)
        schema = needed.select(by).collect_schema() if isinstance(needed, pl.LazyFrame) else needed.select(by).schema
        return pl.DataFrame(schema={**schema, _SEGMENTS: pl.Int64, **dict.fromkeys(chosen, pl.Float64)})
    whole, total = _merged(keys, sums)
    values = [pl.Series(label, found) for label, found in total.values(chosen).items()]
    return pl.DataFrame([*whole.get_columns(), pl.Series(_SEGMENTS, total.segments, pl.Int64), *values])


def _function(name: str) -> Callable[..., pl.Expr]:
    def made(hypotheses: Any, references: Any, *, threads: int | None = None, **settings: Any) -> pl.Expr:
        return _expression(name, segment_metric_of(name, settings), hypotheses, references, threads)

    made.__name__ = made.__qualname__ = name
    made.__doc__ = f"""An expression for the {name} score of each segment: `score` with settings of the metric by name.

    >>> import polars as pl
    >>> from refscore.frames import polars
    >>> frame = pl.DataFrame({{"hyp": ["a small cat"], "ref": ["a small cat"]}})
    >>> frame.select(polars.{name}("hyp", "ref")).columns
    ['{name}']
    """
    return made


bleu = _function("bleu")
cer = _function("cer")
chrf = _function("chrf")
gleu = _function("gleu")
meteor = _function("meteor")
ribes = _function("ribes")
rouge = _function("rouge")
ter = _function("ter")
wer = _function("wer")


def _columns(hypotheses: Any, references: Any) -> list[Any]:
    several = isinstance(references, Iterable) and not isinstance(references, (str, pl.Expr))
    return [hypotheses, *(references if several else [references])]


def _expression(label: str, metric: Metric[Any], hypotheses: Any, references: Any, threads: int | None) -> pl.Expr:
    def scored(series: Sequence[pl.Series]) -> pl.Series:
        return pl.Series(label, metric.segments(*_sides(series), threads=threads))

    columns = _columns(hypotheses, references)
    return pl.map_batches(columns, scored, return_dtype=pl.Float64, is_elementwise=True).alias(label)


def _sides(series: Sequence[pl.Series]) -> tuple[Any, Any]:
    """Hypotheses and references; a literal, which comes as one value, for all."""
    sizes = {len(column) for column in series if len(column) != 1}
    size = max(sizes, default=1)
    whole = [column.new_from_index(0, size) if len(column) == 1 != size else column for column in series]
    return whole[0], whole[1] if len(whole) == 2 else Beside(whole[1:])


def _batches(frame: Any) -> Iterator[pl.DataFrame]:
    if isinstance(frame, pl.LazyFrame):
        if hasattr(frame, "collect_batches"):
            yield from (batch for batch in frame.collect_batches(chunk_size=STEP) if batch.height)
            return
        frame = frame.collect()
    yield from (batch for batch in frame.iter_slices(STEP) if batch.height)


def _groups(keys: pl.DataFrame, size: int) -> tuple[pl.DataFrame, Codes]:
    """The groups in the order in which they come, and for each row the number of its own."""
    codes = np.zeros(size, dtype=np.intp)
    if not keys.width:
        return keys, codes
    row = "row".ljust(max(map(len, keys.columns)) + 1)  # a name that no column has
    groups = keys.with_row_index(row).group_by(keys.columns, maintain_order=True).agg(pl.col(row))
    codes[groups[row].explode().to_numpy()] = np.repeat(np.arange(groups.height), groups[row].list.len().to_numpy())
    return groups.drop(row), codes


def _merged(keys: list[pl.DataFrame], sums: list[Sums]) -> tuple[pl.DataFrame, Sums]:
    together = pl.concat(keys)
    whole, codes = _groups(together, sum(len(part.segments) for part in sums))
    return whole, merged(sums, codes, whole.height if whole.width else 1)
