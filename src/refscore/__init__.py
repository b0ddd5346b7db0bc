"""refscore: exact, fast, explained scores of generated text against references."""

from refscore._version import __version__
from refscore.errors import (
    InputError,
    NotInstalledError,
    RefscoreError,
    SettingError,
    SignatureError,
    SignatureWarning,
    UnknownNameError,
)
from refscore.metrics import (
    BLEU,
    GLEU,
    NIST,
    RIBES,
    BLEUScore,
    GLEUScore,
    NISTScore,
    RIBESScore,
    bleu,
    distinct_n,
    from_signature,
    gleu,
    ngram_precision_score,
    nist,
    ribes,
    self_bleu,
)
from refscore.segments import from_streams, padded
from refscore.tokenizers import tokenize

__all__ = [
    "BLEU",
    "GLEU",
    "NIST",
    "RIBES",
    "BLEUScore",
    "GLEUScore",
    "InputError",
    "NISTScore",
    "NotInstalledError",
    "RIBESScore",
    "RefscoreError",
    "SettingError",
    "SignatureError",
    "SignatureWarning",
    "UnknownNameError",
    "__version__",
    "bleu",
    "distinct_n",
    "from_signature",
    "from_streams",
    "gleu",
    "ngram_precision_score",
    "nist",
    "padded",
    "ribes",
    "self_bleu",
    "tokenize",
]


def __getattr__(name: str) -> object:
    """Loads `refscore.compat` when it is asked for."""
    if name == "compat":
        from importlib import import_module

        return import_module("refscore.compat")
    raise AttributeError(f"module 'refscore' has no attribute {name!r}")
