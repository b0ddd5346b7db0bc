"""One parser of metric choices, for everything that takes metrics.

A choice is a metric; a name in any case; a name with a preset (`bleu:nltk`); a preset's own name (`chrf++`, `rougeL`);
or the path of a class (`package.module:Class`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from refscore.errors import SettingError, UnknownNameError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.registry import METRICS, is_class_path, load_class

MetricChoice: TypeAlias = "str | Metric[Any]"
MetricChoices: TypeAlias = "MetricChoice | Iterable[MetricChoice] | Mapping[str, MetricChoice]"


def parse_name(text: str) -> tuple[str, type[Metric[Any]], str | None]:
    """Return the label, the class and the preset that a text asks for."""
    name, colon, preset = text.partition(":")
    known = METRICS.get(name.lower())
    if known is not None and (not colon or preset in known.presets):
        return known.name + colon + preset, known, preset if colon else None
    if colon and is_class_path(text):  # also if its module has the name of a metric
        metric = load_class(text)
        return metric.name, metric, None
    if known is not None:
        raise UnknownNameError.suggest(f"preset of {known.name}", preset, known.presets)
    alias = None if colon else _alias(name)
    if alias is None:
        raise UnknownNameError.suggest("metric", name, metric_names())
    return alias[1], *alias


def _alias(name: str) -> tuple[type[Metric[Any]], str] | None:
    """The metric and the preset of an alias: presets whose names begin with their metric's."""
    for metric_name in METRICS:
        if name.lower().startswith(metric_name):
            for preset in METRICS[metric_name].presets:
                if preset.lower() == name.lower():
                    return METRICS[metric_name], preset
    return None


def metric_names() -> list[str]:
    """Return the names of all metrics, and the presets that are known by names of their own."""
    presets = [preset for name in METRICS for preset in METRICS[name].presets if preset.startswith(name)]
    return [*METRICS, *presets]


def parse_metric(choice: MetricChoice, *, for_segments: bool = False, **settings: Any) -> tuple[str, Metric[Any]]:
    """Return the label and the metric of a choice.

    Args:
        choice: A metric, or a text that asks for one.
        for_segments: Give a metric that is chosen by its bare name the settings for single segments.
        **settings: Settings of a metric that is chosen by a text.

    Example:
        >>> parse_metric("bleu:nltk")[0], parse_metric("BLEU", for_segments=True)[1].effective_order
        ('bleu:nltk', True)
    """
    if isinstance(choice, Metric):
        if settings:
            raise SettingError(f"{next(iter(settings))} is a setting: pass it to {type(choice).__name__}(…) itself")
        return choice.name, choice
    if not isinstance(choice, str):
        raise UnknownNameError.suggest("metric", choice, METRICS)
    label, metric, preset = parse_name(choice)
    given_preset = settings.pop("preset", None)
    if preset is not None and given_preset not in (None, preset):
        raise SettingError(f"{choice!r} names a preset, and preset={given_preset!r} another: leave one of them out")
    preset = given_preset if preset is None else preset
    start = metric.segment_settings if for_segments and preset is None else {}
    return label, metric.with_settings({"preset": preset, **start, **settings})


def parse_metrics(choices: MetricChoices, *, for_segments: bool = False) -> dict[str, Metric[Any]]:
    """Return the metrics of one or several choices, under their labels.

    Args:
        choices: One choice, several, or a mapping from labels of your own to choices.
        for_segments: Give metrics that are chosen by their bare names the settings for single segments.

    Example:
        >>> import refscore
        >>> list(parse_metrics(["bleu", "chrf++", refscore.TER()]))
        ['bleu', 'chrf++', 'ter']
    """
    if isinstance(choices, (str, Metric)):
        choices = (choices,)
    if not isinstance(choices, Iterable):
        raise SettingError(f"metrics must be names of metrics, or metrics, not {choices!r}")
    metrics: dict[str, Metric[Any]] = {}
    for entry in choices.items() if isinstance(choices, Mapping) else ((None, choice) for choice in choices):
        given, choice = entry
        label, metric = parse_metric(choice, for_segments=for_segments)
        label = label if given is None else given
        if not isinstance(label, str) or not label:
            raise SettingError(f"a metric's label must be a text, not {label!r}")
        if label in metrics:
            raise SettingError(f"there are two metrics of the name {label!r}: pass a dictionary with names of your own")
        metrics[label] = metric
    if not metrics:
        raise SettingError(f"no metric is given (there are: {', '.join(METRICS)})")
    return metrics


def metric_titles(metrics: Mapping[str, Metric[Any]]) -> dict[str, str]:
    """Return the title of each metric under its label; several metrics with one title have their labels in it."""
    plain = [metric.title for metric in metrics.values()]
    titles: dict[str, str] = {}
    for label, metric in metrics.items():
        detail = label.partition(":")[2] or (label if label != metric.name else "")
        title = f"{metric.title} ({detail})" if detail and plain.count(metric.title) > 1 else metric.title
        titles[label] = f"{metric.title} ({label})" if title in titles.values() else title
    return titles
