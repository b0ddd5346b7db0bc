"""The tokenizers that run in native code, named like sacrebleu's.

none: splits at white space. 13a: mteval-v13a's, for Western languages. intl: mteval-v14's, by Unicode category.
zh: each Chinese character on its own, the rest like 13a; zh-sacrebleu: the same with sacrebleu's ranges of characters,
which miss those beyond U+FFFF and count U+2001 to U+2A6D as Chinese. char: each code point that is no white space.
graphemes: each extended grapheme cluster, what a reader takes for one character, that is not white space.
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
}


def _tokenize(kind: _native.Tokenizer, text: str) -> list[str]:
    return _native.tokenize(text, _native.TextRules(kind, _native.Lowercase.none))


BUILTIN = {name: Tokenizer(name, partial(_tokenize, kind), kind) for name, kind in _NATIVE.items()}
