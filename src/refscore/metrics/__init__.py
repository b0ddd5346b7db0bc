"""The metrics: each turns segments into rows that add up, and rows into scores."""

from refscore.metrics.base import Metric, Score
from refscore.metrics.bleu import BLEU, BLEUScore, bleu, ngram_precision_score
from refscore.metrics.cer import CER, CERScore, cer
from refscore.metrics.chrf import CHRF, CHRFScore, chrf
from refscore.metrics.diversity import distinct_n, self_bleu
from refscore.metrics.error_rate import WordEdit
from refscore.metrics.gleu import GLEU, GLEUScore, gleu
from refscore.metrics.information import Information
from refscore.metrics.meteor import METEOR, METEORScore, meteor
from refscore.metrics.meteor_words import MatchedWord
from refscore.metrics.nist import NIST, NISTScore, nist
from refscore.metrics.references import PreparedReferences
from refscore.metrics.registry import METRICS, from_signature
from refscore.metrics.ribes import RIBES, AlignedWord, RIBESScore, ascending_pairs, ribes
from refscore.metrics.rouge import ROUGE, ROUGEScore, rouge
from refscore.metrics.several import scores
from refscore.metrics.ter import TER, Shift, TERAlignment, TEREdit, TERScore, ter
from refscore.metrics.wer import WER, WERScore, wer

__all__ = [
    "BLEU",
    "CER",
    "CHRF",
    "GLEU",
    "METEOR",
    "METRICS",
    "NIST",
    "RIBES",
    "ROUGE",
    "TER",
    "WER",
    "AlignedWord",
    "BLEUScore",
    "CERScore",
    "CHRFScore",
    "GLEUScore",
    "Information",
    "METEORScore",
    "MatchedWord",
    "Metric",
    "NISTScore",
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
    "chrf",
    "distinct_n",
    "from_signature",
    "gleu",
    "meteor",
    "ngram_precision_score",
    "nist",
    "ribes",
    "rouge",
    "scores",
    "self_bleu",
    "ter",
    "wer",
]
