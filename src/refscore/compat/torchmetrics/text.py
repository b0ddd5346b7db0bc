"""The classes, in a module with the same name as in torchmetrics."""

from refscore.compat.torchmetrics.bleu import BLEUScore, SacreBLEUScore
from refscore.compat.torchmetrics.chrf import CHRFScore
from refscore.compat.torchmetrics.edits import (
    CharErrorRate,
    EditDistance,
    ExtendedEditDistance,
    MatchErrorRate,
    TranslationEditRate,
    WordErrorRate,
    WordInfoLost,
    WordInfoPreserved,
)
from refscore.compat.torchmetrics.rouge import ROUGEScore
from refscore.compat.torchmetrics.squad import SQuAD
from refscore.compat.torchmetrics.sums import RIBESScore, RowsScore

__all__ = [
    "BLEUScore",
    "CHRFScore",
    "CharErrorRate",
    "EditDistance",
    "ExtendedEditDistance",
    "MatchErrorRate",
    "RIBESScore",
    "ROUGEScore",
    "RowsScore",
    "SQuAD",
    "SacreBLEUScore",
    "TranslationEditRate",
    "WordErrorRate",
    "WordInfoLost",
    "WordInfoPreserved",
]
