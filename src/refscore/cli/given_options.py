from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click

from refscore.cli.metric_options import MetricOptions
from refscore.cli.option_group import file_option, option_group
from refscore.errors import SettingError
from refscore.metrics import Given, Metric
from refscore.readers.system_scores import GivenScores, System
from refscore.settings import unknown_setting


@dataclass(frozen=True)
class GivenOptions:
    given: tuple[str, ...] = ()
    given_lower: tuple[str, ...] = ()
    given_missing: str = "error"

    def text_options(self, options: MetricOptions) -> MetricOptions:
        names = self._paths()
        others = [text for text in options.settings if _setting_name(text) not in names]
        return replace(options, settings=tuple(others))

    def text_metrics(self, options: MetricOptions, languages: str | None = None) -> dict[str, Metric[Any]]:
        """Return the metrics that score texts: those of -m, the default ones, or none for `-m none`."""
        return self.text_options(options).metrics(languages=languages, may_be_none=bool(self.given))

    def read(
        self, systems: Sequence[System], options: MetricOptions, metrics: Mapping[str, Metric[Any]]
    ) -> GivenScores | None:
        """Read the given scores of all systems; None if there are none. `metrics` are those that score texts."""
        paths = self._paths()
        for name in self.given_lower:
            if name not in paths:
                raise SettingError(f"--given-lower {name} needs its scores: add --given {name}=PATH")
        if not paths:
            if self.given_missing != "error":
                raise SettingError("--given-missing needs scores: add --given NAME=PATH")
            return None
        for name in paths:
            if name in metrics:
                raise SettingError(f"--given {name} has the name of a metric: choose a different name")
        given = {name: self._metric(name, options.settings) for name in paths}
        return GivenScores.read(given, paths, systems, _print_note)

    def _metric(self, name: str, texts: Sequence[str]) -> Given:
        settings: dict[str, Any] = {"missing": self.given_missing}
        if name in self.given_lower:
            settings["higher_is_better"] = False
        declared = Given.settings()
        for text in texts:
            if _setting_name(text) != name:
                continue
            key, _, value = text.partition("=")
            setting = key.rpartition(".")[2]
            if setting not in declared:
                raise unknown_setting(Given, setting)
            settings[setting] = declared[setting].parse(value)
        return Given(**{**settings, "name": name})

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


def _setting_name(text: str) -> str:
    """Return the name in a value of --set, NAME.SETTING=VALUE."""
    return text.partition("=")[0].rpartition(".")[0]


def _print_note(text: str) -> None:
    click.echo(f"refscore: note: {text}", err=True)


# The command gets a `GivenOptions` as `given_options`.
given_options = option_group(
    "given_options",
    GivenOptions,
    file_option(
        "--given",
        metavar="NAME=PATH",
        multiple=True,
        help="Scores of a different program, as in comet=scores/{system}.txt.",
    ),
    click.option("--given-lower", metavar="NAME", multiple=True, help="Lower scores of NAME are better."),
    click.option(
        "--given-missing",
        type=click.Choice(["error", "skip"]),
        default="error",
        help="Reject missing scores, or skip their segments for all systems.",
    ),
)
