"""NIST: the metric, its presets and its worked steps."""

from refscore.metrics.nist.information import Information
from refscore.metrics.nist.metric import NIST, NISTScore, nist

__all__ = ["NIST", "Information", "NISTScore", "nist"]
