"""CIDEr and CIDEr-D: the metric, its presets and its worked steps."""

from refscore.metrics.cider.frequencies import DocumentFrequencies
from refscore.metrics.cider.metric import CIDER, CIDERScore, cider

__all__ = ["CIDER", "CIDERScore", "DocumentFrequencies", "cider"]
