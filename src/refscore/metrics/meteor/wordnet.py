"""Synonyms from WordNet 3.0, read by NLTK; the only place that imports it."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from refscore.errors import NotInstalledError, SettingError

# What NLTK's data package `wordnet` holds; with another version the same signature would give another number.
VERSION = "3.0"

# More words than a corpus has.
_MOST_WORDS = 1 << 18


@cache
def reader() -> Any:
    """NLTK's reader of WordNet, loaded; or the error that says what is missing."""
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
            "synonyms='wordnet' needs the data of WordNet, which NLTK does not find: python -m nltk.downloader wordnet"
        ) from None
    version = wordnet.get_version()
    if version != VERSION:
        raise SettingError(f"synonyms='wordnet' means WordNet {VERSION}, and NLTK finds version {version}")
    return wordnet


@lru_cache(maxsize=_MOST_WORDS)
def synonyms_of(word: str) -> frozenset[str]:
    """The single words that share a meaning with a word."""
    names = (lemma.name() for synset in reader().synsets(word) for lemma in synset.lemmas())
    return frozenset(name for name in names if "_" not in name)
