"""Word segmentation for languages written without spaces: ICU, and PyThaiNLP for Thai.

Phatthiyaphaibun et al. (2023): PyThaiNLP: Thai Natural Language Processing in Python. NLP-OSS.
"""

from __future__ import annotations

from refscore.tokenizers.base import Tokenizer, requires, well_formed

ICU = "splits words with ICU, which has dictionaries for Thai, Lao, Khmer, Burmese, Chinese and Japanese"
THAI = "splits Thai into words, with PyThaiNLP's newmm"

# Besides whitespace, the zero-width space, which some texts have between words.
_INVISIBLE = " \u200b"


def icu() -> Tokenizer:
    """Load the tokenizer `icu`."""
    with requires("the tokenizer 'icu'", "icu"):
        from icu4py import icu_version
        from icu4py.breakers import WordBreaker

    def words(text: str) -> list[str]:
        # ICU chooses the dictionary by script, so the language does not matter.
        return [word for word in WordBreaker(well_formed(text), "und") if not _is_space(word)]

    return Tokenizer(f"icu-{icu_version}", words, summary=ICU)


def thai() -> Tokenizer:
    """Load the tokenizer `th-newmm`."""
    with requires("the tokenizer 'th-newmm'", "th"):
        from pythainlp import __version__ as version
        from pythainlp.tokenize import word_tokenize

    def words(text: str) -> list[str]:
        return [word for word in word_tokenize(well_formed(text), engine="newmm") if not _is_space(word)]

    return Tokenizer(f"th-newmm-{version}", words, summary=THAI)


def _is_space(word: str) -> bool:
    return not word.strip().strip(_INVISIBLE)
