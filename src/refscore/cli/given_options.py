from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click

from refscore.cli.metric_options import NO_METRIC, MetricOptions
from refscore.cli.option_group import file_option, option_group
from refscore.errors import SettingError
from refscore.metrics import METRICS, Given, Metric
from refscore.readers.system_scores import GivenScores, System
from refscore.settings import unknown_setting


@dataclass(frozen=True)
class GivenOptions:
    """The scores that a different program computed. --set has their settings, as for metrics."""

    given: tuple[str, ...] = ()

    def text_options(self, options: MetricOptions) -> MetricOptions:
        """Return the options without the settings of given scores, and without their names after -m."""
        given = self._paths()
        settings = tuple(text for text in options.settings if _split(text)[0] not in given)
        chosen = [name.strip() for text in options.names for name in text.split(",")]
        names = tuple(name for name in chosen if name not in given or name in METRICS)
        only_given = bool(chosen) and not names
        return replace(options, settings=settings, names=(NO_METRIC,) if only_given else names)

    def text_metrics(self, options: MetricOptions, languages: str | None = None) -> dict[str, Metric[Any]]:
        """Return the metrics that score texts: the ones after -m, the default ones, or none for `-m none`."""
        metrics = self.text_options(options).metrics(languages=languages, may_be_none=bool(self.given))
        given = self._paths() if options.recorded is not None else ()
        return {label: metric for label, metric in metrics.items() if label not in given}

    def read(
        self, systems: Sequence[System], options: MetricOptions, metrics: Mapping[str, Metric[Any]]
    ) -> GivenScores | None:
        """Read the given scores of all systems, or None if there are none. `metrics` score texts."""
        paths = self._paths()
        systems = [system for system in systems if system.record is None]
        if not paths or not systems:
            return None
        for name in paths:
            if name in metrics:
                raise SettingError(f"--given {name} has the name of a metric: choose a different name")
        given = {name: _parse_given(name, options.settings) for name in paths}
        return GivenScores.read(given, paths, systems, lambda note: click.echo(f"refscore: note: {note}", err=True))

    def _paths(self) -> dict[str, str]:
        paths: dict[str, str] = {}
        for text in self.given:
            name, equals, path = text.partition("=")
            if not equals or not name or not path:
                raise SettingError(
                    f"--given {text!r} is not NAME=PATH: write, for example, comet=scores/{{system}}.txt"
                )
            if name in paths:
                raise SettingError(f"--given names {name!r} twice")
            paths[name] = path
        return paths


def _parse_given(name: str, texts: Sequence[str]) -> Given:
    settings: dict[str, Any] = {}
    declared = Given.settings()
    for label, setting, value in map(_split, texts):
        if label == name:
            if setting not in declared:
                raise unknown_setting(Given, setting)
            settings[setting] = declared[setting].parse(value)
    return Given(**{**settings, "name": name})


def _split(text: str) -> tuple[str, str, str]:
    """Return the parts of a value of --set, NAME.SETTING=VALUE."""
    key, _, value = text.partition("=")
    name, _, setting = key.rpartition(".")
    return name, setting, value


# The command gets a `GivenOptions` as `given_options`.
given_options = option_group(
    "given_options",
    GivenOptions,
    file_option(
        "--given",
        metavar="NAME=PATH",
        multiple=True,
        help="Other scores, as in comet=scores/{system}.txt.",
    ),
)
