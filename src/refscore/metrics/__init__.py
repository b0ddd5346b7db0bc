"""The metrics: each turns segments into rows that add up, and rows into scores."""

from refscore.metrics.base import Metric, Score
from refscore.metrics.bleu import BLEU, BLEUScore, bleu, ngram_precision_score
from refscore.metrics.diversity import distinct_n, self_bleu
from refscore.metrics.gleu import GLEU, GLEUScore, gleu
from refscore.metrics.information import Information
from refscore.metrics.nist import NIST, NISTScore, nist
from refscore.metrics.references import PreparedReferences
from refscore.metrics.registry import METRICS, from_signature
from refscore.metrics.ribes import RIBES, AlignedWord, RIBESScore, ascending_pairs, ribes

__all__ = [
    "BLEU",
    "GLEU",
    "METRICS",
    "NIST",
    "RIBES",
    "AlignedWord",
    "BLEUScore",
    "GLEUScore",
    "Information",
    "Metric",
    "NISTScore",
    "PreparedReferences",
    "RIBESScore",
    "Score",
    "ascending_pairs",
    "bleu",
    "distinct_n",
    "from_signature",
    "gleu",
    "ngram_precision_score",
    "nist",
    "ribes",
    "self_bleu",
]
