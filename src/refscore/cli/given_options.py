"""The options for scores that a different program computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

from refscore.cli.metric_options import MetricOptions
from refscore.cli.option_group import option_group
from refscore.cli.systems import System
from refscore.errors import InputError, Location, SettingError
from refscore.metrics import Given, Metric, Rows
from refscore.readers.system_scores import ScoreColumn, read_system_scores
from refscore.settings import unknown_setting


@dataclass(frozen=True)
class GivenScores:
    """The metrics of given scores by label, and the scores of each system."""

    metrics: Mapping[str, Given]
    columns: Mapping[str, Sequence[ScoreColumn]]
    systems: Sequence[System]

    @property
    def files(self) -> list[str]:
        """The paths of all files."""
        return [*dict.fromkeys(column.file for columns in self.columns.values() for column in columns)]

    def rows(self, segments: int) -> dict[str, dict[str, list[Rows]]]:
        """Return the rows of each run by label and system. There must be one score per segment.

        If missing scores are skipped, a segment counts for no system unless all have a score. A note on stderr says how
        many segments are left out.
        """
        rows: dict[str, dict[str, list[Rows]]] = {}
        for label, metric in self.metrics.items():
            columns = self.columns[label]
            for system, column in zip(self.systems, columns, strict=True):
                column.check(system.name, segments)
            left_out = np.logical_or.reduce([column.missing() for column in columns])
            if left_out.any():
                self._note(label, left_out)
            for system, column in zip(self.systems, columns, strict=True):
                table = metric.stats(np.where(left_out, np.nan, column.values))
                rows.setdefault(label, {}).setdefault(system.name, []).append(table)
        return rows

    def _note(self, label: str, left_out: NDArray[np.bool_]) -> None:
        """Print how many segments are left out. All of them are an error."""
        count = int(left_out.sum())
        if count == len(left_out):
            files = Location(file=", ".join(dict.fromkeys(column.file for column in self.columns[label])))
            raise InputError(files, f"leaves no segment with a score of {label} for every system", "add scores")
        reason = "a system has no score for them" if len(self.systems) > 1 else "they have no score"
        click.echo(f"refscore: note: {label} leaves out {count:,} of {len(left_out):,} segments: {reason}", err=True)


@dataclass(frozen=True)
class GivenOptions:
    """The given scores, their direction, and what to do with missing ones."""

    given: tuple[str, ...] = ()
    given_lower: tuple[str, ...] = ()
    given_missing: str = "error"

    def text_options(self, options: MetricOptions) -> MetricOptions:
        """Return the options of metrics without settings of given scores."""
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
        pairs = [(system.name, system.file) for system in systems]
        columns = {name: read_system_scores(path, pairs, name) for name, path in paths.items()}
        scores = GivenScores(given, columns, systems)
        if self.given_missing == "error":
            _reject_missing(scores)
        return scores

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
        """Return the path of each name."""
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


def _reject_missing(scores: GivenScores) -> None:
    """Raise an error for the first missing score."""
    for label, columns in scores.columns.items():
        for system, column in zip(scores.systems, columns, strict=True):
            missing = column.missing()
            if missing.any():
                problem = f"has no {label} score of the system {system.name!r}"
                fix = "add it, or leave the segment out for all systems with --given-missing skip"
                raise InputError(column.locations[int(np.argmax(missing))], problem, fix)


# The command gets a `GivenOptions` as `given_options`.
given_options = option_group(
    "given_options",
    GivenOptions,
    click.option(
        "--given",
        metavar="NAME=PATH",
        multiple=True,
        help="Add scores of a different program: scores/{system}.txt, or a table or JSON file with all systems.",
    ),
    click.option("--given-lower", metavar="NAME", multiple=True, help="Lower scores of NAME are better."),
    click.option(
        "--given-missing",
        type=click.Choice(["error", "skip"]),
        default="error",
        help="Reject missing scores, or skip their segments for all systems.",
    ),
)
