"""Scores of the same segments by many metrics."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

import numpy as np

from refscore.data_warnings import unchecked
from refscore.metrics import Metric, Rows, Score

# Smaller differences between rows come from the order of computation.
_RELATIVE, _ABSOLUTE = 1e-9, 1e-12


class Scorer:
    """Segments, references and perhaps sources, and a cache of their scores by metric."""

    def __init__(self, hypotheses: Any, references: Any, sources: Any, threads: int | None) -> None:
        self._hypotheses: Any = hypotheses if isinstance(hypotheses, Sized) else list(hypotheses)
        self._references: Any = references if isinstance(references, Sized) else list(references)
        self._sources: Any = sources if sources is None or isinstance(sources, Sized) else list(sources)
        self._threads = threads
        self._scores: dict[Metric[Any], Score] = {}
        self._last_rows: dict[Metric[Any], Rows] = {}

    def score(self, metric: Metric[Any]) -> Score:
        """Return the score of all segments."""
        if metric not in self._scores:
            self._scores[metric] = self._call(metric, "corpus")
        return self._scores[metric]

    def mean_of_segments(self, metric: Metric[Any]) -> float:
        """Return the mean of the segment scores."""
        return float(np.mean(self._call(metric, "segments")))

    def touched(self, before: Metric[Any], after: Metric[Any]) -> int:
        """Return the number of segments with different statistics under the two metrics."""
        old_columns, new_columns = self._columns(before), self._columns(after)
        changed = np.zeros(self.segments(before), dtype=np.bool_)
        for name in {**old_columns, **new_columns}:
            # A column that only one metric has is 0 for the other.
            old, new = old_columns.get(name, 0), new_columns.get(name, 0)
            changed |= ~np.isclose(old, new, rtol=_RELATIVE, atol=_ABSOLUTE)
        return int(changed.sum())

    def segments(self, metric: Metric[Any]) -> int:
        """Return the number of segments."""
        return len(self._rows(metric))

    def _columns(self, metric: Metric[Any]) -> dict[str, Rows]:
        return dict(zip(metric.columns, self._rows(metric).T, strict=True))

    def _rows(self, metric: Metric[Any]) -> Rows:
        if metric not in self._last_rows:
            while len(self._last_rows) > 1:  # two are enough for a comparison, and rows are large
                self._last_rows.pop(next(iter(self._last_rows)))
            self._last_rows[metric] = self._call(metric, "stats")
        return self._last_rows[metric]

    def _call(self, metric: Metric[Any], method: str) -> Any:
        fitted = metric.fit(self._references) if metric.needs_fit else metric
        score = getattr(fitted, method)
        with unchecked():  # many settings are tried, and most do not fit the data
            return score(self._hypotheses, self._references, sources=self._sources, threads=self._threads)
