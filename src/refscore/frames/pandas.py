"""pandas: scores of segments as columns, and scores of corpora by groups.

    frame.assign(bleu=refscore.frames.pandas.bleu("hyp", "ref"))

Columns that pandas stores in Arrow memory are read without a copy. Columns of Python objects become lists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.errors import NotInstalledError
from refscore.frames.job import ColumnNames, Job, check_type
from refscore.frames.scoring import STEP, Indexes, Library, metric_functions, score_corpus, score_segments
from refscore.metrics.core.arrow_columns import Beside, flat, is_column, with_none
from refscore.metrics.core.selection import MetricChoice, MetricChoices

try:
    import pandas as pd
except ModuleNotFoundError:
    raise NotInstalledError("refscore.frames.pandas needs a package: pip install 'refscore[pandas]'") from None


def score(
    hypotheses: str, references: ColumnNames, metric: MetricChoice = "bleu", *, threads: int | None = None
) -> Callable[[Any], Any]:
    """Return a function from a frame to the scores of its segments, for `frame.assign` and `frame.pipe`.

    The arguments are those of `refscore.frames.arrow.scores`, with one metric. Hypotheses are texts, tokens or ids. A
    missing value is a missing reference; each segment needs one. The function's result has the frame's index.

    Example:
        >>> import pandas as pd
        >>> from refscore.frames import pandas
        >>> frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> frame.assign(wer=pandas.score("hyp", "ref", "wer"))["wer"].tolist()
        [0.5, 0.0]
    """
    job = Job.parse(hypotheses, references, [metric], threads=threads, for_segments=True)
    (label,) = job.metrics

    def score_frame(frame: Any) -> Any:
        _check_frame(frame, job)
        return pd.Series(score_segments(_PANDAS, job, frame)[label], index=frame.index, name=label)

    return score_frame


def with_scores(
    frame: Any, hypotheses: str, references: ColumnNames, metrics: MetricChoices = "bleu", *, threads: int | None = None
) -> Any:
    """Return a new frame with a column of segment scores for each metric.

    The arguments are those of `score`. There may be several metrics; a dictionary gives them names of your own.

    Example:
        >>> import pandas as pd
        >>> from refscore.frames import pandas
        >>> frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"]})
        >>> pandas.with_scores(frame, "hyp", "ref", ["wer", "chrf"]).columns.tolist()
        ['hyp', 'ref', 'wer', 'chrf']
    """
    job = Job.parse(hypotheses, references, metrics, threads=threads, for_segments=True)
    _check_frame(frame, job, adds_scores=True)
    return frame.assign(**score_segments(_PANDAS, job, frame))


def corpus(
    frame: Any,
    hypotheses: str,
    references: ColumnNames,
    metrics: MetricChoices = "bleu",
    *,
    score_by: ColumnNames | None = None,
    threads: int | None = None,
) -> Any:
    """Return the scores of all segments of a frame together, or of each group.

    The arguments and the columns of the result are those of `refscore.frames.arrow.corpus`.

    Example:
        >>> import pandas as pd
        >>> from refscore.frames import pandas
        >>> frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "ref": ["the cat", "a dog"], "lang": ["de", "fr"]})
        >>> pandas.corpus(frame, "hyp", "ref", "wer", score_by=["lang"]).to_dict("list")
        {'lang': ['de', 'fr'], 'segments': [1, 1], 'wer': [0.5, 0.0]}
    """
    job = Job.parse(hypotheses, references, metrics, score_by=score_by, threads=threads)
    _check_frame(frame, job)
    parts = (frame.iloc[begin : begin + STEP] for begin in range(0, len(frame), STEP))
    return score_corpus(_PANDAS, job, parts, frame.iloc[:0])


bleu, cer, chrf, gleu, meteor, ribes, rouge, ter, wer = metric_functions(score)


class _Pandas(Library):
    def sides(self, frame: Any, job: Job) -> tuple[Any, Any]:
        hypotheses, *references = (frame[name] for name in (job.hypotheses, *job.references))
        if len(references) == 1:
            return _values(hypotheses), _values(references[0])
        if all(map(is_column, references)):
            return _values(hypotheses), Beside(references)
        return _values(hypotheses), [flat(entry) for entry in zip(*map(with_none, references), strict=True)]

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
    check_type("frame", frame, pd.DataFrame, "a data frame of pandas")
    job.check_columns(frame.columns, adds_scores=adds_scores)


def _values(column: Any) -> Any:
    return column if is_column(column) else with_none(column)
