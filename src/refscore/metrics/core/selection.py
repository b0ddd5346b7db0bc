"""Metrics by what people call them: a name, a name with a preset (`bleu:nltk`), or a preset's own name (`chrf++`)."""

from __future__ import annotations

from typing import Any

from refscore.errors import UnknownNameError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.registry import METRICS


def read_name(asked: str) -> tuple[str, type[Metric[Any]], str | None]:
    """The label, the class and the preset that are asked for; names may be in capitals.

    Example:
        >>> read_name("BLEU")
        ('bleu', <class 'refscore.metrics.bleu.metric.BLEU'>, None)
        >>> read_name("chrf++")
        ('chrf++', <class 'refscore.metrics.chrf.metric.CHRF'>, 'chrf++')
    """
    name, colon, preset = asked.partition(":")
    kind = METRICS.get(name.lower())
    if kind is not None:
        if colon and preset not in kind.presets:
            raise UnknownNameError.of(f"preset of {kind.name}", preset, kind.presets)
        return kind.name + colon + preset, kind, preset if colon else None
    presets = own_names()
    if name.lower() in presets and not colon:
        kind, preset = presets[name.lower()]
        return preset, kind, preset
    raise UnknownNameError.of("metric", name, [*METRICS, *(preset for _, preset in presets.values())])


def own_names() -> dict[str, tuple[type[Metric[Any]], str]]:
    """Presets that are known by a name of their own, which starts with the metric's: chrf++, rouge1.

    Example:
        >>> own_names()["rougel"]
        (<class 'refscore.metrics.rouge.metric.ROUGE'>, 'rougeL')
    """
    return {
        preset.lower(): (kind, preset)
        for kind in METRICS.values()
        for preset in kind.presets
        if preset.startswith(kind.name)
    }


def segment_metric(metric: str | Metric[Any]) -> Metric[Any]:
    """The metric by which single segments are scored; of BLEU by name alone, it is sacrebleu's `sentence_bleu`.

    Args:
        metric: A name, also with a preset; or a metric, which is taken as it is.

    Example:
        >>> segment_metric("bleu").effective_order, segment_metric("bleu:nltk").effective_order
        (True, False)
    """
    if isinstance(metric, Metric):
        return metric
    if not isinstance(metric, str):
        raise UnknownNameError.of("metric", metric, METRICS)
    _, kind, preset = read_name(metric)
    return kind.of({"preset": "sacrebleu-sentence" if kind.name == "bleu" and preset is None else preset})
