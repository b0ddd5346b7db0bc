"""refscore: exact, fast, explained scores of generated text against references."""

from refscore._version import __version__
from refscore.errors import InputError, RefscoreError, SettingError, SignatureError, SignatureWarning, UnknownNameError
from refscore.metrics import BLEU, BLEUScore, bleu, from_signature, ngram_precision_score
from refscore.segments import from_streams, padded
from refscore.tokenizers import tokenize

__all__ = [
    "BLEU",
    "BLEUScore",
    "InputError",
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
    "tokenize",
]
