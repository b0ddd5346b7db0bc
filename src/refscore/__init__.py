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
    CER,
    CHRF,
    GLEU,
    METEOR,
    NIST,
    RIBES,
    ROUGE,
    TER,
    WER,
    BLEUScore,
    CERScore,
    CHRFScore,
    GLEUScore,
    METEORScore,
    NISTScore,
    RIBESScore,
    ROUGEScore,
    TERScore,
    WERScore,
    bleu,
    cer,
    chrf,
    distinct_n,
    from_signature,
    gleu,
    meteor,
    ngram_precision_score,
    nist,
    ribes,
    rouge,
    scores,
    self_bleu,
    ter,
    wer,
)
from refscore.segments import from_streams, padded
from refscore.tokenizers import tokenize

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
    "BLEUScore",
    "CERScore",
    "CHRFScore",
    "GLEUScore",
    "InputError",
    "METEORScore",
    "NISTScore",
    "NotInstalledError",
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
    "distinct_n",
    "from_signature",
    "from_streams",
    "gleu",
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
]


def __getattr__(name: str) -> object:
    """Loads `refscore.compat` when it is asked for."""
    if name == "compat":
        from importlib import import_module

        return import_module("refscore.compat")
    raise AttributeError(f"module 'refscore' has no attribute {name!r}")
