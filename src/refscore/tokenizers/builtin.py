"""The tokenizers that run in native code, named like sacrebleu's where it has them."""

from __future__ import annotations

from functools import partial

from refscore import _native
from refscore.tokenizers.base import Tokenizer

# The words that follow each name say what the tokenizer does.
_NATIVE = {
    "none": (_native.Tokenizer.none, "splits at white space only"),
    "ascii-spaces": (
        _native.Tokenizer.ascii_spaces,
        "splits at ASCII's white space only, not at a no-break or an ideographic space",
    ),
    "13a": (_native.Tokenizer.v13a, "splits punctuation and symbols off words, but not within numbers (mteval-v13a)"),
    "13a-evaluate": (
        _native.Tokenizer.v13a_evaluate,
        "is 13a, but drops a hyphen before a line break at the end of the text too (evaluate)",
    ),
    "intl": (
        _native.Tokenizer.intl,
        "splits all punctuation and symbols of Unicode off words, but not within numbers (mteval-v14)",
    ),
    "zh": (_native.Tokenizer.zh, "takes each Chinese character for a token, and splits the rest like 13a"),
    "zh-sacrebleu": (
        _native.Tokenizer.zh_sacrebleu,
        "is zh with sacrebleu's ranges of Chinese characters, which miss those beyond U+FFFF",
    ),
    "char": (_native.Tokenizer.char, "takes each character that is no white space for a token"),
    "graphemes": (_native.Tokenizer.graphemes, "takes what a reader sees as one character for a token"),
    "jiwer": (
        _native.Tokenizer.jiwer,
        "splits at spaces and at runs of white space, but not at a single tab or line break",
    ),
    "char-spaces": (
        _native.Tokenizer.char_spaces,
        "takes each character for a token, white space within the text included",
    ),
    "rouge": (_native.Tokenizer.rouge, "keeps runs of A to Z and digits, and drops all else"),
    "unicode": (
        _native.Tokenizer.unicode,
        "keeps runs of letters and digits of any script, Chinese characters one by one, and drops all else",
    ),
    "tercom": (_native.Tokenizer.none, "splits at white space only (TER)"),
    "tercom-norm": (_native.Tokenizer.tercom_norm, "unescapes entities and splits punctuation off words (TER)"),
    "tercom-norm-asian": (
        _native.Tokenizer.tercom_norm_asian,
        "is tercom-norm, and takes Chinese and similar characters apart",
    ),
    "tercom-nopunct": (_native.Tokenizer.tercom_nopunct, "splits at white space and removes punctuation (TER)"),
    "tercom-nopunct-asian": (
        _native.Tokenizer.tercom_nopunct_asian,
        "is tercom-nopunct, and removes punctuation of Asian languages too",
    ),
    "tercom-norm-nopunct": (_native.Tokenizer.tercom_norm_nopunct, "is tercom-norm, and removes punctuation"),
    "tercom-norm-nopunct-asian": (
        _native.Tokenizer.tercom_norm_nopunct_asian,
        "is tercom-norm-asian, and removes punctuation of all languages",
    ),
}


def _tokenize(kind: _native.Tokenizer, text: str) -> list[str]:
    return _native.tokenize(text, _native.TextRules(kind, _native.Lowercase.none))


BUILTIN = {name: Tokenizer(name, partial(_tokenize, kind), kind, summary) for name, (kind, summary) in _NATIVE.items()}
