"""ROUGE: the metric, its presets and its worked steps."""

from refscore.metrics.rouge.metric import ROUGE, ROUGEScore, rouge

__all__ = ["ROUGE", "ROUGEScore", "rouge"]
