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
    CHRF,
    RIBES,
    BLEUScore,
    CHRFScore,
    RIBESScore,
    bleu,
    chrf,
    from_signature,
    ngram_precision_score,
    ribes,
)
from refscore.segments import from_streams, padded
from refscore.tokenizers import tokenize

__all__ = [
    "BLEU",
    "CHRF",
    "RIBES",
    "BLEUScore",
    "CHRFScore",
    "InputError",
    "NotInstalledError",
    "RIBESScore",
    "RefscoreError",
    "SettingError",
    "SignatureError",
    "SignatureWarning",
    "UnknownNameError",
    "__version__",
    "bleu",
    "chrf",
    "from_signature",
    "from_streams",
    "ngram_precision_score",
    "padded",
    "ribes",
    "tokenize",
]


def __getattr__(name: str) -> object:
    """Loads `refscore.compat` when it is asked for."""
    if name == "compat":
        from importlib import import_module

        return import_module("refscore.compat")
    raise AttributeError(f"module 'refscore' has no attribute {name!r}")
