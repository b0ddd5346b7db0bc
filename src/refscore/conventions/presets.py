"""The conventions of a metric: its presets, and the default settings if no preset has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refscore._version import __version__
from refscore.metrics import Metric, Preset
from refscore.settings import Setting, settings_by_name

_STAGES = ("text", "counting", "formula")


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
    """Return whether a metric has the settings of a preset."""
    # Does not create the preset's metric, which may need packages that are not installed.
    return all(getattr(metric, name) == preset.get(name, each.default) for name, each in metric.settings().items())


def ordered_settings(kind: type[Metric[Any]]) -> list[Setting]:
    """Return the settings in the order of processing: text, counting, formula. Companions are not listed separately."""
    declared = kind.settings().values()
    companions = {setting.companion for setting in declared}
    chosen = [setting for setting in declared if setting.title and setting.name not in companions]
    return sorted(chosen, key=lambda setting: _STAGES.index(setting.stage))
