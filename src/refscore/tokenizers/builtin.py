"""The tokenizers that run in native code, named like sacrebleu's where it has them."""

from __future__ import annotations

from functools import partial

from refscore import _native
from refscore.tokenizers.base import Tokenizer

# What each tokenizer does, in words that follow its name.
_SUMMARIES = {
    "none": "splits at whitespace only",
    "ascii-spaces": "splits at ASCII whitespace only, not at a no-break or ideographic space",
    "13a": "splits punctuation and symbols off words, but not within numbers (mteval-v13a)",
    "13a-evaluate": "is 13a, but also drops a hyphen before a line break at the end of the text (evaluate)",
    "intl": "splits all Unicode punctuation and symbols off words, but not within numbers (mteval-v14)",
    "zh": "splits Chinese text into characters, and the rest like 13a",
    "zh-sacrebleu": "is zh with sacrebleu's ranges of Chinese characters, which omit those above U+FFFF",
    "char": "splits into characters, and drops whitespace",
    "graphemes": "splits into grapheme clusters (characters as readers see them), and drops whitespace",
    "jiwer": "splits at spaces and runs of whitespace, but not at a single tab or line break",
    "char-spaces": "splits into characters, including whitespace within the text",
    "rouge": "keeps runs of A to Z and digits as tokens, and drops the rest",
    "unicode": "keeps runs of letters and digits of any script and single Chinese characters, and drops the rest",
    "tercom": "splits at whitespace only (TER)",
    "tercom-norm": "unescapes entities and splits punctuation off words (TER)",
    "tercom-norm-asian": "is tercom-norm, and splits Chinese and similar characters",
    "tercom-nopunct": "splits at whitespace and removes punctuation (TER)",
    "tercom-nopunct-asian": "is tercom-nopunct, and also removes punctuation of Asian languages",
    "tercom-norm-nopunct": "is tercom-norm, and removes punctuation",
    "tercom-norm-nopunct-asian": "is tercom-norm-asian, and removes punctuation of all languages",
}
# Names in the kernels that differ by more than underscores.
_NATIVE_NAMES = {"13a": "v13a", "13a-evaluate": "v13a_evaluate", "tercom": "none"}


def _load(name: str, summary: str) -> Tokenizer:
    kind: _native.Tokenizer = getattr(_native.Tokenizer, _NATIVE_NAMES.get(name, name.replace("-", "_")))
    return Tokenizer(name, partial(_tokenize, kind), kind, summary)


def _tokenize(kind: _native.Tokenizer, text: str) -> list[str]:
    return _native.tokenize(text, _native.TextRules(kind, _native.Lowercase.none))


BUILTIN = {name: _load(name, summary) for name, summary in _SUMMARIES.items()}
