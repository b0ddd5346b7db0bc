"""EED: the metric, its presets and its worked steps."""

from refscore.metrics.eed.metric import EED, EEDPath, EEDScore, EEDStep, eed

__all__ = ["EED", "EEDPath", "EEDScore", "EEDStep", "eed"]
