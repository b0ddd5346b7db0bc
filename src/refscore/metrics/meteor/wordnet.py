from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from refscore.errors import NotInstalledError, SettingError

# The version of NLTK's data package `wordnet`. A different version would give a different score for the same signature.
VERSION = "3.0"

# The size of the cache of synonyms: more words than a corpus of a million sentences has, in some tens of megabytes.
_MOST_WORDS = 1 << 18


@cache
def reader() -> Any:
    """Load NLTK's reader of WordNet. Raise a NotInstalledError if NLTK or its data is missing."""
    try:
        from nltk.corpus import wordnet
    except ModuleNotFoundError:
        raise NotInstalledError(
            "synonyms='wordnet' needs NLTK: pip install 'refscore[wordnet]', then python -m nltk.downloader wordnet"
        ) from None
    try:
        wordnet.ensure_loaded()
    except (LookupError, OSError):
        raise NotInstalledError(
            "synonyms='wordnet' needs NLTK's data of WordNet, which is not installed: python -m nltk.downloader wordnet"
        ) from None
    version = wordnet.get_version()
    if version != VERSION:
        raise SettingError(
            f"synonyms='wordnet' needs WordNet {VERSION}, but NLTK has {version}: install NLTK's package wordnet"
        )
    return wordnet


@lru_cache(maxsize=_MOST_WORDS)
def synonyms_of(word: str) -> frozenset[str]:
    names = (lemma.name() for synset in reader().synsets(word) for lemma in synset.lemmas())
    return frozenset(name for name in names if "_" not in name)
