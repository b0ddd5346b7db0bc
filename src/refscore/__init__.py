"""refscore: exact, fast, explained scores of generated text against references."""

from refscore._version import __version__
from refscore.errors import InputError, RefscoreError, SettingError, SignatureError, SignatureWarning, UnknownNameError
from refscore.metrics import (
    BLEU,
    RIBES,
    BLEUScore,
    RIBESScore,
    bleu,
    from_signature,
    ngram_precision_score,
    ribes,
)
from refscore.segments import from_streams, padded
from refscore.tokenizers import tokenize

__all__ = [
    "BLEU",
    "RIBES",
    "BLEUScore",
    "InputError",
    "RIBESScore",
    "RefscoreError",
    "SettingError",
    "SignatureError",
    "SignatureWarning",
    "UnknownNameError",
    "__version__",
    "bleu",
    "from_signature",
    "from_streams",
    "ngram_precision_score",
    "padded",
    "ribes",
    "tokenize",
]
