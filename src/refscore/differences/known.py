"""The conventions of a metric: its presets, and its default settings where no preset has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refscore._version import __version__
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.registry import METRICS

DEFAULT = "default"


def known_conventions(metric: str) -> dict[str, Preset]:
    """The presets of a metric by name, with the default settings first where no preset has them.

    >>> list(known_conventions("gleu")), list(known_conventions("nist"))
    (['default', 'evaluate', 'nltk'], ['default', 'nltk'])
    """
    presets = dict(METRICS[metric].presets)
    if any(is_default(metric, preset) for preset in presets.values()):
        return presets
    own = Preset({}, tool="refscore", version=__version__, part="default settings", scale=METRICS[metric].printed_scale)
    return {DEFAULT: own, **presets}


def is_default(metric: str, preset: Preset) -> bool:
    """Whether a preset's settings are the metric's own.

    >>> is_default("rouge", METRICS["rouge"].presets["rougeL"]), is_default("rouge", METRICS["rouge"].presets["rouge1"])
    (True, False)
    """
    default = METRICS[metric]()
    return all(getattr(default, name) == value for name, value in preset.items())


def metric_of(metric: str, convention: str, settings: Mapping[str, Any]) -> Metric[Any]:
    """The metric of a convention, with some settings overridden.

    >>> metric_of("nist", "default", {"max_order": 4}).max_order, metric_of("nist", "nltk", {}).tokenizer
    (4, 'none')
    """
    kind = METRICS[metric]
    return kind.with_settings(settings) if convention == DEFAULT else kind.preset(convention, **settings)
