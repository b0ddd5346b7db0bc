"""Segment scores as columns of pandas data frames, and corpus scores by group.

    import refscore.frames.pandas  # adds df.refscore to data frames

    frame.refscore.corpus("hyp", "ref", ["bleu", "chrf"], score_by="lang")
    frame.assign(bleu=refscore.frames.pandas.bleu("hyp", "ref"))

Scores are from 0 to 1 for most metrics. Missing values are None, NaN and NA.

Columns backed by Arrow are read without a copy. Columns of Python objects are converted to lists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.errors import NotInstalledError
from refscore.frames.job import ColumnNames, Job, Missing, check_type
from refscore.frames.scoring import STEP, Indexes, Library, metric_function, score_corpus, score_segments
from refscore.metrics import MetricChoice, MetricChoices, flat, is_column, with_none

try:
    import pandas as pd
except ModuleNotFoundError:
    raise NotInstalledError("refscore.frames.pandas needs pandas: pip install 'refscore[pandas]'") from None


def score(
    hypotheses: str,
    references: ColumnNames | None,
    metric: MetricChoice = "bleu",
    *,
    sources: str | None = None,
    threads: int | None = None,
    missing: Missing = "error",
) -> Callable[[Any], Any]:
    """Return a function that scores the segments of a frame, for `frame.assign` and `frame.pipe`.

    The arguments are those of `refscore.frames.arrow.scores`, with one metric. Hypotheses are texts, tokens or token
    ids. A missing value is a missing reference; each segment needs at least one reference. The result has the frame's
    index. Scores are from 0 to 1 for most metrics. With `missing` "skip" or "nan", missing segments have the score NaN.

    Example:
        >>> import pandas as pd
        >>> from refscore import frames
        >>> frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frame.assign(wer=frames.pandas.score("hyp", "ref", "wer"))["wer"].tolist()
        [0.5, 0.0]
    """
    job = Job.parse(
        hypotheses, references, [metric], sources=sources, threads=threads, missing=missing, for_segments=True
    )
    (label,) = job.metrics

    def score_frame(frame: Any) -> Any:
        _check_frame(frame, job)
        return pd.Series(score_segments(_PANDAS, job, frame)[label], index=frame.index, name=label)

    return score_frame


def with_scores(
    frame: Any,
    hypotheses: str,
    references: ColumnNames | None,
    metrics: MetricChoices = "bleu",
    *,
    sources: str | None = None,
    threads: int | None = None,
    missing: Missing = "error",
) -> Any:
    """Return a new frame with a column of segment scores per metric, from 0 to 1 for most.

    The arguments are those of `score`, with one or several metrics. A dictionary gives them labels.

    Example:
        >>> import pandas as pd
        >>> from refscore import frames
        >>> frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frames.pandas.with_scores(frame, "hyp", "ref", ["wer", "chrf"]).columns.tolist()
        ['hyp', 'ref', 'wer', 'chrf']
    """
    job = Job.parse(
        hypotheses, references, metrics, sources=sources, threads=threads, missing=missing, for_segments=True
    )
    _check_frame(frame, job, adds_scores=True)
    return frame.assign(**score_segments(_PANDAS, job, frame))


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
) -> Any:
    """Return the corpus scores of a frame, or of each group, from 0 to 1 for most metrics.

    The arguments and the columns of the result are those of `refscore.frames.arrow.corpus`.

    Example:
        >>> import pandas as pd
        >>> from refscore import frames
        >>> frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> frames.pandas.corpus(frame, "hyp", "ref", "wer", score_by=["lang"]).to_dict("list")
        {'lang': ['de', 'fr'], 'segments': [1, 1], 'wer': [0.5, 0.0]}
    """
    job = Job.parse(
        hypotheses, references, metrics, score_by=score_by, sources=sources, threads=threads, missing=missing
    )
    _check_frame(frame, job)
    parts = (frame.iloc[begin : begin + STEP] for begin in range(0, len(frame), STEP))
    return score_corpus(_PANDAS, job, parts, frame.iloc[:0])


class RefscoreAccessor:
    """The functions of this module as methods of a data frame, `frame.refscore`.

    Example:
        >>> import pandas as pd
        >>> import refscore.frames.pandas
        >>> frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", None]})
        >>> frame.refscore.score("hyp", "ref", "wer", missing="skip").tolist()
        [0.5, nan]
        >>> frame.refscore.corpus("hyp", "ref", "wer", missing="skip").to_dict("list")
        {'segments': [1], 'wer': [0.5]}
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def score(
        self, hypotheses: str, references: ColumnNames | None, metric: MetricChoice = "bleu", **options: Any
    ) -> Any:
        """Return the score of each segment. `options` are further arguments of the module's `score`."""
        return score(hypotheses, references, metric, **options)(self._frame)

    def with_scores(
        self, hypotheses: str, references: ColumnNames | None, metrics: MetricChoices = "bleu", **options: Any
    ) -> Any:
        """Return the frame with columns of scores. `options` are further arguments of the module's `with_scores`."""
        return with_scores(self._frame, hypotheses, references, metrics, **options)

    def corpus(
        self, hypotheses: str, references: ColumnNames | None, metrics: MetricChoices = "bleu", **options: Any
    ) -> Any:
        """Return the scores of the frame or its groups. `options` are further arguments of the module's `corpus`."""
        return corpus(self._frame, hypotheses, references, metrics, **options)


# A call and not a decorator: a documentation builder that mocks pandas still sees the class.
pd.api.extensions.register_dataframe_accessor("refscore")(RefscoreAccessor)


def __getattr__(name: str) -> Callable[..., Any]:
    """Return the function of a metric by its name, such as `bleu`: `score` with this metric."""
    return metric_function(name, score)


class _Pandas(Library):
    def values(self, column: Any) -> Any:
        return column if is_column(column) else with_none(column)

    def join_references(self, columns: Sequence[Any]) -> Any:
        if len(columns) == 1 or all(map(is_column, columns)):
            return super().join_references(columns)
        return [flat(entry) for entry in zip(*map(with_none, columns), strict=True)]

    def is_missing(self, column: Any) -> NDArray[np.bool_]:
        missing: NDArray[np.bool_] = column.isna().to_numpy(dtype=bool)
        return missing

    def filter(self, column: Any, rows: NDArray[np.bool_]) -> Any:
        return column[rows]

    def with_nulls(self, values: NDArray[Any], rows: NDArray[np.bool_]) -> Any:
        return values  # pandas has NaN for null

    def keys(self, frame: Any, columns: tuple[str, ...]) -> Any:
        return frame[list(columns)]

    def labels(self, keys: Any) -> NDArray[Any]:
        groups = keys.groupby(list(keys.columns), sort=False, dropna=False, observed=True)
        labels: NDArray[Any] = groups.ngroup().to_numpy().astype(np.int64)
        return labels

    def take(self, keys: Any, rows: Indexes) -> Any:
        return keys.iloc[rows]

    def concat(self, keys: list[Any]) -> Any:
        return pd.concat(keys, ignore_index=True)

    def table(self, keys: Any, columns: Mapping[str, NDArray[Any]]) -> Any:
        return pd.DataFrame(columns) if keys is None else keys.reset_index(drop=True).assign(**columns)


_PANDAS = _Pandas()


def _check_frame(frame: Any, job: Job, *, adds_scores: bool = False) -> None:
    check_type("frame", frame, pd.DataFrame, "a pandas data frame")
    job.check_columns(frame.columns, adds_scores=adds_scores)
