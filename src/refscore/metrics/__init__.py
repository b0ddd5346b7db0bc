"""The metrics. A metric turns segments into rows of statistics, which can be summed, and rows into scores.

Each metric has its own folder, which is imported on first use. `core` has the code that metrics share.
"""

from typing import TYPE_CHECKING

from refscore.metrics.core.metric import Metric
from refscore.metrics.core.prepared import PreparedReferences
from refscore.metrics.core.score import Score

if TYPE_CHECKING:
    from refscore.metrics.bleu import BLEU, BLEUScore, ngram_precision_score
    from refscore.metrics.character import CharacTER, CharacTERAlignment, CharacTERScore
    from refscore.metrics.chrf import CHRF, CHRFScore
    from refscore.metrics.cider import CIDER, CIDERScore, DocumentFrequencies
    from refscore.metrics.core.description import describe
    from refscore.metrics.core.python_metric import PythonMetric
    from refscore.metrics.core.registry import METRICS, register
    from refscore.metrics.core.row_sums import GroupedRowSum, RowSum, sum_rows, sum_rows_by
    from refscore.metrics.core.selection import MetricChoice, MetricChoices, parse_metric, parse_metrics
    from refscore.metrics.core.settings import setting
    from refscore.metrics.core.signatures import from_signature
    from refscore.metrics.core.word_edits import AlignsWords
    from refscore.metrics.corpus_scores import scores, segment_scores
    from refscore.metrics.crystalbleu import CrystalBLEU, CrystalBLEUScore, FrequentNgrams
    from refscore.metrics.diversity import distinct_n, self_bleu
    from refscore.metrics.eed import EED, EEDPath, EEDScore, EEDStep
    from refscore.metrics.error_rate import CER, GLM, WER, CERScore, EditRun, GLMRule, WERScore, WordEdit, WordList
    from refscore.metrics.exact_match import ExactMatch, ExactMatchScore
    from refscore.metrics.given import Given, GivenScore
    from refscore.metrics.gleu import GLEU, GLEUScore
    from refscore.metrics.meteor import METEOR, MatchedWord, METEORScore
    from refscore.metrics.nist import NIST, Information, NISTScore
    from refscore.metrics.ribes import RIBES, AlignedWord, RIBESScore, ascending_pairs
    from refscore.metrics.rouge import ROUGE, ROUGEScore
    from refscore.metrics.sari import SARI, SARIScore
    from refscore.metrics.ter import TER, Shift, TERAlignment, TEREdit, TERScore
    from refscore.metrics.token_f1 import TokenF1, TokenF1Score

__all__ = [
    "BLEU",
    "CER",
    "CHRF",
    "CIDER",
    "EED",
    "GLEU",
    "GLM",
    "METEOR",
    "METRICS",
    "NIST",
    "RIBES",
    "ROUGE",
    "SARI",
    "TER",
    "WER",
    "AlignedWord",
    "AlignsWords",
    "BLEUScore",
    "CERScore",
    "CHRFScore",
    "CIDERScore",
    "CharacTER",
    "CharacTERAlignment",
    "CharacTERScore",
    "CrystalBLEU",
    "CrystalBLEUScore",
    "DocumentFrequencies",
    "EEDPath",
    "EEDScore",
    "EEDStep",
    "EditRun",
    "ExactMatch",
    "ExactMatchScore",
    "FrequentNgrams",
    "GLEUScore",
    "GLMRule",
    "Given",
    "GivenScore",
    "GroupedRowSum",
    "Information",
    "METEORScore",
    "MatchedWord",
    "Metric",
    "MetricChoice",
    "MetricChoices",
    "NISTScore",
    "PreparedReferences",
    "PythonMetric",
    "RIBESScore",
    "ROUGEScore",
    "RowSum",
    "SARIScore",
    "Score",
    "Shift",
    "TERAlignment",
    "TEREdit",
    "TERScore",
    "TokenF1",
    "TokenF1Score",
    "WERScore",
    "WordEdit",
    "WordList",
    "ascending_pairs",
    "describe",
    "distinct_n",
    "from_signature",
    "ngram_precision_score",
    "parse_metric",
    "parse_metrics",
    "register",
    "scores",
    "segment_scores",
    "self_bleu",
    "setting",
    "sum_rows",
    "sum_rows_by",
]

_LAZY = {
    "bleu": ("BLEU", "BLEUScore", "ngram_precision_score"),
    "character": ("CharacTER", "CharacTERAlignment", "CharacTERScore"),
    "chrf": ("CHRF", "CHRFScore"),
    "cider": ("CIDER", "CIDERScore", "DocumentFrequencies"),
    "core.description": ("describe",),
    "core.python_metric": ("PythonMetric",),
    "core.registry": ("METRICS", "register"),
    "core.row_sums": ("GroupedRowSum", "RowSum", "sum_rows", "sum_rows_by"),
    "core.selection": ("MetricChoice", "MetricChoices", "parse_metric", "parse_metrics"),
    "core.settings": ("setting",),
    "core.signatures": ("from_signature",),
    "core.word_edits": ("AlignsWords",),
    "corpus_scores": ("scores", "segment_scores"),
    "crystalbleu": ("CrystalBLEU", "CrystalBLEUScore", "FrequentNgrams"),
    "diversity": ("distinct_n", "self_bleu"),
    "eed": ("EED", "EEDPath", "EEDScore", "EEDStep"),
    "error_rate": ("CER", "CERScore", "EditRun", "GLM", "GLMRule", "WER", "WERScore", "WordEdit", "WordList"),
    "exact_match": ("ExactMatch", "ExactMatchScore"),
    "given": ("Given", "GivenScore"),
    "gleu": ("GLEU", "GLEUScore"),
    "meteor": ("METEOR", "METEORScore", "MatchedWord"),
    "nist": ("Information", "NIST", "NISTScore"),
    "ribes": ("AlignedWord", "RIBES", "RIBESScore", "ascending_pairs"),
    "rouge": ("ROUGE", "ROUGEScore"),
    "sari": ("SARI", "SARIScore"),
    "ter": ("Shift", "TER", "TERAlignment", "TEREdit", "TERScore"),
    "token_f1": ("TokenF1", "TokenF1Score"),
}
_MODULES = {name: module for module, names in _LAZY.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
