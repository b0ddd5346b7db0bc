"""The normalizers that run in native code.

Radford et al. (2022): Robust Speech Recognition via Large-Scale Weak Supervision. Appendix C describes Whisper's.
"""

from __future__ import annotations

from refscore.normalizers.base import Normalizer
from refscore.normalizers.open_asr import language_normalizers
from refscore.normalizers.steps import TextRewriter

_LEADERBOARD = "the Open ASR Leaderboard"
_PACKAGE = "whisper-normalizer 0.1.15"
_ORIGINALS = "openai-whisper 20250625, transformers 5.22.2"

# The native step, and what the normalizer does, in words that follow its name.
_STEPS = {
    "NFC": ("nfc", "joins letters and their accents"),
    "NFKC": ("nfkc", "joins letters and accents, and replaces variants such as wide letters"),
    "nopunct": ("remove_punctuation", "removes punctuation of all scripts, like jiwer's RemovePunctuation"),
    "whisper-en": (
        "whisper_en",
        "writes numbers in digits, expands contractions, uses American spellings, and removes fillers and punctuation "
        f"({_PACKAGE})",
    ),
    "whisper-en-openai": (
        "whisper_en_openai",
        f"is whisper-en, but does not expand kinda, sorta, dunno and cause ({_ORIGINALS})",
    ),
    "whisper-basic": (
        "whisper_basic",
        f"lowercases, removes text in brackets, and replaces punctuation, symbols and marks by spaces ({_PACKAGE})",
    ),
    "whisper-basic-nodiacritics": (
        "whisper_basic_nodiacritics",
        f"is whisper-basic, but removes diacritics from letters ({_PACKAGE})",
    ),
    "whisper-basic-letters": (
        "whisper_basic_letters",
        f"is whisper-basic with spaces between grapheme clusters ({_PACKAGE})",
    ),
    "whisper-basic-nodiacritics-letters": (
        "whisper_basic_nodiacritics_letters",
        f"is whisper-basic-nodiacritics with spaces between grapheme clusters ({_PACKAGE})",
    ),
    "whisper-basic-marks": (
        "whisper_basic_marks",
        f"is whisper-basic, but keeps marks, which Indic scripts need ({_PACKAGE})",
    ),
    "open-asr-en-2026-06": (
        "open_asr_2026_06",
        "is whisper-en-openai with more fillers, and unifies names, acronyms and words written apart "
        f"({_LEADERBOARD} since June 2026)",
    ),
    "open-asr-en-2025-09": (
        "open_asr_2025_09",
        f"is whisper-en-openai with corrected spellings ({_LEADERBOARD} from September 2025)",
    ),
    "open-asr-multilingual-2025-08": (
        "open_asr_multilingual",
        f"is whisper-basic, but removes everything except words ({_LEADERBOARD} since August 2025)",
    ),
}


def _load(name: str, step: str, summary: str) -> Normalizer:
    native = TextRewriter([(step,)])
    return Normalizer(name, native.rewrite, native, summary)


_NATIVE = {name: _load(name, step, summary) for name, (step, summary) in _STEPS.items()}

BUILTIN = {
    "none": Normalizer("none", str, summary="leaves text unchanged"),
    **_NATIVE,
    **language_normalizers(_NATIVE["open-asr-multilingual-2025-08"]),
}
