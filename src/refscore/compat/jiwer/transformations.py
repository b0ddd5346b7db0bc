"""jiwer's `jiwer.transformations`: the transforms that its measures apply by default."""

from __future__ import annotations

from refscore.compat.jiwer import transforms
from refscore.compat.jiwer.transforms import Compose

__all__ = [
    "cer_contiguous",
    "cer_default",
    "wer_contiguous",
    "wer_default",
    "wer_standardize",
    "wer_standardize_contiguous",
]

_STRIP = transforms.Strip()
_TRIM = (transforms.RemoveMultipleSpaces(), _STRIP)
_STANDARDIZE = (
    transforms.ToLowerCase(),
    transforms.ExpandCommonEnglishContractions(),
    transforms.RemoveKaldiNonWords(),
    transforms.RemoveWhiteSpace(replace_by_space=True),
    *_TRIM,
)
_JOIN = transforms.ReduceToSingleSentence()
_WORDS = transforms.ReduceToListOfListOfWords()
_CHARACTERS = transforms.ReduceToListOfListOfChars()

# "contiguous" joins all sentences, for references and hypotheses with different line breaks. "standardize" lowercases,
# expands contractions and removes non-words.
wer_default = Compose([*_TRIM, _WORDS])
wer_contiguous = Compose([*_TRIM, _JOIN, _WORDS])
wer_standardize = Compose([*_STANDARDIZE, _WORDS])
wer_standardize_contiguous = Compose([*_STANDARDIZE, _JOIN, _WORDS])
cer_default = Compose([_STRIP, _CHARACTERS])
cer_contiguous = Compose([_STRIP, _JOIN, _CHARACTERS])
