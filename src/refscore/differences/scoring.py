"""The same segments scored by many metrics."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

import numpy as np

from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Rows, Score
from refscore.metrics.nist.metric import NIST

# Rows that differ by less are the same, computed in another order.
_RELATIVE, _ABSOLUTE = 1e-9, 1e-12


class Scorer:
    """Segments and their references, which every metric scores at most once.

    Example:
        >>> import refscore
        >>> scorer = Scorer(["a cat, sat", "a dog"], ["a cat sat", "a dog"], None)
        >>> split, whole = refscore.BLEU(max_order=1), refscore.BLEU(max_order=1, tokenizer="none")
        >>> scorer.score(split).percent, scorer.score(whole).percent, scorer.touched(split, whole)
        (83.33333333333334, 80.0, 1)
    """

    def __init__(self, hypotheses: Any, references: Any, threads: int | None) -> None:
        self._hypotheses = hypotheses if isinstance(hypotheses, Sized) else list(hypotheses)
        self._references = references if isinstance(references, Sized) else list(references)
        self._threads = threads
        self._scores: dict[Metric[Any], Score] = {}
        self._last_rows: dict[Metric[Any], Rows] = {}

    def score(self, metric: Metric[Any]) -> Score:
        """The score of all segments."""
        if metric not in self._scores:
            self._scores[metric] = self._fitted(metric).corpus(
                self._hypotheses, self._references, threads=self._threads
            )
        return self._scores[metric]

    def mean_of_segments(self, metric: Metric[Any]) -> float:
        """The mean of the segments' own scores."""
        values = self._fitted(metric).segments(self._hypotheses, self._references, threads=self._threads)
        return float(np.mean(values))

    def touched(self, before: Metric[Any], after: Metric[Any]) -> int:
        """The number of segments whose statistics are not the same for both metrics."""
        one, other = self._columns(before), self._columns(after)
        changed = np.zeros(self.segments(before), dtype=np.bool_)
        for name in {**one, **other}:
            # A column that only one of the two has holds what the other does not count.
            here, there = one.get(name, 0), other.get(name, 0)
            changed |= ~np.isclose(here, there, rtol=_RELATIVE, atol=_ABSOLUTE)
        return int(changed.sum())

    def segments(self, metric: Metric[Any]) -> int:
        """The number of segments."""
        return len(self._rows(metric))

    def _columns(self, metric: Metric[Any]) -> dict[str, Rows]:
        return dict(zip(metric.columns, self._rows(metric).T, strict=True))

    def _rows(self, metric: Metric[Any]) -> Rows:
        if metric not in self._last_rows:
            while len(self._last_rows) > 1:  # two are compared at a time, and rows take room
                self._last_rows.pop(next(iter(self._last_rows)))
            self._last_rows[metric] = self._fitted(metric).stats(
                self._hypotheses, self._references, threads=self._threads
            )
        return self._last_rows[metric]

    def _fitted(self, metric: Metric[Any]) -> Metric[Any]:
        if isinstance(metric, NIST) and metric.information is None:
            return metric.fit(self._references)
        return metric
