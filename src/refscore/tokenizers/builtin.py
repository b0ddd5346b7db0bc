"""The tokenizers that run in native code, named like sacrebleu's where it has them."""

from __future__ import annotations

from functools import partial

from refscore import _native
from refscore.tokenizers.base import Tokenizer

# What each does, in words that follow its name.
_SUMMARIES = {
    "none": "splits at white space only",
    "ascii-spaces": "splits at ASCII's white space only, not at a no-break or an ideographic space",
    "13a": "splits punctuation and symbols off words, but not within numbers (mteval-v13a)",
    "13a-evaluate": "is 13a, but drops a hyphen before a line break at the end of the text too (evaluate)",
    "intl": "splits all punctuation and symbols of Unicode off words, but not within numbers (mteval-v14)",
    "zh": "takes each Chinese character for a token, and splits the rest like 13a",
    "zh-sacrebleu": "is zh with sacrebleu's ranges of Chinese characters, which miss those beyond U+FFFF",
    "char": "takes each character that is no white space for a token",
    "graphemes": "takes what a reader sees as one character for a token",
    "jiwer": "splits at spaces and at runs of white space, but not at a single tab or line break",
    "char-spaces": "takes each character for a token, white space within the text included",
    "rouge": "keeps runs of A to Z and digits, and drops all else",
    "unicode": "keeps runs of letters and digits of any script, Chinese characters one by one, and drops all else",
    "tercom": "splits at white space only (TER)",
    "tercom-norm": "unescapes entities and splits punctuation off words (TER)",
    "tercom-norm-asian": "is tercom-norm, and takes Chinese and similar characters apart",
    "tercom-nopunct": "splits at white space and removes punctuation (TER)",
    "tercom-nopunct-asian": "is tercom-nopunct, and removes punctuation of Asian languages too",
    "tercom-norm-nopunct": "is tercom-norm, and removes punctuation",
    "tercom-norm-nopunct-asian": "is tercom-norm-asian, and removes punctuation of all languages",
}
# The kernels' names, where they are not the same with underscores.
_NATIVE_NAMES = {"13a": "v13a", "13a-evaluate": "v13a_evaluate", "tercom": "none"}


def _load(name: str, summary: str) -> Tokenizer:
    kind: _native.Tokenizer = getattr(_native.Tokenizer, _NATIVE_NAMES.get(name, name.replace("-", "_")))
    return Tokenizer(name, partial(_tokenize, kind), kind, summary)


def _tokenize(kind: _native.Tokenizer, text: str) -> list[str]:
    return _native.tokenize(text, _native.TextRules(kind, _native.Lowercase.none))


BUILTIN = {name: _load(name, summary) for name, summary in _SUMMARIES.items()}
