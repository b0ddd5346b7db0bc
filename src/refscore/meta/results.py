"""The result of ranking metrics, as data and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from refscore._version import __version__
from refscore.errors import UnknownNameError
from refscore.meta.judgments import Matrix
from refscore.meta.statistics import Statistic
from refscore.significance.results import Interval
from refscore.tables import Column, Highlight, Result, Table
from refscore.text_display import counted


@dataclass(frozen=True)
class RankedMetric:
    """One metric of a ranking.

    Attributes:
        name: The name of the metric.
        value: Its agreement with people; NaN if it is undefined.
        cluster: Its significance cluster, from 1; None without a test.
        threshold: The largest difference of scores that counts as a tie, for acc*_eq.
        interval: The interval of the value, if resamples were drawn.
    """

    name: str
    value: float
    cluster: int | None = None
    threshold: float | None = None
    interval: Interval | None = None

    def __repr__(self) -> str:
        return f"<{self.name}: {self.value:.4f}>"


@dataclass(frozen=True)
class MetricRanking(Result):
    """Metrics ordered by their agreement with people, the best first.

    Attributes:
        statistic: The statistic of agreement.
        level: "segment" or "system".
        by: How segments are grouped.
        metrics: The metrics, the best first.
        p_values: `p_values[i, j]` tests whether metric i is better than metric j, for i before j. NaN elsewhere; None
            without a test.
        trials: The draws of the test.
        alpha: The largest p-value of a significant difference.
        seed: The seed of the random numbers.
        systems: The number of systems.
        ratings: The number of human scores of segments.
        resample: What the intervals resample; None without intervals.

    Example:
        >>> from refscore.meta import Judgments, rank_metrics
        >>> people = {"a": [4, 2, 5, 3], "b": [3, 3, 1, 3], "c": [4, 1, 2, 5]}
        >>> metrics = {"new": {"a": [9, 4, 7, 6], "b": [8, 6, 5, 5], "c": [9, 2, 4, 8]}}
        >>> ranking = rank_metrics(Judgments.from_scores(people, metrics), "pearson", by="none")
        >>> print(ranking)
        metric  Pearson's r
        ------  -----------
        new          0.7992
        >>> ranking["new"].value == ranking.metrics[0].value
        True
    """

    statistic: Statistic
    level: str
    by: str
    metrics: tuple[RankedMetric, ...]
    p_values: Matrix | None
    trials: int
    alpha: float
    seed: int
    systems: int
    ratings: int
    resample: str | None = None

    def __iter__(self) -> Iterator[RankedMetric]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __getitem__(self, name: str) -> RankedMetric:
        for metric in self.metrics:
            if metric.name == name:
                return metric
        raise UnknownNameError("metric", name, [metric.name for metric in self.metrics])

    def p(self, better: str, worse: str) -> float:
        """Return the p-value of two metrics: that the first one agrees better with people."""
        names = [metric.name for metric in self.metrics]
        one, other = (names.index(self[name].name) for name in (better, worse))
        return float("nan") if self.p_values is None else float(self.p_values[one, other])

    @property
    def signature(self) -> str:
        """All settings that change the result, as text."""
        settings = {
            "agreement": self.statistic.name,
            "level": self.level,
            "by": None if self.level == "system" else self.by,
            "test": "perm-both" if self.trials else None,
            "trials": self.trials or None,
            "alpha": f"{self.alpha:g}" if self.trials else None,
            "resampled": self.resample,
            "seed": self.seed,
            "version": __version__,
        }
        return "|".join(f"{key}:{value}" for key, value in settings.items() if value is not None)

    def table(self, *, digits: int | None = None, title: str = "") -> Table:
        """Return one row per metric. The metrics of the first cluster are highlighted.

        Args:
            digits: The number of decimals; 4 by default.
            title: The title of the table.
        """
        digits = 4 if digits is None else digits
        columns = [Column("metric"), Column(self.statistic.title, "right")]
        columns += [Column("interval", "right")] if self.resample else []
        columns += [Column("threshold", "right")] if self._has_thresholds else []
        columns += [Column("cluster", "right")] if self.trials else []
        rows = []
        for metric in self.metrics:
            value = "–" if np.isnan(metric.value) else f"{metric.value:.{digits}f}"
            cells: list[str] = [metric.name, Highlight(value) if metric.cluster == 1 else value]
            if self.resample:
                found = metric.interval
                cells.append("–" if found is None else f"[{found.low:.{digits}f}, {found.high:.{digits}f}]")
            if self._has_thresholds:
                cells.append(f"{metric.threshold:.3g}")
            if self.trials:
                cells.append(str(metric.cluster))
            rows.append(cells)
        return Table(title, columns, rows)

    @property
    def _has_thresholds(self) -> bool:
        return any(metric.threshold is not None for metric in self.metrics)

    def flat_table(self) -> Table:
        """Return one row per metric with full precision, and empty cells for missing numbers."""
        rows = []
        for metric in self.metrics:
            low, high = (None, None) if metric.interval is None else (metric.interval.low, metric.interval.high)
            numbers = [metric.value, low, high, metric.threshold, metric.cluster]
            cells = ["" if number is None else repr(number) for number in numbers]
            rows.append([self.statistic.name, self.level, self.by, metric.name, *cells])
        names = ("statistic", "level", "by", "metric", "value", "low", "high", "threshold", "cluster")
        return Table("", map(Column, names), rows)

    def __repr__(self) -> str:
        return f"<ranking of {counted(len(self), 'metric')} by {self.statistic.title}: {self.systems:,} systems>"

    def to_dict(self) -> dict[str, Any]:
        """Return the ranking as a dictionary, ready for JSON."""
        return {
            "statistic": self.statistic.name,
            "level": self.level,
            "by": self.by,
            "systems": self.systems,
            "ratings": self.ratings,
            "metrics": [
                {
                    "name": metric.name,
                    "value": None if np.isnan(metric.value) else metric.value,
                    "cluster": metric.cluster,
                    "threshold": metric.threshold,
                    "interval": None if metric.interval is None else metric.interval.to_dict(),
                }
                for metric in self.metrics
            ],
            "p_values": None
            if self.p_values is None
            else [[None if np.isnan(p) else p for p in row] for row in self.p_values.tolist()],
            "trials": self.trials,
            "alpha": self.alpha,
            "seed": self.seed,
            "signature": self.signature,
        }
