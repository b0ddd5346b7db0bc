"""refscore's metrics for lighteval, and lighteval 0.13's standard errors for corpus metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.compat import sacrebleu
from refscore.compat.harness import Table, resampled_values, sample_count
from refscore.compat.overrides import needs, original_of, take_missing_names
from refscore.errors import InputError, Location, relocated
from refscore.metrics import Metric, MetricChoice, parse_metric, sum_rows

with needs("lighteval", "lighteval", install="lighteval"):
    from lighteval.metrics.metrics_corpus import CorpusLevelComputation, CorpusLevelTranslationMetric
    from lighteval.metrics.metrics_sample import SampleLevelComputation
    from lighteval.metrics.sample_preparator import Preparator
    from lighteval.metrics.utils import stderr
    from lighteval.metrics.utils.metric_utils import CorpusLevelMetric, SampleLevelMetric
    from lighteval.tasks.requests import SamplingMethod

__all__ = ["bootstrap_stderr", "corpus_metric", "sample_metric"]


def corpus_metric(metric: MetricChoice, name: str | None = None) -> Any:
    """Return a refscore metric as lighteval's `CorpusLevelMetric`, from 0 to 100.

    Each document's first prediction is scored against all its gold answers. The documents' statistics are
    computed in one call, and both the score and its standard error come from their sums.

    Args:
        metric: A metric or its name, such as "chrf++" or "bleu:nltk".
        name: The name in the results, by default the metric's name.

    Example:
        >>> from lighteval.models.model_output import ModelResponse
        >>> from lighteval.tasks.requests import Doc
        >>> from refscore.compat.lighteval import corpus_metric
        >>> metric = corpus_metric("chrf")
        >>> documents = [Doc(query="", choices=["a dog", "the dog"], gold_index=[0, 1])]
        >>> rows = metric.compute_sample(docs=documents, responses=[ModelResponse(text=["the dog"])])
        >>> metric.get_corpus_aggregations()["chrf"](rows["chrf"])
        100.0
    """
    label, parsed = parse_metric(metric)
    return _declared(CorpusLevelMetric, name or label, parsed, _Statistics(parsed), _SumOfStatistics(parsed))


def sample_metric(metric: MetricChoice, name: str | None = None) -> Any:
    """Return a refscore metric as lighteval's `SampleLevelMetric`, from 0 to 1. Its result is the mean.

    Each document's first prediction is scored against all its gold answers, all documents in one call.

    Args:
        metric: A metric or its name, such as "rougeL". A bare name means the settings for single segments: "bleu" is
            sacrebleu's `sentence_bleu`.
        name: The name in the results, by default the metric's name.

    Example:
        >>> from lighteval.models.model_output import ModelResponse
        >>> from lighteval.tasks.requests import Doc
        >>> from refscore.compat.lighteval import sample_metric
        >>> metric = sample_metric("rougeL")
        >>> documents = [Doc(query="", choices=["a dog barks"], gold_index=0)]
        >>> metric.compute_sample(docs=documents, responses=[ModelResponse(text=["a dog barks"])])
        {'rougeL': [1.0]}
    """
    label, parsed = parse_metric(metric, for_segments=True)
    return _declared(SampleLevelMetric, name or label, parsed, _Scores(parsed), np.mean)


def _declared(kind: Any, name: str, metric: Metric[Any], for_samples: Any, for_corpus: Any) -> Any:
    return kind(
        metric_name=name,
        higher_is_better=metric.higher_is_better,
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=for_samples,
        corpus_level_fn=for_corpus,
        batched_compute=True,
    )


def bootstrap_stderr(metric: Callable[[list[Any]], float], population: list[Any], number_experiments: int) -> float:
    """Return a metric's standard error by bootstrap, like lighteval's function.

    Like lighteval, this divides the samples' standard deviation by the root of their number. Metrics that
    refscore cannot score from statistics use lighteval's function.
    """
    table = _table(metric, population)
    if table is None:
        number: float = original_of(stderr.bootstrap_stderr)(metric, population, number_experiments)
        return number
    values = 100 * resampled_values(*table, sample_count(number_experiments))
    return float(stderr.mean_stderr(values.tolist()))


class _OfMetric:
    def __init__(self, metric: Metric[Any]) -> None:
        self.metric = metric

    def __str__(self) -> str:
        return self.metric.signature


class _Statistics(_OfMetric, Preparator):
    """Return each document's row as a list, which lighteval can log."""

    def prepare(self, docs: Sequence[Any], responses: Sequence[Any], **_: Any) -> list[list[float]]:
        rows: list[list[float]] = _scored(self.metric.stats, docs, responses).tolist()
        return rows

    def __str__(self) -> str:
        return f"statistics of {super().__str__()}"


class _SumOfStatistics(_OfMetric, CorpusLevelComputation):
    def compute_corpus(self, items: Sequence[Sequence[float]]) -> float:
        score: float = self.metric.score(sum_rows(self.table(items)[1])).percent
        return score

    def table(self, items: Sequence[Sequence[float]]) -> Table:
        return self.metric, np.asarray(items, dtype=self.metric.row_type)


class _Scores(_OfMetric, SampleLevelComputation):
    def compute(self, docs: Sequence[Any], responses: Sequence[Any], **_: Any) -> list[float]:
        values: list[float] = _scored(self.metric.segments, docs, responses).tolist()
        return values


def _scored(score: Callable[..., NDArray[Any]], docs: Sequence[Any], responses: Sequence[Any]) -> NDArray[Any]:
    for i, response in enumerate(responses):
        if not response.final_text:
            raise InputError(Location("responses", i), "has no text", "an empty answer is ModelResponse(text=[''])")
    predictions = [response.final_text[0] for response in responses]
    with relocated(lambda location: location.on_sides(hypotheses="responses", references="docs")):
        return score(predictions, [doc.get_golds() for doc in docs])


def _table(function: Any, items: list[Any]) -> Table | None:
    """Return the metric and the documents' rows, or None if refscore cannot score samples from statistics."""
    computation: Any = getattr(function, "__self__", None)
    if isinstance(computation, _SumOfStatistics):
        return computation.table(items)
    # lighteval's chrF and TER pass references in the wrong shape, so their scores are not sums of statistics.
    if type(computation) is not CorpusLevelTranslationMetric or computation.metric_type != "bleu":
        return None
    metric = sacrebleu.BLEU(trg_lang=computation.lang)
    predictions = [item.preds if isinstance(item.preds, str) else item.preds[0] for item in items]
    rows = metric._table(predictions, [[item.golds[0] for item in items]])
    return metric._metric_of_rows(rows.shape[1]), rows


take_missing_names(__name__)
