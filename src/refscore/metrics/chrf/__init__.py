"""chrF: the metric, its presets and its worked steps."""

from refscore.metrics.chrf.metric import CHRF, CHRFScore, chrf

__all__ = ["CHRF", "CHRFScore", "chrf"]
