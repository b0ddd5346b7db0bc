"""The metrics. A metric turns segments into rows of statistics, which can be summed, and rows into scores.

Each metric has its own folder, which is imported on first use. `core` has the code that metrics share.
"""

from typing import TYPE_CHECKING

from refscore.metrics.core.metric import Metric
from refscore.metrics.core.prepared import PreparedReferences
from refscore.metrics.core.score import Score

if TYPE_CHECKING:
    from refscore.metrics.bleu import BLEU, BLEUScore, ngram_precision_score
    from refscore.metrics.chrf import CHRF, CHRFScore
    from refscore.metrics.core.description import describe
    from refscore.metrics.core.python_metric import PythonMetric
    from refscore.metrics.core.registry import METRICS, register
    from refscore.metrics.core.row_sums import GroupedRowSum, RowSum, sum_rows, sum_rows_by
    from refscore.metrics.core.selection import MetricChoice, MetricChoices, parse_metric, parse_metrics
    from refscore.metrics.core.settings import setting
    from refscore.metrics.core.signatures import from_signature
    from refscore.metrics.corpus_scores import scores
    from refscore.metrics.diversity import distinct_n, self_bleu
    from refscore.metrics.error_rate import CER, WER, CERScore, EditRun, WERScore, WordEdit
    from refscore.metrics.given import Given, GivenScore
    from refscore.metrics.gleu import GLEU, GLEUScore
    from refscore.metrics.meteor import METEOR, MatchedWord, METEORScore
    from refscore.metrics.nist import NIST, Information, NISTScore
    from refscore.metrics.ribes import RIBES, AlignedWord, RIBESScore, ascending_pairs
    from refscore.metrics.rouge import ROUGE, ROUGEScore
    from refscore.metrics.ter import TER, Shift, TERAlignment, TEREdit, TERScore

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
    "Score",
    "Shift",
    "TERAlignment",
    "TEREdit",
    "TERScore",
    "WERScore",
    "WordEdit",
    "ascending_pairs",
    "describe",
    "distinct_n",
    "from_signature",
    "ngram_precision_score",
    "parse_metric",
    "parse_metrics",
    "register",
    "scores",
    "self_bleu",
    "setting",
    "sum_rows",
    "sum_rows_by",
]

_LAZY = {
    "bleu": ("BLEU", "BLEUScore", "ngram_precision_score"),
    "chrf": ("CHRF", "CHRFScore"),
    "core.description": ("describe",),
    "core.python_metric": ("PythonMetric",),
    "core.registry": ("METRICS", "register"),
    "core.row_sums": ("GroupedRowSum", "RowSum", "sum_rows", "sum_rows_by"),
    "core.selection": ("MetricChoice", "MetricChoices", "parse_metric", "parse_metrics"),
    "core.settings": ("setting",),
    "core.signatures": ("from_signature",),
    "corpus_scores": ("scores",),
    "diversity": ("distinct_n", "self_bleu"),
    "error_rate": ("CER", "CERScore", "EditRun", "WER", "WERScore", "WordEdit"),
    "given": ("Given", "GivenScore"),
    "gleu": ("GLEU", "GLEUScore"),
    "meteor": ("METEOR", "METEORScore", "MatchedWord"),
    "nist": ("Information", "NIST", "NISTScore"),
    "ribes": ("AlignedWord", "RIBES", "RIBESScore", "ascending_pairs"),
    "rouge": ("ROUGE", "ROUGEScore"),
    "ter": ("Shift", "TER", "TERAlignment", "TEREdit", "TERScore"),
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
