"""SARI: the metric, its presets and its worked steps."""

from refscore.metrics.sari.metric import SARI, SARIScore, sari

__all__ = ["SARI", "SARIScore", "sari"]
