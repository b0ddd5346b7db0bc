"""The tokenizers that run in native code, named like sacrebleu's where it has them."""

from __future__ import annotations

from functools import partial

from refscore import _native
from refscore.tokenizers.base import Tokenizer

_NATIVE = {
    "none": (_native.Tokenizer.none, "splits at white space"),
    "13a": (_native.Tokenizer.v13a, "mteval-v13a's, for Western languages: punctuation apart, but not within numbers"),
    "intl": (_native.Tokenizer.intl, "mteval-v14's: punctuation and symbols apart, by Unicode category"),
    "zh": (_native.Tokenizer.zh, "each Chinese character on its own, the rest like 13a"),
    "zh-sacrebleu": (
        _native.Tokenizer.zh_sacrebleu,
        "zh with sacrebleu's ranges: not beyond U+FFFF, but U+2001 to U+2A6D count as Chinese",
    ),
    "char": (_native.Tokenizer.char, "each code point that is no white space"),
    "graphemes": (
        _native.Tokenizer.graphemes,
        "each grapheme cluster, what a reader takes for one character, that is no white space",
    ),
    "jiwer": (
        _native.Tokenizer.jiwer,
        "splits at a space, and at two or more characters of white space: a single tab is part of a word",
    ),
    "char-spaces": (_native.Tokenizer.char_spaces, "each character, white space between others included"),
    "rouge": (_native.Tokenizer.rouge, "runs of A to Z and digits, as in rouge-score"),
    "unicode": (
        _native.Tokenizer.unicode,
        "words of any script, without punctuation; each Chinese character, kana and bopomofo on its own",
    ),
    "tercom": (_native.Tokenizer.none, "TER's: splits at white space"),
    "tercom-norm": (_native.Tokenizer.tercom_norm, "TER's, normalized: like 13a, with possessive 's apart"),
    "tercom-norm-asian": (_native.Tokenizer.tercom_norm_asian, "the same, and Chinese and Japanese taken apart"),
    "tercom-nopunct": (_native.Tokenizer.tercom_nopunct, "TER's, without punctuation"),
    "tercom-nopunct-asian": (_native.Tokenizer.tercom_nopunct_asian, "the same, and without that of Asian languages"),
    "tercom-norm-nopunct": (_native.Tokenizer.tercom_norm_nopunct, "TER's, normalized and without punctuation"),
    "tercom-norm-nopunct-asian": (
        _native.Tokenizer.tercom_norm_nopunct_asian,
        "the same, and Chinese and Japanese treated alike",
    ),
}


def _tokenize(kind: _native.Tokenizer, text: str) -> list[str]:
    return _native.tokenize(text, _native.TextRules(kind, _native.Lowercase.none))


BUILTIN = {name: Tokenizer(name, partial(_tokenize, kind), kind, summary) for name, (kind, summary) in _NATIVE.items()}
