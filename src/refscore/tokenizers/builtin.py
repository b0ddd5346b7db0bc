"""The tokenizers that run in native code, named like sacrebleu's.

none: splits at white space. 13a: mteval-v13a's, for Western languages. intl: mteval-v14's, by Unicode category.
zh: each Chinese character on its own, the rest like 13a; zh-sacrebleu: the same with sacrebleu's ranges of characters,
which miss those beyond U+FFFF and count U+2001 to U+2A6D as Chinese. char: each code point that is no white space.
graphemes: each extended grapheme cluster, what a reader takes for one character, that is not white space.
jiwer: splits as jiwer does, at a space and at two or more characters of white space; a single tab, line break or other
white space is part of a word. char-spaces: each character, white space between others included.
rouge: runs of A to Z and digits, as in rouge-score. unicode: runs of letters and numbers of any script with the marks
that follow them, but each Chinese character, kana and bopomofo on its own; everything else separates.
tercom: TER's, which is `none` unless it normalizes (-norm: like 13a, with possessive 's apart), removes punctuation
(-nopunct) and, with either of them, does the same to Chinese and Japanese (-asian).
"""

from __future__ import annotations

from functools import partial

from refscore import _native
from refscore.tokenizers.base import Tokenizer

_NATIVE = {
    "none": _native.Tokenizer.none,
    "13a": _native.Tokenizer.v13a,
    "intl": _native.Tokenizer.intl,
    "zh": _native.Tokenizer.zh,
    "zh-sacrebleu": _native.Tokenizer.zh_sacrebleu,
    "char": _native.Tokenizer.char,
    "graphemes": _native.Tokenizer.graphemes,
    "jiwer": _native.Tokenizer.jiwer,
    "char-spaces": _native.Tokenizer.char_spaces,
    "rouge": _native.Tokenizer.rouge,
    "unicode": _native.Tokenizer.unicode,
    "tercom": _native.Tokenizer.none,
    "tercom-norm": _native.Tokenizer.tercom_norm,
    "tercom-norm-asian": _native.Tokenizer.tercom_norm_asian,
    "tercom-nopunct": _native.Tokenizer.tercom_nopunct,
    "tercom-nopunct-asian": _native.Tokenizer.tercom_nopunct_asian,
    "tercom-norm-nopunct": _native.Tokenizer.tercom_norm_nopunct,
    "tercom-norm-nopunct-asian": _native.Tokenizer.tercom_norm_nopunct_asian,
}


def _tokenize(kind: _native.Tokenizer, text: str) -> list[str]:
    return _native.tokenize(text, _native.TextRules(kind, _native.Lowercase.none))


BUILTIN = {name: Tokenizer(name, partial(_tokenize, kind), kind) for name, kind in _NATIVE.items()}
