"""The classes, in a module with the same name as in torchmetrics."""

from refscore.compat.torchmetrics.bleu import BLEUScore, SacreBLEUScore
from refscore.compat.torchmetrics.chrf import CHRFScore
from refscore.compat.torchmetrics.edit import EditDistance
from refscore.compat.torchmetrics.eed import ExtendedEditDistance
from refscore.compat.torchmetrics.error_rates import (
    CharErrorRate,
    MatchErrorRate,
    WordErrorRate,
    WordInfoLost,
    WordInfoPreserved,
)
from refscore.compat.torchmetrics.rouge import ROUGEScore
from refscore.compat.torchmetrics.rows import RIBESScore, RowsScore
from refscore.compat.torchmetrics.squad import SQuAD
from refscore.compat.torchmetrics.ter import TranslationEditRate

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
