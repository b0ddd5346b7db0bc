"""The parser for metric choices, in every function and command that takes metrics.

A choice is:

- a metric
- a name, in upper or lower case (`bleu`)
- a name with a preset (`bleu:nltk`)
- a preset name that includes its metric (`chrf++`, `rougeL`)
- a printed heading (`chrF2++`, `ROUGE-3`, `BLEU (nltk)`)
- a class path (`package.module:Class`)
- a meeting error rate (`cpwer`), where rows are enough
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from refscore.errors import Argument, SettingError, UnknownNameError, look_up
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.registry import METRICS, class_without_text, is_class_path, load_class, loaded_metrics
from refscore.metrics.core.row_metric import RowMetric

MetricChoice: TypeAlias = "str | RowMetric[Any]"
MetricChoices: TypeAlias = "MetricChoice | Iterable[MetricChoice] | Mapping[str, MetricChoice]"

# The metrics for functions and commands, if the user chooses none.
DEFAULT_METRICS = ("bleu", "chrf", "ter")

# Parts in the names of metrics that run a neural network.
_NEURAL_METRICS = ("bartscore", "bertscore", "bleurt", "comet", "gemba", "metricx", "moverscore", "yisi")


class NamedMetric(NamedTuple):
    """A parsed name: the label in results, the class, the preset, and settings in the name."""

    label: str
    metric_class: type[Metric[Any]]
    preset: str | None = None
    settings: Mapping[str, Any] = {}

    def metric(self, *, for_segments: bool = False, **settings: Any) -> Metric[Any]:
        """Return the metric.

        Args:
            for_segments: Use the settings for single segments, unless there is a preset.
            **settings: Settings that replace those in the name.
        """
        preset = settings.pop("preset", None)
        if self.preset is not None and preset not in (None, self.preset):
            raise SettingError(f"{self.label!r} and preset={preset!r} name different presets: omit one of them")
        preset = preset if self.preset is None else self.preset
        start = self.metric_class.segment_settings if for_segments and preset is None else {}
        return self.metric_class.with_settings({"preset": preset, **start, **self.settings, **settings})


def parse_name(text: str) -> NamedMetric:
    """Parse a metric name, or a class path, which is imported."""
    name, colon, preset = text.partition(":")
    known = METRICS.get(name.lower())
    if known is not None and not colon:  # the usual case
        return NamedMetric(known.name, known)
    if colon and (known is None or preset not in known.presets) and is_class_path(text):
        metric = load_class(text)  # even if the module has the name of a metric
        return NamedMetric(metric.name, metric)
    return _parse_name_or_heading(text, _unknown_name_or_path)


def parse_listed_name(text: str) -> NamedMetric:
    """Parse a metric name in `METRICS`. This never imports a module that the text names."""
    return _parse_name_or_heading(text, unknown_metric)


def _parse_name_or_heading(text: str, unknown: Callable[[str], UnknownNameError]) -> NamedMetric:
    heading = re.fullmatch(r"(.+) \((.+)\)", text)
    if heading is None:
        return _parse_plain_name(text, unknown)
    title, detail = heading.groups()  # of `metric_titles`
    metric_class = _parse_plain_name(title, unknown).metric_class
    return _parse_plain_name(f"{metric_class.name}:{detail}" if detail in metric_class.presets else detail, unknown)


def _parse_plain_name(text: str, unknown: Callable[[str], UnknownNameError]) -> NamedMetric:
    name, colon, preset = text.partition(":")
    known = METRICS.get(name.lower())
    if known is None and colon:  # CharacTER:cer
        known = next((each for each in loaded_metrics() if each.display_name.lower() == name.lower()), None)
    if known is not None:
        if colon and preset not in known.presets:
            raise _unknown_preset(known, preset)
        return NamedMetric(known.name + colon + preset, known, preset if colon else None)
    other = class_without_text(name.lower())
    if other is not None and other.text_fix:
        raise _scores_no_text(other, other.display_name)
    parsed = _parse_preset(name) or _parse_title(name)
    if parsed is None:
        raise unknown(text)
    return _with_preset(parsed, preset) if colon else parsed


def _with_preset(named: NamedMetric, preset: str) -> NamedMetric:
    """Return a metric named by a title or a preset, such as `em` or `rougeL`, with another preset."""
    kind = named.metric_class
    start: Any = {} if named.preset is None else kind.presets[named.preset]
    if preset in kind.presets:
        return NamedMetric(f"{named.label}:{preset}", kind, preset, {**start, **named.settings})
    if named.preset is not None and _letters(preset) == _letters(start.tool):  # rougeL:rouge_score
        return named
    raise _unknown_preset(kind, preset)


def _unknown_preset(metric: type[Metric[Any]], preset: str) -> UnknownNameError:
    """Return the error for a name after a colon, which may be a tokenizer or a normalizer instead of a preset."""
    from refscore.normalizers import available as normalizers
    from refscore.tokenizers import available as tokenizers

    kinds = (("tokenizer", "tokenizer", tokenizers), ("normalize", "normalizer", normalizers))
    for setting, kind, available in kinds:
        if setting in metric.settings() and preset in available():
            fix = Argument(setting, preset, metric.name)
            return UnknownNameError(f"unknown preset of {metric.name} {preset!r}: it is a {kind}, so use {fix}")
    return UnknownNameError.suggest(f"preset of {metric.name}", preset, metric.presets)


def _unknown_name_or_path(text: str) -> UnknownNameError:
    """Return the error for a text that names neither a metric nor, with a colon, a class."""
    import difflib  # slow to import, and only needed for errors

    module, colon, _ = text.partition(":")
    if not colon or "|" in text:
        return unknown_metric(text)
    near = difflib.get_close_matches(module.lower(), [name.lower() for name in metric_names()], n=1, cutoff=0.7)
    fix = f"did you mean {near[0]!r}?" if near else "name an installed module, or one in the current directory"
    return UnknownNameError(f"unknown metric {text!r}: there is no metric and no module {module!r}; {fix}")


def _letters(name: str) -> str:
    return re.sub("[^a-z]", "", name.lower())


def unknown_metric(name: object) -> UnknownNameError:
    letters = _letters(str(name))
    if isinstance(name, str) and "|" in name:
        fix = "pass it to refscore.from_signature, or on the command line with --signature"
        return UnknownNameError(f"unknown metric {name!r}: it is a signature, so {fix}")
    if any(neural in letters for neural in _NEURAL_METRICS):
        fix = "pass its scores with --given NAME=PATH, or as refscore.Given"
        return UnknownNameError(f"{name!r} is a neural metric, which refscore does not have: {fix}")
    if letters in ("mer", "wil", "wip"):
        fix = f"it is part of the score of wer, as in refscore.wer(…).{letters}, and --format json prints it"
        return UnknownNameError(f"unknown metric {name!r}: {fix}")
    if letters in ("spbleu", "flores"):
        bleu = f"bleu with {Argument('tokenizer', 'flores200', 'bleu')}"
        return UnknownNameError(f"unknown metric {name!r}: it is BLEU of sentencepiece tokens, so choose {bleu}")
    if isinstance(name, str) and "," in name:
        parts = [part.strip() for part in name.split(",")]
        return UnknownNameError(f"unknown metric {name!r}: pass a list of names, as in {parts}")
    return UnknownNameError.suggest("metric", name, metric_names())


def _parse_preset(name: str) -> NamedMetric | None:
    for metric_name in METRICS:
        if name.lower().startswith(metric_name):
            for preset in METRICS[metric_name].presets:
                if preset.lower() == name.lower():
                    return NamedMetric(preset, METRICS[metric_name], preset)
    return None


def _parse_title(title: str) -> NamedMetric | None:
    """Parse a printed title, or None if there is none. If a preset has this title, its name is the label."""
    for metric_class in loaded_metrics():
        settings = metric_class.parse_title(title)
        if settings is None:
            continue
        metric = metric_class(**settings)
        for preset in metric_class.presets:
            if preset.startswith(metric_class.name) and metric_class.preset(preset) == metric:
                return NamedMetric(preset, metric_class, preset)
        if metric == metric_class():
            return NamedMetric(metric_class.name, metric_class)
        return NamedMetric(metric.title.replace("-", "").lower(), metric_class, None, settings)
    return None


def metric_names() -> list[str]:
    """Return all metric names, and presets that begin with their metric's name."""
    presets = [preset for name in METRICS for preset in METRICS[name].presets if preset.startswith(name)]
    return [*dict.fromkeys([*METRICS, *presets])]


def parse_metric(choice: MetricChoice, *, for_segments: bool = False, **settings: object) -> tuple[str, Metric[Any]]:
    """Return the label and the metric for a choice, which must score text.

    Example:
        >>> parse_metric("bleu:nltk")[0], parse_metric("BLEU", for_segments=True)[1].effective_order
        ('bleu:nltk', True)
    """
    label, metric = parse_row_metric(choice, for_segments=for_segments, **settings)
    return label, text_metric(metric)


def parse_row_metric(
    choice: MetricChoice, *, for_segments: bool = False, **settings: Any
) -> tuple[str, RowMetric[Any]]:
    """Return the label and the metric for a choice.

    Args:
        choice: A metric or its name.
        for_segments: Use the settings for single segments if the choice is a bare name.
        **settings: Settings, if the choice is a name.
    """
    if isinstance(choice, RowMetric):
        if settings:
            raise SettingError(
                f"{next(iter(settings))} is a setting of the metric: pass it to {type(choice).__name__}(…)"
            )
        return choice.name, choice
    if not isinstance(choice, str):
        raise unknown_metric(choice)
    name, colon, preset = choice.partition(":")
    other = class_without_text(name.lower())
    if other is not None and other.text_fix:
        start = look_up(f"preset of {other.name}", preset, other.presets) if colon else {}
        return other.name + colon + preset, other(**{**start, **settings})
    named = parse_name(choice)
    return named.label, named.metric(for_segments=for_segments, **settings)


def text_metric(metric: RowMetric[Any]) -> Metric[Any]:
    """Return a metric that scores text, or raise an error for one that only scores rows."""
    if not isinstance(metric, Metric):
        raise _scores_no_text(type(metric), metric.title, metric.name)
    return metric


def _scores_no_text(kind: type[RowMetric[Any]], title: str, name: str = "") -> SettingError:
    rows = f"pass its rows, as in refscore.compare(..., rows={{{name!r}: ...}}), or its scores with --given {name}=PATH"
    return SettingError(f"{title} does not score text: {kind.text_fix or rows}")


def parse_metrics(choices: MetricChoices, *, for_segments: bool = False) -> dict[str, Metric[Any]]:
    """Return the metrics for one or several choices, by label. All must score text.

    Example:
        >>> import refscore
        >>> list(parse_metrics(["bleu", "chrf++", refscore.TER()]))
        ['bleu', 'chrf++', 'ter']
    """
    metrics = parse_row_metrics(choices, for_segments=for_segments)
    return {label: text_metric(metric) for label, metric in metrics.items()}


class ParsedMetrics(dict[str, RowMetric[Any]]):
    """Metrics by label that were parsed. Parsing them again returns them."""


def parse_row_metrics(choices: MetricChoices, *, for_segments: bool = False) -> ParsedMetrics:
    """Return the metrics for one or several choices, by label.

    Args:
        choices: One choice, several choices, or a mapping from labels to choices.
        for_segments: Use the settings for single segments for choices that are bare names.
    """
    if isinstance(choices, ParsedMetrics):
        return choices
    if isinstance(choices, (str, RowMetric)):
        choices = (choices,)
    if not isinstance(choices, Iterable):
        raise SettingError(f"metrics must be metrics or their names, not {choices!r}")
    metrics = ParsedMetrics()
    for entry in choices.items() if isinstance(choices, Mapping) else ((None, choice) for choice in choices):
        given, choice = entry
        label, metric = parse_row_metric(choice, for_segments=for_segments)
        label = label if given is None else given
        if not isinstance(label, str) or not label:
            raise SettingError(f"a metric's label must be a string that is not empty, not {label!r}")
        if label in metrics:
            raise SettingError(f"two metrics have the name {label!r}: pass a dictionary with different labels")
        metrics[label] = metric
    if not metrics:
        raise SettingError(f"metrics is empty: pass at least one (there are: {', '.join(METRICS)})")
    return metrics


def decimals(metric: RowMetric[Any], digits: int | None) -> int:
    """Return `digits`, or else the decimals that the metric declares, or else 2."""
    return next(number for number in (digits, metric.digits, 2) if number is not None)


def metric_titles(metrics: Mapping[str, RowMetric[Any]]) -> dict[str, str]:
    """Return each metric's title by label. Metrics with the same title get their labels in parentheses."""
    plain = [metric.title for metric in metrics.values()]
    titles: dict[str, str] = {}
    for (label, metric), name in zip(metrics.items(), plain, strict=True):
        detail = label.partition(":")[2] or (label if label != metric.name else "")
        title = f"{name} ({detail})" if detail and plain.count(name) > 1 else name
        titles[label] = f"{name} ({label})" if title in titles.values() else title
    return titles
