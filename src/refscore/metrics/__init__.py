"""The metrics: each turns segments into rows that add up, and rows into scores."""

from refscore.metrics.base import Metric, Score
from refscore.metrics.bleu import BLEU, BLEUScore, bleu, ngram_precision_score
from refscore.metrics.cer import CER, CERScore, cer
from refscore.metrics.error_rate import WordEdit
from refscore.metrics.meteor import METEOR, METEORScore, meteor
from refscore.metrics.meteor_words import MatchedWord
from refscore.metrics.references import PreparedReferences
from refscore.metrics.registry import METRICS, from_signature
from refscore.metrics.ribes import RIBES, AlignedWord, RIBESScore, ascending_pairs, ribes
from refscore.metrics.rouge import ROUGE, ROUGEScore, rouge
from refscore.metrics.ter import TER, Shift, TERAlignment, TEREdit, TERScore, ter
from refscore.metrics.wer import WER, WERScore, wer

__all__ = [
    "BLEU",
    "CER",
    "METEOR",
    "METRICS",
    "RIBES",
    "ROUGE",
    "TER",
    "WER",
    "AlignedWord",
    "BLEUScore",
    "CERScore",
    "METEORScore",
    "MatchedWord",
    "Metric",
    "PreparedReferences",
    "RIBESScore",
    "ROUGEScore",
    "Score",
    "Shift",
    "TERAlignment",
    "TEREdit",
    "TERScore",
    "WERScore",
    "WordEdit",
    "ascending_pairs",
    "bleu",
    "cer",
    "from_signature",
    "meteor",
    "ngram_precision_score",
    "ribes",
    "rouge",
    "ter",
    "wer",
]
