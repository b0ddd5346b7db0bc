"""The metrics: each turns segments into rows that add up, and rows into scores."""

from refscore.metrics.base import Metric, Score
from refscore.metrics.bleu import BLEU, BLEUScore, bleu, ngram_precision_score
from refscore.metrics.references import PreparedReferences
from refscore.metrics.registry import METRICS, from_signature

__all__ = [
    "BLEU",
    "METRICS",
    "BLEUScore",
    "Metric",
    "PreparedReferences",
    "Score",
    "bleu",
    "from_signature",
    "ngram_precision_score",
]
