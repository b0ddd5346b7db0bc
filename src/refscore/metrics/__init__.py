"""The metrics: each turns segments into rows that add up, and rows into scores."""

from refscore.metrics.base import Metric, Score
from refscore.metrics.bleu import BLEU, BLEUScore, bleu, ngram_precision_score
from refscore.metrics.chrf import CHRF, CHRFScore, chrf
from refscore.metrics.references import PreparedReferences
from refscore.metrics.registry import METRICS, from_signature
from refscore.metrics.ribes import RIBES, AlignedWord, RIBESScore, ascending_pairs, ribes

__all__ = [
    "BLEU",
    "CHRF",
    "METRICS",
    "RIBES",
    "AlignedWord",
    "BLEUScore",
    "CHRFScore",
    "Metric",
    "PreparedReferences",
    "RIBESScore",
    "Score",
    "ascending_pairs",
    "bleu",
    "chrf",
    "from_signature",
    "ngram_precision_score",
    "ribes",
]
