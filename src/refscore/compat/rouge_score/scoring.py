"""rouge-score's `rouge_score.scoring`: scores, and their means with bootstrap intervals."""

from __future__ import annotations

import abc
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, SettingError

_DRAWN_AT_ONCE = 1 << 20

__all__ = ["AggregateScore", "BaseScorer", "BootstrapAggregator", "Score", "fmeasure"]


class Score(NamedTuple):
    """Precision (the share of the prediction that is in the target), recall (the converse) and their harmonic mean."""

    precision: float
    recall: float
    fmeasure: float


class BaseScorer(abc.ABC):
    """The base class for scorers."""

    @abc.abstractmethod
    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """Return a prediction's scores by name."""


class AggregateScore(NamedTuple):
    """The resamples' median mean, `mid`, and the bounds of their interval."""

    low: Any
    mid: Any
    high: Any


class BootstrapAggregator:
    """Compute mean scores with bootstrap intervals.

    Example:
        >>> from refscore.compat.rouge_score import rouge_scorer, scoring
        >>> scorer = rouge_scorer.RougeScorer(["rouge1"])
        >>> aggregator = scoring.BootstrapAggregator()
        >>> aggregator.add_scores(scorer.score("one two three", "one two"))
        >>> aggregator.add_scores(scorer.score("one two three", "one two"))
        >>> round(float(aggregator.aggregate()["rouge1"].mid.fmeasure), 4)
        0.8
    """

    def __init__(self, confidence_interval: float = 0.95, n_samples: int = 1000) -> None:
        if not 0 <= confidence_interval <= 1:
            raise SettingError(f"confidence_interval must be from 0 to 1, not {confidence_interval!r}")
        if n_samples <= 0:
            raise SettingError(f"n_samples must be at least 1, not {n_samples!r}")
        self._n_samples = n_samples
        self._confidence_interval = confidence_interval
        self._scores: defaultdict[str, list[Any]] = defaultdict(list)

    def add_scores(self, scores: Mapping[str, Any]) -> None:
        """Add one example's scores: named tuples by name."""
        for name, score in scores.items():
            self._scores[name].append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """Return each score's median and bounds, in the class that was added."""
        aggregates = {}
        for name, scores in self._scores.items():
            kind = type(scores[0])
            low, mid, high = self._bootstrap(_matrix(name, scores))
            aggregates[name] = AggregateScore(low=kind(*low), mid=kind(*mid), high=kind(*high))
        return aggregates

    def _bootstrap(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the lower bound, median and upper bound of the columns' means, as rows."""
        means = resampled_means(matrix, self._n_samples)
        outside = (1 - self._confidence_interval) / 2
        bounds: NDArray[np.float64] = np.percentile(means, 100 * np.array([outside, 0.5, 1 - outside]), axis=0)
        return bounds


def _matrix(name: str, scores: list[Any]) -> NDArray[np.float64]:
    try:
        return np.vstack(tuple(scores)).astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(None, f"the scores of {name!r} are not all tuples of numbers of the same length") from None


def fmeasure(precision: float, recall: float) -> float:
    """Return precision and recall's harmonic mean, or 0 if both are 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def resampled_means(values: NDArray[np.float64], samples: int) -> NDArray[np.float64]:
    """Return each random sample's mean row. NumPy's global generator draws the samples with replacement."""
    size, width = values.shape
    means = np.empty((samples, width))
    block = max(1, _DRAWN_AT_ONCE // size)
    for begin in range(0, samples, block):
        end = min(begin + block, samples)
        # Drawing several samples at once gives the same numbers as drawing them one by one.
        drawn = np.random.randint(0, size, size=(end - begin, size))
        drawn += np.arange(end - begin)[:, np.newaxis] * size
        times = np.bincount(drawn.ravel(), minlength=(end - begin) * size).reshape(end - begin, size)
        means[begin:end] = times @ values / size
    return means
