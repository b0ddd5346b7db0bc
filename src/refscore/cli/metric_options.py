from __future__ import annotations

import functools
import os
import re
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from refscore.cli.option_group import option_group
from refscore.errors import ALL_METRICS, SettingError, SignatureWarning, UnknownNameError
from refscore.metrics import (
    DEFAULT_METRICS,
    METRICS,
    Metric,
    NamedMetric,
    RowMetric,
    from_signature,
    metric_names,
    parse_name,
    text_metric,
)
from refscore.settings import unknown_setting

if TYPE_CHECKING:
    from refscore.evaluation import Evaluation
    from refscore.readers.system_scores import System

# The value of -m for commands that also accept scores from other programs.
NO_METRIC = "none"


@dataclass(frozen=True)
class MetricOptions:
    names: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    preset: str | None = None
    signatures: tuple[str, ...] = ()
    recorded: Evaluation | None = None  # has the default metrics

    def with_record(self, systems: Iterable[System]) -> MetricOptions:
        """Return the options with the metrics of the first record among the systems as the default ones."""
        record = next((system.record for system in systems if system.record is not None), None)
        is_chosen = any((self.names, self.settings, self.preset, self.signatures))
        return self if is_chosen else replace(self, recorded=record)

    def metrics(
        self,
        default: Sequence[str] = DEFAULT_METRICS,
        languages: str | None = None,
        *,
        for_segments: bool = False,
        may_be_none: bool = False,
    ) -> dict[str, Metric[Any]]:
        """Return the chosen metrics by label, or the default ones.

        Metrics without a preset get the settings for the target language of a pair such as en-zh and, with
        `for_segments`, those for single segments. `may_be_none` allows `-m none`, which chooses no metric.
        """
        if self.recorded is not None:
            return {**self.recorded.metrics}  # type: ignore[dict-item]
        if not may_be_none and self.names == (NO_METRIC,):
            raise SettingError("-m none needs --given, or choose a metric")
        chosen = self._named_metrics(default, languages, for_segments)
        for text in self.signatures:
            metric = _read_signature(text)
            label, number = metric.name, 2
            while label in chosen:
                label, number = f"{metric.name}-{number}", number + 1
            chosen[label] = metric
        return chosen

    def warn_about_references(self, evaluation: Evaluation, *, quiet: bool) -> None:
        """Print a warning if a published signature has a different number of references per segment than the data."""
        if quiet or not self.signatures:
            return
        actual = next(filter(None, map(_reference_count, evaluation.signatures.values())), "")
        for published in map(_reference_count, self.signatures):
            if published and actual and published != actual:
                problem = f"the signature has {published} references per segment, but the data has {actual}"
                click.echo(f"refscore: warning: {problem}: check the files of -r", err=True)

    def segment_metrics(self, metrics: Mapping[str, RowMetric[Any]], languages: str | None = None) -> dict[str, Any]:
        """Return the metrics for single segments. They have the same rows as those that `metrics` returned."""
        if self.recorded is not None:
            return {label: self.recorded.segment_metrics.get(label, metric) for label, metric in metrics.items()}
        named = self._named_metrics(DEFAULT_METRICS, languages, for_segments=True)
        return {
            label: named[label] if label in named and not named[label].needs_fit else metric
            for label, metric in metrics.items()
        }

    def _named_metrics(
        self, default: Sequence[str], languages: str | None, for_segments: bool
    ) -> dict[str, Metric[Any]]:
        if self.names == (NO_METRIC,):
            if self.settings or self.preset:
                raise SettingError("-m none has no metric for --set or --preset: leave them out, or choose a metric")
            return {}
        names = [name.strip() for text in self.names for name in text.split(",") if name.strip()]
        if self.names and not names:
            raise SettingError(f"-m names no metric (there are: {', '.join(METRICS)})")
        if not names and not self.signatures:
            names = list(default)
        if self.preset is not None and not names:
            raise SettingError("--preset needs metrics: choose them with -m")
        parsed = [
            parse_metric_name(name) for name in names
        ]  # before the settings, because it registers classes given by path
        settings = parse_settings(self.settings)
        chosen: dict[str, Metric[Any]] = {}
        for named in parsed:
            label, metric_class, preset, _ = named
            if label in chosen:
                raise SettingError(f"-m names {label!r} twice")
            start: Mapping[str, Any] = {}
            if preset is None and self.preset is not None:
                self._check_preset(metric_class)
                start = {"preset": self.preset}
            elif languages and preset is None and [other.metric_class for other in parsed].count(metric_class) == 1:
                start = metric_class.settings_for_language(languages.rpartition("-")[2])
            given = {
                **parse_for_all(settings, metric_class),
                **settings.get(metric_class.name, {}),
                **settings.get(label, {}),
            }
            chosen[label] = named.metric(for_segments=for_segments, **{**start, **given})
        for setting in settings.pop(ALL_METRICS, {}):
            if not any(setting in metric.settings() for metric in chosen.values()):
                known = {name for metric in chosen.values() for name in metric.settings()}
                raise UnknownNameError.suggest(f"setting of {', '.join(chosen)}", setting, known)
        unused = sorted(settings.keys() - chosen.keys() - {metric.name for metric in chosen.values()})
        if unused:
            raise SettingError(f"--set {unused[0]}.… needs the metric: add -m {unused[0]}")
        return chosen

    def _check_preset(self, metric_class: type[Metric[Any]]) -> None:
        if self.preset in metric_class.presets:
            return
        having = [other.name for other in METRICS.values() if self.preset in other.presets]
        if having:
            raise SettingError(
                f"{metric_class.name} has no preset {self.preset!r} (metrics that have it: {', '.join(having)}): "
                f"choose presets per metric, as in -m {having[0]}:{self.preset},{metric_class.name}"
            )


def parse_metric_name(name: str) -> NamedMetric:
    """Return the metric with a name. Metrics in modules of the current directory can be named too."""
    sys.path.insert(0, "")  # as `python -m` does
    try:
        return parse_name(name)
    except UnknownNameError:
        if ":" in name or not os.path.isfile(f"{name}.py"):
            raise
        fix = f"name the class in {name}.py, as in {name}:MyMetric"
        raise UnknownNameError(f"unknown metric {name!r}: {fix}") from None
    finally:
        with suppress(ValueError):
            sys.path.remove("")


def parse_settings(texts: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the settings in values of --set, by the labels of their metrics.

    The bare name of a metric applies to all metrics of its class: `bleu` also sets `bleu:nltk`. The values of `*` are
    texts, since metrics may read them differently.
    """
    settings: dict[str, dict[str, Any]] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        name, dot, setting = key.rpartition(".")
        if not equals or not dot:
            is_setting = equals and key.isidentifier()
            fixed = f"{_setting_name(key)}={value}"
            example = f"bleu.{fixed} or '*.{fixed}' for all metrics" if is_setting else "bleu.smoothing=floor"
            raise SettingError(f"--set {text!r} is not METRIC.SETTING=VALUE: write, for example, {example}")
        if name == ALL_METRICS:
            settings.setdefault(name, {})[setting] = value
            continue
        label, metric_class, *_ = parse_metric_name(name)
        declared = metric_class.settings()
        if setting not in declared:
            raise unknown_setting(metric_class, setting)
        settings.setdefault(label, {})[setting] = declared[setting].parse(value)
    return settings


def _setting_name(name: str) -> str:
    """Return the name of a setting that other tools call differently."""
    declared = METRICS[DEFAULT_METRICS[0]].settings()
    return next((known for known, entry in declared.items() if name in entry.other_names), name)


def parse_for_all(settings: Mapping[str, Mapping[str, Any]], metric_class: type[Metric[Any]]) -> dict[str, Any]:
    if ALL_METRICS not in settings:
        return {}
    declared = metric_class.settings()
    return {name: declared[name].parse(text) for name, text in settings[ALL_METRICS].items() if name in declared}


def reject_unfitted(metrics: Mapping[str, Metric[Any]], advice: str) -> None:
    """Raise a SettingError with advice if a metric must see all references first."""
    for metric in metrics.values():
        if metric.needs_fit:
            raise SettingError(f"{metric.name} needs all references for its weights, not only a part: {advice}")


def _reference_count(signature: str) -> str:
    """Return the number of references in a signature of refscore or sacrebleu: a number or var, empty for none."""
    found = re.search(r"(?:^|[|+])(?:nrefs:|#:|numrefs\.)(\w+)", signature)
    return found[1] if found else ""


def _read_signature(text: str) -> Metric[Any]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SignatureWarning)
        metric = text_metric(from_signature(text))
    for warning in caught:
        click.echo(f"refscore: note: {warning.message}", err=True)
    return metric


def _complete_metric(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    done, comma, begun = incomplete.rpartition(",")
    presets = [f"{name}:{preset}" for name in METRICS for preset in METRICS[name].presets]
    return [done + comma + name for name in [*metric_names(), *presets] if name.startswith(begun)]


settings_option = click.option(
    "--set",
    "settings",
    metavar="METRIC.SETTING=VALUE",
    multiple=True,
    help="A setting, as in bleu.tokenizer=zh.",
)

preset_option = functools.partial(
    click.option, "--preset", metavar="NAME", help="The preset of all metrics, such as sacrebleu."
)

# The command gets a `MetricOptions` as `metric_options`.
metric_options = option_group(
    "metric_options",
    MetricOptions,
    click.option(
        "-m",
        "--metric",
        "names",
        metavar="NAMES",
        multiple=True,
        shell_complete=_complete_metric,
        help="Metrics: bleu,chrf++, bleu:nltk (a preset), or module:Class.",
    ),
    settings_option,
    preset_option(),
    click.option(
        "--signature",
        "signatures",
        metavar="TEXT",
        multiple=True,
        help="Add the metric with a published signature of refscore or sacrebleu.",
    ),
)
