"""Words of languages that are written without spaces: by ICU, and Thai ones by PyThaiNLP.

Phatthiyaphaibun et al. (2023): PyThaiNLP: Thai Natural Language Processing in Python. NLP-OSS.
"""

from __future__ import annotations

from refscore.errors import NotInstalledError
from refscore.tokenizers.base import Tokenizer, well_formed

ICU = "splits words as Unicode's ICU does, Thai, Lao, Khmer, Burmese, Chinese and Japanese by its dictionaries"
THAI = "splits Thai into words, by PyThaiNLP's newmm"

# Beside white space: the break between words that some write, which shows nothing.
_UNSEEN = " \u200b"


def icu() -> Tokenizer:
    """The tokenizer `icu`."""
    try:
        from icu4py import icu_version
        from icu4py.breakers import WordBreaker
    except ImportError:
        raise NotInstalledError("the tokenizer 'icu' needs icu4py: pip install 'refscore[icu]'") from None

    def words(text: str) -> list[str]:
        # Scripts choose the dictionaries, so that the language does not matter.
        return [word for word in WordBreaker(well_formed(text), "und") if not _is_space(word)]

    return Tokenizer(f"icu-{icu_version}", words, summary=ICU)


def thai() -> Tokenizer:
    """The tokenizer `th-newmm`."""
    try:
        from pythainlp import __version__ as version
        from pythainlp.tokenize import word_tokenize
    except ImportError:
        raise NotInstalledError("the tokenizer 'th-newmm' needs pythainlp: pip install 'refscore[th]'") from None

    def words(text: str) -> list[str]:
        return [word for word in word_tokenize(well_formed(text), engine="newmm") if not _is_space(word)]

    return Tokenizer(f"th-newmm-{version}", words, summary=THAI)


def _is_space(word: str) -> bool:
    return not word.strip().strip(_UNSEEN)
