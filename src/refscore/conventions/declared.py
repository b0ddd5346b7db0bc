"""Temporary: what `refscore.metrics` will say about settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from refscore.errors import UnknownNameError
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.registry import METRICS
from refscore.metrics.core.setting_words import WORDS, SettingWords, settings_of, shown_value
from refscore.metrics.nist.metric import NIST

Setting = SettingWords


def ordered_settings(kind: type[Metric[Any]]) -> tuple[SettingWords, ...]:
    return WORDS[kind.name].settings


def display_name(kind: type[Metric[Any]]) -> str:
    return WORDS[kind.name].title


def settings_by_name(metric: Metric[Any]) -> dict[str, Any]:
    return settings_of(metric)


def show_value(name: str, value: Any) -> str:
    return shown_value(name, value)


def describe(setting: SettingWords, settings: Mapping[str, Any]) -> str:
    return setting.of(settings)


def alternatives(setting: SettingWords) -> tuple[Any, ...]:
    return setting.tried


def fitted(metric: Metric[Any], references: Any) -> Metric[Any]:
    if isinstance(metric, NIST) and metric.information is None:
        return metric.fit(references)
    return metric


def metric_class(choice: Any) -> Metric[Any]:
    if not isinstance(choice, str) or choice not in METRICS:
        raise UnknownNameError.of("metric", choice, METRICS)
    return METRICS[choice]()
