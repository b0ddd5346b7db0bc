"""Metrics that drop-ins construct in every call, constructed once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from refscore.metrics import Metric

M = TypeVar("M", bound=Metric[Any])


def cached_metric(kind: type[M], **settings: Any) -> M:
    """Return a metric with settings by name, a preset among them if there is one."""
    return kind.with_settings(settings)


if not TYPE_CHECKING:  # a type checker would lose the type of the metric
    cached_metric = lru_cache(maxsize=512, typed=True)(cached_metric)
