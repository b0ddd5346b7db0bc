"""Cache the metrics that drop-ins need in every call."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from refscore.metrics import Metric

M = TypeVar("M", bound=Metric[Any])


def cached_metric(kind: type[M], **settings: Any) -> M:
    return kind.with_settings(settings)


if not TYPE_CHECKING:  # `lru_cache` hides the metric's type from type checkers
    cached_metric = lru_cache(maxsize=512, typed=True)(cached_metric)
