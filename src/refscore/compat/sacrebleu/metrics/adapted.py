"""A metric that a user has derived from sacrebleu's base class, in the form that refscore's significance tests take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from refscore import metrics

if TYPE_CHECKING:
    from refscore.compat.sacrebleu.metrics.base import Metric


class AdaptedScore(metrics.Score):
    """The score of a sum of statistics."""

    __slots__ = ()

    metric: Adapted

    @property
    def value(self) -> float:
        """The score, in the range it has."""
        return float(self.metric.inner._compute_score_from_stats(self.row.tolist()).score)

    def details(self) -> dict[str, Any]:
        """Nothing more is known of it."""
        return {}


class Adapted(metrics.Metric[AdaptedScore]):
    """The formula of the metric, on sums of its statistics; texts are not its business.

    Args:
        inner: The metric.
        width: How many statistics a segment has.
    """

    name: ClassVar[str] = "adapted"
    score_type: ClassVar[type[AdaptedScore]] = AdaptedScore
    presets: ClassVar[Mapping[str, Any]] = {}

    def __init__(self, inner: Metric, width: int) -> None:
        self.inner = inner
        self._width = width

    @property
    def columns(self) -> tuple[str, ...]:
        """The statistics by their number."""
        return tuple(f"statistic {n}" for n in range(1, self._width + 1))

    @property
    def row_type(self) -> np.dtype[Any]:
        """float64."""
        return np.dtype(np.float64)

    def values(self, rows: Any, *, threads: int | None = None) -> metrics.core.metric.Values:
        """The score of each row, one after the other."""
        scores = [self.inner._compute_score_from_stats(row.tolist()).score for row in rows]
        return np.array(scores, dtype=np.float64)

    @property
    def signature(self) -> str:
        """The metric's own."""
        return str(self.inner.get_signature())

    @classmethod
    def from_pairs(cls, pairs: Mapping[str, str]) -> NoReturn:
        """Not to be had."""
        raise NotImplementedError

    def explain(self, hypothesis: Any, references: Any) -> NoReturn:
        """Not to be had."""
        raise NotImplementedError
