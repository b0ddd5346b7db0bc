"""The metrics: each turns segments into rows that add up, and rows into scores."""

from refscore.metrics.base import Metric, Score
from refscore.metrics.bleu import BLEU, BLEUScore, bleu, ngram_precision_score
from refscore.metrics.meteor import METEOR, METEORScore, meteor
from refscore.metrics.meteor_words import MatchedWord
from refscore.metrics.references import PreparedReferences
from refscore.metrics.registry import METRICS, from_signature
from refscore.metrics.ribes import RIBES, AlignedWord, RIBESScore, ascending_pairs, ribes
from refscore.metrics.ter import TER, Shift, TERAlignment, TERScore, WordEdit, ter

__all__ = [
    "BLEU",
    "METEOR",
    "METRICS",
    "RIBES",
    "TER",
    "AlignedWord",
    "BLEUScore",
    "METEORScore",
    "MatchedWord",
    "Metric",
    "PreparedReferences",
    "RIBESScore",
    "Score",
    "Shift",
    "TERAlignment",
    "TERScore",
    "WordEdit",
    "ascending_pairs",
    "bleu",
    "from_signature",
    "meteor",
    "ngram_precision_score",
    "ribes",
    "ter",
]
