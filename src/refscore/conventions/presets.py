"""The conventions of a metric: its presets, and its default settings if no preset has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from refscore._version import __version__
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.presets import Preset

DEFAULT = "default"


def presets_and_default(kind: type[Metric[Any]]) -> dict[str, Preset]:
    """Return the presets of a metric by name, with the default settings first if no preset has them.

    >>> from refscore import GLEU, RIBES
    >>> list(presets_and_default(GLEU)), list(presets_and_default(RIBES))
    (['default', 'evaluate', 'nltk'], ['official', 'nltk', 'nltk-3.9'])
    """
    if any(has_settings(kind(), preset) for preset in kind.presets.values()):
        return dict(kind.presets)
    default = Preset({}, tool="refscore", version=__version__, part="default settings", scale=kind.printed_scale)
    return {DEFAULT: default, **kind.presets}


def has_settings(metric: Metric[Any], preset: Preset) -> bool:
    """Return whether the settings of a preset are those of a metric.

    >>> from refscore import ROUGE
    >>> has_settings(ROUGE(), ROUGE.presets["rougeL"]), has_settings(ROUGE(), ROUGE.presets["rouge1"])
    (True, False)
    """
    # Without making the preset's metric, which may need packages that are not installed.
    settings = fields(metric)  # type: ignore[arg-type]
    return all(getattr(metric, setting.name) == preset.get(setting.name, setting.default) for setting in settings)


def metric_with(kind: type[Metric[Any]], convention: str, settings: Mapping[str, Any]) -> Metric[Any]:
    """Return the metric of a convention, with some settings overridden.

    >>> from refscore import NIST
    >>> metric_with(NIST, "default", {"max_order": 4}).max_order, metric_with(NIST, "nltk", {}).tokenizer
    (4, 'none')
    """
    return kind.with_settings(settings) if convention == DEFAULT else kind.preset(convention, **settings)
