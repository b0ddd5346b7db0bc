"""Split text into words with the installed NLTK."""

from __future__ import annotations

from typing import Any

from refscore.errors import NotInstalledError


def words(text: str) -> Any:
    """Return the words of a text from `nltk.word_tokenize`. Raise an error if NLTK or its data is missing."""
    try:
        from nltk import word_tokenize

        return word_tokenize(text)
    except (ModuleNotFoundError, LookupError):
        raise NotInstalledError(
            "evaluate's meteor needs NLTK and its data punkt_tab: pip install 'refscore[wordnet]', then "
            "python -m nltk.downloader punkt_tab",
            name="nltk",
        ) from None
