"""refscore: exact, fast, explained scores of generated text against references.

The module of a metric is imported on first use of one of its names.
"""

from typing import TYPE_CHECKING

import refscore._interpreter  # noqa: F401 - raises ImportError in a subinterpreter
from refscore._version import __version__
from refscore.data_warnings import (
    DataWarning,
    IdenticalTextWarning,
    LengthWarning,
    SingleSegmentWarning,
    TokenizedTextWarning,
    UnspacedTextWarning,
    ZeroScoreWarning,
)
from refscore.errors import (
    EmptyReferenceError,
    InputError,
    LimitError,
    NotInstalledError,
    RefscoreError,
    SettingError,
    SignatureError,
    SignatureWarning,
    UnknownNameError,
)
from refscore.segments import from_streams, padded
from refscore.tokenizers import tokenize

if TYPE_CHECKING:
    from refscore._citation import citation
    from refscore.accumulation import Accumulator
    from refscore.alignments import alignment_view, word_errors
    from refscore.comparison import compare
    from refscore.conventions.comparison import compare_conventions
    from refscore.metrics.bleu.metric import BLEU, BLEUScore, bleu, ngram_precision_score
    from refscore.metrics.character.metric import CharacTER, CharacTERScore, character
    from refscore.metrics.chrf.metric import CHRF, CHRFScore, chrf
    from refscore.metrics.cider.metric import CIDER, CIDERScore, cider
    from refscore.metrics.core.limits import limits
    from refscore.metrics.core.python_metric import PythonMetric
    from refscore.metrics.core.signatures import from_signature
    from refscore.metrics.corpus_scores import scores, segment_scores
    from refscore.metrics.crystalbleu.metric import CrystalBLEU, CrystalBLEUScore, crystalbleu
    from refscore.metrics.diversity import distinct_n, self_bleu
    from refscore.metrics.eed.metric import EED, EEDScore, eed
    from refscore.metrics.error_rate.cer import CER, CERScore, cer
    from refscore.metrics.error_rate.glm import GLM
    from refscore.metrics.error_rate.wer import WER, WERScore, wer
    from refscore.metrics.error_rate.word_list import WordList
    from refscore.metrics.exact_match.metric import ExactMatch, ExactMatchScore, exact_match
    from refscore.metrics.given.metric import Given, GivenScore
    from refscore.metrics.gleu.metric import GLEU, GLEUScore, gleu
    from refscore.metrics.meteor.metric import METEOR, METEORScore, meteor
    from refscore.metrics.nist.metric import NIST, NISTScore, nist
    from refscore.metrics.ribes.metric import RIBES, RIBESScore, ribes
    from refscore.metrics.rouge.metric import ROUGE, ROUGEScore, rouge
    from refscore.metrics.sari.metric import SARI, SARIScore, sari
    from refscore.metrics.ter.metric import TER, TERScore, ter
    from refscore.metrics.token_f1.metric import TokenF1, TokenF1Score, token_f1
    from refscore.report import write_report
    from refscore.resegmentation import resegment

__all__ = [
    "BLEU",
    "CER",
    "CHRF",
    "CIDER",
    "EED",
    "GLEU",
    "GLM",
    "METEOR",
    "NIST",
    "RIBES",
    "ROUGE",
    "SARI",
    "TER",
    "WER",
    "Accumulator",
    "BLEUScore",
    "CERScore",
    "CHRFScore",
    "CIDERScore",
    "CharacTER",
    "CharacTERScore",
    "CrystalBLEU",
    "CrystalBLEUScore",
    "DataWarning",
    "EEDScore",
    "EmptyReferenceError",
    "ExactMatch",
    "ExactMatchScore",
    "GLEUScore",
    "Given",
    "GivenScore",
    "IdenticalTextWarning",
    "InputError",
    "LengthWarning",
    "LimitError",
    "METEORScore",
    "NISTScore",
    "NotInstalledError",
    "PythonMetric",
    "RIBESScore",
    "ROUGEScore",
    "RefscoreError",
    "SARIScore",
    "SettingError",
    "SignatureError",
    "SignatureWarning",
    "SingleSegmentWarning",
    "TERScore",
    "TokenF1",
    "TokenF1Score",
    "TokenizedTextWarning",
    "UnknownNameError",
    "UnspacedTextWarning",
    "WERScore",
    "WordList",
    "ZeroScoreWarning",
    "__version__",
    "alignment_view",
    "bleu",
    "cer",
    "character",
    "chrf",
    "cider",
    "citation",
    "compare",
    "compare_conventions",
    "crystalbleu",
    "distinct_n",
    "eed",
    "exact_match",
    "from_signature",
    "from_streams",
    "gleu",
    "limits",
    "meteor",
    "ngram_precision_score",
    "nist",
    "padded",
    "resegment",
    "ribes",
    "rouge",
    "sari",
    "scores",
    "segment_scores",
    "self_bleu",
    "ter",
    "token_f1",
    "tokenize",
    "wer",
    "word_errors",
    "write_report",
]


_PACKAGES = (
    "accumulation",
    "alignments",
    "comparison",
    "compat",
    "conventions",
    "engines",
    "frames",
    "mbr",
    "meetings",
    "metrics",
    "overlap",
    "readers",
    "report",
    "resegmentation",
    "rewards",
    "significance",
    "steps",
)
_METRICS = {
    "bleu": ("BLEU", "BLEUScore", "bleu", "ngram_precision_score"),
    "character": ("CharacTER", "CharacTERScore", "character"),
    "chrf": ("CHRF", "CHRFScore", "chrf"),
    "cider": ("CIDER", "CIDERScore", "cider"),
    "core.limits": ("limits",),
    "core.python_metric": ("PythonMetric",),
    "core.signatures": ("from_signature",),
    "corpus_scores": ("scores", "segment_scores"),
    "crystalbleu": ("CrystalBLEU", "CrystalBLEUScore", "crystalbleu"),
    "diversity": ("distinct_n", "self_bleu"),
    "eed": ("EED", "EEDScore", "eed"),
    "error_rate": ("CER", "CERScore", "GLM", "WER", "WERScore", "WordList", "cer", "wer"),
    "exact_match": ("ExactMatch", "ExactMatchScore", "exact_match"),
    "given": ("Given", "GivenScore"),
    "gleu": ("GLEU", "GLEUScore", "gleu"),
    "meteor": ("METEOR", "METEORScore", "meteor"),
    "nist": ("NIST", "NISTScore", "nist"),
    "ribes": ("RIBES", "RIBESScore", "ribes"),
    "rouge": ("ROUGE", "ROUGEScore", "rouge"),
    "sari": ("SARI", "SARIScore", "sari"),
    "ter": ("TER", "TERScore", "ter"),
    "token_f1": ("TokenF1", "TokenF1Score", "token_f1"),
}
_MODULES = {name: f"metrics.{module}" for module, names in _METRICS.items() for name in names}
_MODULES |= {
    "Accumulator": "accumulation",
    "alignment_view": "alignments",
    "citation": "_citation",
    "compare": "comparison",
    "compare_conventions": "conventions",
    "resegment": "resegmentation",
    "word_errors": "alignments",
    "write_report": "report",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _PACKAGES:
        return import_module(f"refscore.{name}")
    if name not in _MODULES:
        raise _no_attribute(name)
    value = globals()[name] = getattr(import_module(f"refscore.{_MODULES[name]}"), name)
    return value


def _no_attribute(name: str) -> AttributeError:
    import sys

    message = f"module {__name__!r} has no attribute {name!r}"
    kind, _, metric = name.partition("_")
    if kind in ("corpus", "sentence") and metric in ("bleu", "chrf", "ter"):
        return AttributeError(f"{message}: use refscore.{metric}, or refscore.compat.sacrebleu.{name}")
    return AttributeError(message, name=name, obj=sys.modules[__name__])  # Python suggests a similar name


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
