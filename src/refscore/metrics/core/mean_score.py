"""Scores that are means over segments."""

from __future__ import annotations

from refscore.metrics.core.metric import Score


class MeanScore(Score):
    """A score whose row holds sums over segments and, as its last column, the number of segments."""

    __slots__ = ()

    def _mean(self, column: int) -> float:
        """The mean of a column; 0 where no segment counts."""
        count = self.row[-1].item()
        return float(self.row[column].item() / count) if count else 0.0

    @property
    def value(self) -> float:
        """The score, from 0 to 1."""
        return self._mean(0)

    @property
    def segments(self) -> int:
        """The number of segments that count."""
        return int(self.row[-1])
