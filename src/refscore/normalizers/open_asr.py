"""The normalizers of the Open ASR Leaderboard for languages other than English, which spell numbers out."""

from __future__ import annotations

import re
from functools import partial

from refscore.errors import NotInstalledError
from refscore.normalizers.base import Normalizer

LANGUAGES = {"de": "German", "es": "Spanish", "fr": "French", "it": "Italian", "pt": "Portuguese"}
# Digits that a space divides into thousands, such as 10 000.
_THOUSANDS = re.compile(r"(\d)\s+(\d{3})\b")


def language_normalizers(multilingual: Normalizer) -> dict[str, Normalizer]:
    """Return the normalizers by name, which first apply `multilingual`."""
    return {
        f"open-asr-{code}-2026-03": Normalizer(
            f"open-asr-{code}-2026-03",
            partial(_normalize, multilingual, code),
            summary=f"is {multilingual.name}, and writes numbers as {language} words (the Open ASR Leaderboard since "
            "March 2026, with num2words)",
        )
        for code, language in LANGUAGES.items()
    }


def _normalize(multilingual: Normalizer, language: str, text: str) -> str:
    normalized = _THOUSANDS.sub(r"\1\2", multilingual.normalize(text))
    return re.sub(r"\d+", lambda found: _spell(found[0], language), normalized)


def _spell(digits: str, language: str) -> str:
    try:
        from num2words import num2words
    except ImportError:
        raise NotInstalledError("numbers as words need num2words: pip install 'refscore[numbers]'") from None
    try:
        return str(num2words(int(digits), lang=language))
    except Exception:  # as in the original: num2words cannot spell all large numbers, and raises errors of many kinds
        return digits
