"""sacrebleu on refscore, with sacrebleu 2.6.0's names, arguments, defaults, objects and numbers.

`from refscore.compat import sacrebleu` replaces `import sacrebleu`. `refscore.compat.install("sacrebleu")` replaces all
imports at once, and `python -m refscore.compat.sacrebleu` is the command line. sacrebleu must be installed only for the
command, for test sets, and to download SentencePiece models.
"""

from refscore.compat.overrides import take_missing_names as _take_missing_names
from refscore.compat.sacrebleu import dataset, tokenizers, utils  # noqa: F401 - found by `import sacrebleu`
from refscore.compat.sacrebleu.compat import (
    corpus_bleu,
    corpus_chrf,
    corpus_ter,
    raw_corpus_bleu,
    sentence_bleu,
    sentence_chrf,
    sentence_ter,
)
from refscore.compat.sacrebleu.metrics import BLEU, CHRF, TER, lib_ter  # noqa: F401 - `take_missing_names` needs it
from refscore.compat.sacrebleu.metrics.helpers import extract_char_ngrams, extract_word_ngrams
from refscore.compat.sacrebleu.utils import SACREBLEU_DIR, smart_open
from refscore.compat.sacrebleu.version import __version__

__description__ = "sacrebleu's interface on refscore"

__all__ = [
    "BLEU",
    "CHRF",
    "DATASETS",
    "SACREBLEU_DIR",
    "TER",
    "__version__",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_ter",
    "download_test_set",
    "extract_char_ngrams",
    "extract_word_ngrams",
    "get_available_testsets",
    "get_langpairs_for_testset",
    "get_reference_files",
    "get_source_file",
    "raw_corpus_bleu",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_ter",
    "smart_open",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_take_missing_names(__name__)
