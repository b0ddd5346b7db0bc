"""The same segments scored by many metrics."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

import numpy as np

from refscore.metrics import Metric, Score
from refscore.metrics.core.score import Rows

# Rows that differ by less are the same, computed in a different order.
_RELATIVE, _ABSOLUTE = 1e-9, 1e-12


class Scorer:
    """Segments and their references, which every metric scores at most once."""

    def __init__(self, hypotheses: Any, references: Any, threads: int | None) -> None:
        self._hypotheses: Any = hypotheses if isinstance(hypotheses, Sized) else list(hypotheses)
        self._references: Any = references if isinstance(references, Sized) else list(references)
        self._threads = threads
        self._scores: dict[Metric[Any], Score] = {}
        self._last_rows: dict[Metric[Any], Rows] = {}

    def score(self, metric: Metric[Any]) -> Score:
        """Return the score of all segments."""
        if metric not in self._scores:
            self._scores[metric] = self._call(metric, "corpus")
        return self._scores[metric]

    def mean_of_segments(self, metric: Metric[Any]) -> float:
        """Return the mean of the segments' own scores."""
        return float(np.mean(self._call(metric, "segments")))

    def touched(self, before: Metric[Any], after: Metric[Any]) -> int:
        """Return the number of segments whose statistics are not the same for both metrics."""
        old_columns, new_columns = self._columns(before), self._columns(after)
        changed = np.zeros(self.segments(before), dtype=np.bool_)
        for name in {**old_columns, **new_columns}:
            # A column that only one of the two has counts something that the other does not.
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
            while len(self._last_rows) > 1:  # only two are compared at a time, and rows are large
                self._last_rows.pop(next(iter(self._last_rows)))
            self._last_rows[metric] = self._call(metric, "stats")
        return self._last_rows[metric]

    def _call(self, metric: Metric[Any], method: str) -> Any:
        fitted = metric.fit(self._references) if metric.needs_fit else metric
        return getattr(fitted, method)(self._hypotheses, self._references, threads=self._threads)
