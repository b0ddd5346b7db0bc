"""Which metrics a data frame is scored by, and under which names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from refscore.errors import SettingError, UnknownNameError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.registry import METRICS
from refscore.metrics.core.selection import read_name, segment_metric

OneMetric = str | Metric[Any]
Metrics = OneMetric | Iterable[OneMetric] | Mapping[str, OneMetric]


def corpus_metrics(metrics: Metrics) -> dict[str, Metric[Any]]:
    """The metrics of corpora, under their labels.

    >>> list(corpus_metrics(["bleu", "chrf++"]))
    ['bleu', 'chrf++']
    """
    return _labelled(metrics, _corpus_metric)


def segment_metrics(metrics: Metrics) -> dict[str, Metric[Any]]:
    """The metrics of single segments, under their labels; of BLEU by name alone, it is sacrebleu's `sentence_bleu`.

    >>> segment_metrics("bleu")["bleu"].effective_order
    True
    """
    return _labelled(metrics, segment_metric)


def segment_metric_of(name: str, settings: Mapping[str, Any]) -> Metric[Any]:
    """A metric of single segments with some settings; BLEU starts from the preset "sacrebleu-sentence".

    >>> segment_metric_of("bleu", {"max_order": 2}).effective_order
    True
    """
    start = {"preset": "sacrebleu-sentence"} if name == "bleu" else {}
    return METRICS[name].with_settings({**start, **settings})


def _labelled(metrics: Metrics, make: Callable[[OneMetric], Metric[Any]]) -> dict[str, Metric[Any]]:
    if isinstance(metrics, (str, Metric)):
        metrics = [metrics]
    if not isinstance(metrics, Iterable):
        raise SettingError(f"metrics must be names of metrics, or metrics, not {metrics!r}")
    named = metrics.items() if isinstance(metrics, Mapping) else ((_label(metric), metric) for metric in metrics)
    made: dict[str, Metric[Any]] = {}
    for label, metric in named:
        if label in made:
            raise SettingError(f"there are two metrics of the name {label!r}: pass a dictionary with names of your own")
        made[label] = make(metric)
    if not made:
        raise SettingError(f"no metric is given (there are: {', '.join(METRICS)})")
    return made


def _label(metric: OneMetric) -> str:
    if isinstance(metric, Metric):
        return metric.name
    if not isinstance(metric, str):
        raise UnknownNameError.suggest("metric", metric, METRICS)
    return read_name(metric)[0]


def _corpus_metric(metric: OneMetric) -> Metric[Any]:
    if isinstance(metric, Metric):
        return metric
    if not isinstance(metric, str):
        raise UnknownNameError.suggest("metric", metric, METRICS)
    _, kind, preset = read_name(metric)
    return kind.with_settings({"preset": preset})
