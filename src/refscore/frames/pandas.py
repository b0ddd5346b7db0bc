"""pandas: scores of segments as columns, and scores of corpora by groups.

    frame.assign(bleu=refscore.frames.pandas.bleu("hyp", "ref"))

Columns that pandas keeps in Arrow memory are read where they lie; columns of Python objects are lists of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from refscore.errors import InputError, NotInstalledError
from refscore.frames.columns import check_columns, check_new_columns, names_of
from refscore.frames.metrics import Metrics, OneMetric, corpus_metrics, segment_metric_of, segment_metrics
from refscore.frames.sums import check_some, merged, steps, sums_of, within
from refscore.metrics.core.arrow_columns import Beside, flat, is_column, with_none
from refscore.metrics.core.metric import Metric

try:
    import pandas as pd
except ModuleNotFoundError:
    raise NotInstalledError("refscore.frames.pandas needs a package: pip install 'refscore[pandas]'") from None

_SEGMENTS = "segments"


def score(
    hypotheses: str, references: str | Iterable[str], metric: OneMetric = "bleu", *, threads: int | None = None
) -> Callable[[Any], Any]:
    """A function from a frame to the scores of its segments, for `frame.assign` and `frame.pipe`.

    Args:
        hypotheses: The name of the column of texts, tokens or ids.
        references: The name of the column of references, one or a list of them per segment; or several names. A missing
            value is a missing reference; each segment needs one.
        metric: A name ("bleu", "chrf++", "bleu:nltk"), or a metric. By its name alone, BLEU is sacrebleu's
            `sentence_bleu`.
        threads: How many to use; all cores by default.

    Returns:
        The function; its result has the frame's index.

    Example:
        >>> import pandas as pd
        >>> from refscore.frames import pandas
        >>> frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frame.assign(wer=pandas.score("hyp", "ref", "wer"))["wer"].tolist()
        [0.5, 0.0]
    """
    ((label, chosen),) = segment_metrics([metric]).items()
    return _scorer(label, chosen, hypotheses, references, threads)


def with_scores(
    frame: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    threads: int | None = None,
) -> Any:
    """The frame with a column of segment scores for each metric.

    Args:
        frame: A data frame, which stays as it is.
        hypotheses: As for `score`.
        references: As for `score`.
        metrics: A name, a metric, or several; in a dictionary, under names of your own.
        threads: How many to use; all cores by default.

    Returns:
        A new frame.

    Example:
        >>> import pandas as pd
        >>> from refscore.frames import pandas
        >>> frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> pandas.with_scores(frame, "hyp", "ref", ["wer", "chrf"]).columns.tolist()
        ['hyp', 'ref', 'wer', 'chrf']
    """
    chosen = segment_metrics(metrics)
    _check_frame(frame)
    check_new_columns(frame.columns, chosen)
    return frame.assign(
        **{label: _scorer(label, metric, hypotheses, references, threads) for label, metric in chosen.items()}
    )


def corpus(
    frame: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    score_by: str | Iterable[str] | None = None,
    threads: int | None = None,
) -> Any:
    """The scores of all segments of a frame together, or of each group of them.

    Args:
        frame: A data frame.
        hypotheses: As for `score`.
        references: As for `score`.
        metrics: A name ("bleu", "chrf++", "bleu:nltk"), a metric, or several; in a dictionary, under names of your own.
        score_by: The names of the columns that make up groups; by default, all is one group.
        threads: How many to use; all cores by default.

    Returns:
        A frame with a row for each group, in the order in which they come: the columns of `score_by`, the number of
        segments, and a column for each metric. Values are as scores' are, from 0 to 1 for most metrics.

    Example:
        >>> import pandas as pd
        >>> from refscore.frames import pandas
        >>> frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> pandas.corpus(frame, "hyp", "ref", "wer", score_by=["lang"]).to_dict("list")
        {'lang': ['de', 'fr'], 'segments': [1, 1], 'wer': [0.5, 0.0]}
    """
    chosen, names, by = corpus_metrics(metrics), names_of(references, "references"), names_of(score_by, "score_by")
    _check_frame(frame)
    check_columns(frame.columns, hypotheses, names, by)
    check_new_columns(by, [_SEGMENTS, *chosen])
    if by:
        grouped = frame.groupby(by, sort=False, dropna=False, observed=True)
        codes = grouped.ngroup().to_numpy().astype(np.intp)
        firsts = np.unique(codes, return_index=True)[1]
    else:
        check_some(len(frame))
        codes, firsts = np.zeros(len(frame), dtype=np.intp), np.zeros(1, dtype=np.intp)
    groups = len(firsts)
    total = sums_of(chosen, [], [], np.zeros(0, dtype=np.intp), groups, threads)
    for here in steps(len(frame)):
        part = frame.iloc[here]
        with within(here.start, here.stop):
            sums = sums_of(chosen, *_sides(part, hypotheses, names), codes[here], groups, threads)
        total = merged([total, sums], np.tile(np.arange(groups), 2), groups)
    made = frame[by].iloc[firsts].reset_index(drop=True) if by else pd.DataFrame(index=pd.RangeIndex(1))
    return made.assign(**{_SEGMENTS: total.segments, **total.values(chosen)})


def _function(name: str) -> Callable[..., Callable[[Any], Any]]:
    def made(
        hypotheses: str, references: str | Iterable[str], *, threads: int | None = None, **settings: Any
    ) -> Callable[[Any], Any]:
        return _scorer(name, segment_metric_of(name, settings), hypotheses, references, threads)

    made.__name__ = made.__qualname__ = name
    made.__doc__ = f"""A function from a frame to its segments' {name} scores: `score` with settings by name.

    >>> import pandas as pd
    >>> from refscore.frames import pandas
    >>> frame = pd.DataFrame({{"hyp": ["a small cat"], "ref": ["a small cat"]}})
    >>> frame.assign({name}=pandas.{name}("hyp", "ref")).columns.tolist()
    ['hyp', 'ref', '{name}']
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


def _scorer(
    label: str, metric: Metric[Any], hypotheses: str, references: str | Iterable[str], threads: int | None
) -> Callable[[Any], Any]:
    names = names_of(references, "references")

    def scored(frame: Any) -> Any:
        _check_frame(frame)
        check_columns(frame.columns, hypotheses, names, [])
        values = metric.segments(*_sides(frame, hypotheses, names), threads=threads)
        return pd.Series(values, index=frame.index, name=label)

    return scored


def _check_frame(frame: Any) -> None:
    if not isinstance(frame, pd.DataFrame):
        raise InputError(None, f"frame must be a data frame of pandas, not {type(frame).__name__}")


def _sides(frame: Any, hypotheses: str, references: list[str]) -> tuple[Any, Any]:
    columns = [frame[name] for name in references]
    if len(columns) == 1:
        return _values(frame[hypotheses]), _values(columns[0])
    if all(map(is_column, columns)):
        return _values(frame[hypotheses]), Beside(columns)
    return _values(frame[hypotheses]), [flat(entry) for entry in zip(*map(with_none, columns), strict=True)]


def _values(column: Any) -> Any:
    return column if is_column(column) else with_none(column)
