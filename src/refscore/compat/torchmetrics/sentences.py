"""Metrics with a state per column, and all segments' scores on request: chrF and TER."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from refscore.compat.torchmetrics.sums import Results, Scoring, Sums
from refscore.metrics import Metric, sum_rows


class SentenceScoring(Scoring):
    """A refscore metric. With `return_sentence_level_score`, it has a list of segment scores as a state."""

    metric: Metric[Any]
    return_sentence_level_score: bool
    sentence_state: ClassVar[str]

    @abstractmethod
    def sums(self) -> Mapping[str, Any]:
        """Return each column's initial state."""

    @abstractmethod
    def rows_and_scores(self, preds: Any, target: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return each segment's row and score."""

    def score(self, row: NDArray[Any]) -> float:
        return float(self.metric.score(row).value)

    def states(self) -> dict[str, Any]:
        return {**self.sums(), **({self.sentence_state: []} if self.return_sentence_level_score else {})}

    def batch(self, preds: Any, target: Any) -> Sums:
        rows, values = self.rows_and_scores(preds, target)
        sums = dict(zip(self.sums(), sum_rows(rows).tolist(), strict=True))
        return {**sums, self.sentence_state: values} if self.return_sentence_level_score else sums

    def value(self, sums: Sums, results: Results) -> Any:
        value = results(self.score(np.array([sums[name] for name in self.sums()])))
        return (value, results(sums[self.sentence_state])) if self.return_sentence_level_score else value

    def call(self, preds: Any, target: Any, results: Results) -> Any:
        """Return what `value` returns, but only the score if there are no segments."""
        result = self.value(self.batch(preds, target), results)
        return result[0] if self.return_sentence_level_score and not len(result[1]) else result
