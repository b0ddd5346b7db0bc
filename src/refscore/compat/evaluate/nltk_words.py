"""NLTK's words of a text, by its installed package and data."""

from __future__ import annotations

from typing import Any

from refscore.errors import NotInstalledError


def words(text: str) -> Any:
    """Return the words of a text by `nltk.word_tokenize`, or raise an error that names what it needs."""
    try:
        from nltk import word_tokenize

        return word_tokenize(text)
    except (ModuleNotFoundError, LookupError):
        raise NotInstalledError(
            "evaluate's meteor splits words by NLTK and its data punkt_tab: pip install 'refscore[wordnet]', then "
            "python -m nltk.downloader punkt_tab",
            name="nltk",
        ) from None
