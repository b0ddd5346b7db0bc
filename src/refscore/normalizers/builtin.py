"""The normalizers that run in native code.

Radford et al. (2022): Robust Speech Recognition via Large-Scale Weak Supervision. Appendix C describes Whisper's.
"""

from __future__ import annotations

from refscore.normalizers.base import Normalizer
from refscore.normalizers.steps import TextRewriter

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
}


def _load(name: str, step: str, summary: str) -> Normalizer:
    native = TextRewriter([(step,)])
    return Normalizer(name, native.rewrite, native, summary)


BUILTIN = {
    "none": Normalizer("none", str, summary="leaves text unchanged"),
    **{name: _load(name, step, summary) for name, (step, summary) in _STEPS.items()},
}
