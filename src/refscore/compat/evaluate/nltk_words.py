"""NLTK's words of a text, by its installed package and data."""

from __future__ import annotations

from refscore.errors import NotInstalledError


def words(text: str) -> list[str]:
    """The words of a text by `nltk.word_tokenize`, or the error that says what it needs."""
    try:
        from nltk import word_tokenize
    except ModuleNotFoundError:
        raise NotInstalledError(
            "evaluate's meteor splits words by NLTK: pip install 'refscore[wordnet]'", name="nltk"
        ) from None
    try:
        found: list[str] = word_tokenize(text)
    except LookupError:
        raise NotInstalledError(
            "evaluate's meteor splits words by NLTK's data punkt_tab: python -m nltk.downloader punkt_tab",
            name="nltk",
        ) from None
    return found
