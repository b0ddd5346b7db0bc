"""What new outputs must satisfy, and the file that says so."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias

from refscore.errors import InputError, Location, NotInstalledError, SettingError, UnknownNameError
from refscore.settings import Flag, Number, OrNone, Share, WholeNumber, choice, setting
from refscore.significance import Resampling, Tests
from refscore.significance.settings import ALPHA

Undecided: TypeAlias = Literal["pass", "fail"]
# The criteria that may differ by metric.
BY_METRIC = ("margin", "floor")
_TABLE = ("tool", "refscore", "gate")


@dataclass(frozen=True, kw_only=True)
class Criteria(Resampling):
    """What the gate requires of new outputs. Margins and floors are on the printed scale, such as 0.5 BLEU points.

    Example:
        >>> from refscore.gate import Criteria
        >>> Criteria(margin=0.5).tests.alpha
        0.05
        >>> Criteria(margin=-1)
        Traceback (most recent call last):
        refscore.errors.SettingError: margin must be a number of at least 0, not -1
    """

    name = "gate"

    margin: float | None = setting(
        None,
        "The largest loss that is acceptable, in printed points. Fail if the interval of the loss is beyond it.",
        OrNone(Number(0)),
        key="margin",
    )
    only_margin: bool = setting(False, "Accept a significant loss within the margin.", Flag(), key="only_margin")
    floor: float | None = setting(
        None,
        "The worst score that is acceptable, in printed points. For error rates it is the largest one.",
        OrNone(Number()),
        key="floor",
    )
    max_empty: float | None = setting(
        0.01,
        "The largest share of empty outputs for references with text.",
        OrNone(Number(0, 1)),
        key="max_empty",
    )
    max_loops: float | None = setting(
        0.01,
        "The largest share of outputs with a loop, if their references have none.",
        OrNone(Number(0, 1)),
        key="max_loops",
    )
    allow_warnings: bool = setting(
        False, "Accept warnings about the data that the baseline does not have.", Flag(), key="allow_warnings"
    )
    undecided: Undecided = choice(
        "pass",
        "Whether to pass if there are too few segments to decide.",
        {"pass": "pass", "fail": "fail"},
        key="undecided",
    )
    holm: bool = setting(
        False,
        "Correct p-values for the number of metrics and groups, by Holm's method, and the intervals of margins by "
        "Bonferroni's.",
        Flag(),
        key="holm",
    )
    alpha: float = ALPHA
    power: float = setting(
        0.8, "The probability with which the gate finds the smallest detectable difference.", Share(0.8)
    )
    worst: int = setting(10, "The number of segments to show that lost most.", WholeNumber(0, 1000))

    def _check(self) -> None:
        if self.resamples < 2:
            raise SettingError(f"the gate needs at least 2 resamples, not {self.resamples}: raise resamples")

    @property
    def tests(self) -> Tests:
        """The settings of the paired bootstrap that decides."""
        drawing = {name: getattr(self, name) for name in Resampling.settings()}
        return Tests(test="bootstrap", alpha=self.alpha, power=self.power, **drawing)


@dataclass(frozen=True)
class Configuration:
    """The criteria and metrics that a file names.

    Attributes:
        criteria: The settings by name.
        metrics: The metrics. Empty means the baseline's metrics.
        by_metric: The margin and the floor of single metrics, by label.

    Example:
        >>> from refscore.gate import Configuration
        >>> found = Configuration.parse({"margin": 0.5, "metric": {"ter": {"margin": 1}}})
        >>> found.of("ter").margin, found.of("bleu").margin
        (1.0, 0.5)
    """

    criteria: Criteria = field(default_factory=Criteria)
    metrics: tuple[str, ...] = ()
    by_metric: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)

    @staticmethod
    def find(folder: str | PathLike[str]) -> Path | None:
        """Return the nearest `pyproject.toml` of a folder or one above it, if it has a table `[tool.refscore.gate]`."""
        for parent in (Path(folder).absolute(), *Path(folder).absolute().parents):
            file = parent / "pyproject.toml"
            if file.is_file():
                # A file without the table is not parsed: Python 3.10 has no parser.
                return file if b"[tool.refscore.gate" in file.read_bytes() else None
        return None

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Configuration:
        """Read a TOML or JSON file. In `pyproject.toml`, the table is `[tool.refscore.gate]`."""
        file = Path(path)
        location = Location(file=str(path))
        try:
            text = file.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(location, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
        try:
            content = json.loads(text) if file.suffix == ".json" else _parse_toml(text)
        except (ValueError, RecursionError) as error:
            raise InputError(
                location, f"is not valid {'JSON' if file.suffix == '.json' else 'TOML'}: {error}"
            ) from None
        if file.name == "pyproject.toml":
            for key in _TABLE:
                content = content.get(key, {}) if isinstance(content, dict) else {}
        try:
            return cls.parse(content)
        except SettingError as error:
            raise InputError(location, f"is wrong: {error}") from None

    @classmethod
    def parse(cls, content: Mapping[str, Any]) -> Configuration:
        """Return the configuration with the keys of a file: settings, `metrics` and `metric`."""
        if not isinstance(content, Mapping):
            raise SettingError(f"the configuration must be a table of settings, not {content!r}")
        settings = {**content}
        metrics, by_metric = settings.pop("metrics", ()), settings.pop("metric", {})
        if isinstance(metrics, str):
            metrics = [metrics]
        if not isinstance(metrics, (list, tuple)) or not all(isinstance(name, str) for name in metrics):
            raise SettingError('metrics must be a list of names, such as ["bleu", "chrf"]')
        if not isinstance(by_metric, Mapping) or not all(isinstance(each, Mapping) for each in by_metric.values()):
            raise SettingError("metric must have a table per metric, such as [metric.ter]")
        for own in by_metric.values():
            for name in own:
                if name not in BY_METRIC:
                    raise UnknownNameError.suggest("setting of a metric", name, BY_METRIC)
        found = cls(Criteria(**settings), tuple(metrics), by_metric)
        for label in by_metric:
            found.of(label)  # raises errors
        return found

    def of(self, label: str) -> Criteria:
        """Return the criteria of a metric."""
        own: Mapping[str, Any] = self.by_metric.get(label, {})
        return replace(self.criteria, **own)


def _parse_toml(text: str) -> dict[str, Any]:
    for name in ("tomllib", "tomli"):  # the first one needs Python 3.11
        with suppress(ModuleNotFoundError):
            parsed: dict[str, Any] = import_module(name).loads(text)
            return parsed
    raise NotInstalledError("TOML needs Python 3.11 or tomli: pip install 'refscore[toml]', or write the file as JSON")
