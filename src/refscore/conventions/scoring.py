from __future__ import annotations

import math
from collections.abc import Mapping, Sized
from decimal import Decimal
from typing import Any

import numpy as np

from refscore._version import __version__
from refscore.data_warnings import unchecked
from refscore.metrics import Metric, Preset, Rows, Score
from refscore.settings import Setting, settings_by_name

_STAGES = ("text", "counting", "formula")
# Smaller differences between rows come from the order of computation.
_RELATIVE, _ABSOLUTE = 1e-9, 1e-12


class Scorer:
    """Segments, references and perhaps sources, and a cache of their scores by metric."""

    def __init__(self, hypotheses: Any, references: Any, sources: Any, threads: int | None) -> None:
        self._hypotheses: Any = hypotheses if isinstance(hypotheses, Sized) else list(hypotheses)
        self._references: Any = references if isinstance(references, Sized) else list(references)
        self._sources: Any = sources if sources is None or isinstance(sources, Sized) else list(sources)
        self._threads = threads
        self._scores: dict[Metric[Any], Score] = {}
        self._last_rows: dict[Metric[Any], Rows] = {}

    def score(self, metric: Metric[Any]) -> Score:
        if metric not in self._scores:
            self._scores[metric] = self._call(metric, "corpus")
        return self._scores[metric]

    def mean_of_segments(self, metric: Metric[Any]) -> float:
        values = self._call(metric, "segments")
        return math.fsum(values) / len(values)

    def touched(self, before: Metric[Any], after: Metric[Any]) -> int:
        """Return the number of segments with different statistics under the two metrics."""
        old_columns, new_columns = self._columns(before), self._columns(after)
        changed = np.zeros(self.segments(before), dtype=np.bool_)
        for name in {**old_columns, **new_columns}:
            # A column that only one metric has is 0 for the other.
            old, new = old_columns.get(name, 0), new_columns.get(name, 0)
            changed |= ~np.isclose(old, new, rtol=_RELATIVE, atol=_ABSOLUTE)
        return int(changed.sum())

    def segments(self, metric: Metric[Any]) -> int:
        return len(self._rows(metric))

    def _columns(self, metric: Metric[Any]) -> dict[str, Rows]:
        return dict(zip(metric.columns, self._rows(metric).T, strict=True))

    def _rows(self, metric: Metric[Any]) -> Rows:
        if metric not in self._last_rows:
            while len(self._last_rows) > 1:  # two are enough for a comparison, and rows are large
                self._last_rows.pop(next(iter(self._last_rows)))
            self._last_rows[metric] = self._call(metric, "stats")
        return self._last_rows[metric]

    def _call(self, metric: Metric[Any], method: str) -> Any:
        fitted = metric.fit(self._references) if metric.needs_fit else metric
        score = getattr(fitted, method)
        with unchecked():  # many settings are tried, and most do not fit the data
            return score(self._hypotheses, self._references, sources=self._sources, threads=self._threads)


def known_conventions(metric: Metric[Any]) -> dict[str, Preset]:
    """Return the presets of a metric by name, after default and given settings that no preset has."""
    kind = type(metric)
    known: dict[str, Preset] = dict(kind.presets)
    for name, candidate in (("default", kind()), ("given", metric)):
        if not any(has_settings(candidate, preset) for preset in known.values()):
            preset = Preset(
                settings_by_name(candidate),
                tool="refscore",
                version=__version__,
                part=f"{name} settings",
                scale=kind.printed_scale,
            )
            known = {name: preset, **known}
    return known


def has_settings(metric: Metric[Any], preset: Mapping[str, Any]) -> bool:
    # Does not create the preset's metric, which may need packages that are not installed.
    return all(getattr(metric, name) == preset.get(name, each.default) for name, each in metric.settings().items())


def ordered_settings(kind: type[Metric[Any]]) -> list[Setting]:
    """Return the settings in the order of processing: text, counting, formula. Companions are not listed separately."""
    declared = kind.settings().values()
    companions = {setting.companion for setting in declared}
    chosen = [setting for setting in declared if setting.title and setting.name not in companions]
    return sorted(chosen, key=lambda setting: _STAGES.index(setting.stage))


def show_number(value: float, scale: float) -> str:
    """Return a value with 2 decimals on the scale from 0 to 100, and with 4 decimals on other scales."""
    # Rounded first, since a multiplication by 100 may move a value off a tie.
    return f"{round(value * scale, 10):.{2 if scale == 100 else 4}f}"


def show_difference(before: float, after: float, scale: float) -> str:
    """Return the signed difference of two values after rounding each, so the printed numbers add up."""
    gap = Decimal(show_number(after, scale)) - Decimal(show_number(before, scale))
    sign = "+" if gap > 0 else "−" if gap < 0 else ""
    return f"{sign}{abs(gap)}"
