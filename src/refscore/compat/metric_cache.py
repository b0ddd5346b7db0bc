"""Metrics that drop-ins construct in every call, constructed once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

from refscore.metrics import Metric

M = TypeVar("M", bound=Metric[Any])


@lru_cache(maxsize=512, typed=True)
def cached_metric(kind: type[M], **settings: Any) -> M:
    """Return a metric with settings by name, a preset among them if there is one.

    >>> import refscore
    >>> cached_metric(refscore.CHRF, preset="chrf++") is cached_metric(refscore.CHRF, preset="chrf++")
    True
    """
    return kind.with_settings(settings)
