"""refscore: exact, fast, explained scores of generated text against references.

The module of a metric is imported on first use of one of its names.
"""

from typing import TYPE_CHECKING

import refscore._interpreter  # noqa: F401 - raises ImportError in a subinterpreter
from refscore._version import __version__
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
    from refscore.accumulation import Accumulator
    from refscore.comparison import compare
    from refscore.conventions.comparison import compare_conventions
    from refscore.metrics.bleu.metric import BLEU, BLEUScore, bleu, ngram_precision_score
    from refscore.metrics.chrf.metric import CHRF, CHRFScore, chrf
    from refscore.metrics.core.limits import limits
    from refscore.metrics.core.python_metric import PythonMetric
    from refscore.metrics.core.signatures import from_signature
    from refscore.metrics.corpus_scores import scores
    from refscore.metrics.diversity import distinct_n, self_bleu
    from refscore.metrics.error_rate.cer import CER, CERScore, cer
    from refscore.metrics.error_rate.wer import WER, WERScore, wer
    from refscore.metrics.given.metric import Given, GivenScore
    from refscore.metrics.gleu.metric import GLEU, GLEUScore, gleu
    from refscore.metrics.meteor.metric import METEOR, METEORScore, meteor
    from refscore.metrics.nist.metric import NIST, NISTScore, nist
    from refscore.metrics.ribes.metric import RIBES, RIBESScore, ribes
    from refscore.metrics.rouge.metric import ROUGE, ROUGEScore, rouge
    from refscore.metrics.ter.metric import TER, TERScore, ter
    from refscore.report import write_report

__all__ = [
    "BLEU",
    "CER",
    "CHRF",
    "GLEU",
    "METEOR",
    "NIST",
    "RIBES",
    "ROUGE",
    "TER",
    "WER",
    "Accumulator",
    "BLEUScore",
    "CERScore",
    "CHRFScore",
    "EmptyReferenceError",
    "GLEUScore",
    "Given",
    "GivenScore",
    "InputError",
    "LimitError",
    "METEORScore",
    "NISTScore",
    "NotInstalledError",
    "PythonMetric",
    "RIBESScore",
    "ROUGEScore",
    "RefscoreError",
    "SettingError",
    "SignatureError",
    "SignatureWarning",
    "TERScore",
    "UnknownNameError",
    "WERScore",
    "__version__",
    "bleu",
    "cer",
    "chrf",
    "compare",
    "compare_conventions",
    "distinct_n",
    "from_signature",
    "from_streams",
    "gleu",
    "limits",
    "meteor",
    "ngram_precision_score",
    "nist",
    "padded",
    "ribes",
    "rouge",
    "scores",
    "self_bleu",
    "ter",
    "tokenize",
    "wer",
    "write_report",
]


_PACKAGES = (
    "accumulation",
    "comparison",
    "compat",
    "conventions",
    "engines",
    "frames",
    "mbr",
    "metrics",
    "readers",
    "report",
    "rewards",
    "significance",
    "steps",
)
_METRICS = {
    "bleu": ("BLEU", "BLEUScore", "bleu", "ngram_precision_score"),
    "chrf": ("CHRF", "CHRFScore", "chrf"),
    "core.limits": ("limits",),
    "core.python_metric": ("PythonMetric",),
    "core.signatures": ("from_signature",),
    "corpus_scores": ("scores",),
    "diversity": ("distinct_n", "self_bleu"),
    "error_rate": ("CER", "CERScore", "WER", "WERScore", "cer", "wer"),
    "given": ("Given", "GivenScore"),
    "gleu": ("GLEU", "GLEUScore", "gleu"),
    "meteor": ("METEOR", "METEORScore", "meteor"),
    "nist": ("NIST", "NISTScore", "nist"),
    "ribes": ("RIBES", "RIBESScore", "ribes"),
    "rouge": ("ROUGE", "ROUGEScore", "rouge"),
    "ter": ("TER", "TERScore", "ter"),
}
_MODULES = {name: f"metrics.{module}" for module, names in _METRICS.items() for name in names}
_MODULES |= {
    "Accumulator": "accumulation",
    "compare": "comparison",
    "compare_conventions": "conventions",
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
