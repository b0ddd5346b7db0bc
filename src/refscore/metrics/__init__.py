"""The metrics: each turns segments into rows that add up, and rows into scores.

A metric's module is loaded when one of its names is first asked for.
"""

from typing import TYPE_CHECKING

from refscore.metrics.base import Metric, Score
from refscore.metrics.references import PreparedReferences

if TYPE_CHECKING:
    from refscore.metrics.bleu import BLEU, BLEUScore, ngram_precision_score
    from refscore.metrics.cer import CER, CERScore
    from refscore.metrics.chrf import CHRF, CHRFScore
    from refscore.metrics.diversity import distinct_n, self_bleu
    from refscore.metrics.error_rate import EditRun, WordEdit
    from refscore.metrics.gleu import GLEU, GLEUScore
    from refscore.metrics.information import Information
    from refscore.metrics.meteor import METEOR, METEORScore
    from refscore.metrics.meteor_words import MatchedWord
    from refscore.metrics.nist import NIST, NISTScore
    from refscore.metrics.registry import METRICS, from_signature
    from refscore.metrics.ribes import RIBES, AlignedWord, RIBESScore, ascending_pairs
    from refscore.metrics.rouge import ROUGE, ROUGEScore
    from refscore.metrics.several import scores
    from refscore.metrics.ter import TER, Shift, TERAlignment, TEREdit, TERScore
    from refscore.metrics.wer import WER, WERScore

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
    "EditRun",
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
    "distinct_n",
    "from_signature",
    "ngram_precision_score",
    "scores",
    "self_bleu",
]

_MODULES = {
    "AlignedWord": "ribes",
    "BLEU": "bleu",
    "BLEUScore": "bleu",
    "CER": "cer",
    "CERScore": "cer",
    "CHRF": "chrf",
    "CHRFScore": "chrf",
    "EditRun": "error_rate",
    "GLEU": "gleu",
    "GLEUScore": "gleu",
    "Information": "information",
    "METEOR": "meteor",
    "METEORScore": "meteor",
    "METRICS": "registry",
    "MatchedWord": "meteor_words",
    "NIST": "nist",
    "NISTScore": "nist",
    "RIBES": "ribes",
    "RIBESScore": "ribes",
    "ROUGE": "rouge",
    "ROUGEScore": "rouge",
    "Shift": "ter",
    "TER": "ter",
    "TERAlignment": "ter",
    "TEREdit": "ter",
    "TERScore": "ter",
    "WER": "wer",
    "WERScore": "wer",
    "WordEdit": "error_rate",
    "ascending_pairs": "ribes",
    "distinct_n": "diversity",
    "from_signature": "registry",
    "ngram_precision_score": "bleu",
    "scores": "several",
    "self_bleu": "diversity",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
