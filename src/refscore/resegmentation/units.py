"""The units that re-segmentation compares: words, characters or a tokenizer's tokens, with their positions.

A cut is a position in the original text. So a tokenizer may split the text but not change it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from refscore.errors import InputError, Location
from refscore.tokenizers import Tokenizer
from refscore.tokenizers.scripts import SCRIPTS

# Punctuation and full-width forms that surround text without spaces.
_WIDE_PUNCTUATION = ((0x3000, 0x303F), (0xFE30, 0xFE4F), (0xFF00, 0xFFEF))
# sentencepiece's mark for a space.
_SPACE_MARK = "▁"
_CLOSING = {*".,!?;:…。、，．！？；：․؟،؛।॥"}
_OPENING = {*"¿¡"}

# Longer tokens are not punctuation marks.
_LONGEST_MARK = 8

CLOSING, OPENING = 1, 2


@cache
def _unspaced_class() -> str:
    """Return a character class' inside: scripts without spaces between words, and their punctuation."""
    ranges = [pair for script in SCRIPTS for pair in script.ranges] + [*_WIDE_PUNCTUATION]
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


@cache
def _marks_class() -> str:
    """Return a character class' inside: marks that belong to the character before them."""
    codes = [code for first, last in _mark_ranges() for code in range(first, last + 1)]
    return "".join(chr(code) for code in codes if unicodedata.category(chr(code)).startswith("M"))


def _mark_ranges() -> Iterable[tuple[int, int]]:
    """Yield the blocks whose marks are combined with characters without spaces."""
    yield from (pair for script in SCRIPTS for pair in script.ranges if pair[1] < 0x3400)
    yield from ((0x0300, 0x036F), (0x302A, 0x302F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF))


@cache
def _words_pattern() -> re.Pattern[str]:
    unspaced, marks = _unspaced_class(), _marks_class()
    # \s first: the ideographic space is whitespace, and marks never start a word of their own.
    return re.compile(rf"(?!\s)[{unspaced}][{marks}]*|(?:(?![{unspaced}])\S)+")


@cache
def _unspaced_pattern() -> re.Pattern[str]:
    return re.compile(f"[{_unspaced_class()}]")


def is_unspaced(sign: str) -> bool:
    """Return whether text without spaces has this character, so a line break after it is not a space.

    >>> is_unspaced("語"), is_unspaced("é")
    (True, False)
    """
    return not sign.isascii() and _unspaced_pattern().match(sign) is not None


class Units(NamedTuple):
    """A text's tokens and their first positions. `allowed` are the tokens before which a cut may be.

    `allowed` is None if a cut may be anywhere.
    """

    tokens: list[Any]
    begins: list[int]
    allowed: list[bool] | None = None


def split_words(text: str) -> Units:
    """Split at whitespace. In scripts without spaces, each character is a word.

    >>> split_words("C++ 语言 ok").tokens
    ['C++', '语', '言', 'ok']
    """
    has_spaces = text.isascii() or not _unspaced_pattern().search(text)
    pattern = _spaced_pattern() if has_spaces else _words_pattern()
    matches = [*pattern.finditer(text)]
    return Units([match.group() for match in matches], [match.start() for match in matches])


@cache
def _spaced_pattern() -> re.Pattern[str]:
    return re.compile(r"\S+")


def split_with(tokenizer: Tokenizer, text: str, location: Location) -> Units:
    """Split a text with a tokenizer, and find the tokens in the text.

    A cut may be at whitespace, or beside a character from a script without spaces.

    >>> from refscore import tokenizers
    >>> split_with(tokenizers.get("13a"), "It is. So", Location("hypothesis"))
    Units(tokens=['It', 'is', '.', 'So'], begins=[0, 3, 5, 7], allowed=[True, True, False, True])
    """
    # One character for one, so positions stay the same. Other packages cannot read lone surrogates.
    readable = text if text.isascii() else re.sub("[\ud800-\udfff]", "�", text)
    positions = [i for i, char in enumerate(readable) if not char.isspace() and char != _SPACE_MARK]
    characters = "".join([readable[i] for i in positions])
    tokens: list[str] = []
    begins: list[int] = []
    used = 0
    for token in tokenizer.tokenize(readable):
        if not isinstance(token, str):
            problem = f"has tokens that are not strings with the tokenizer {tokenizer.name}"
            raise InputError(location, problem, "choose a tokenizer that returns parts of the text")
        letters = "".join(token.replace(_SPACE_MARK, " ").split())
        if not letters:
            continue
        if not characters.startswith(letters, used):
            context = readable[positions[used] : positions[used] + 20] if used < len(positions) else ""
            problem = f"is changed by the tokenizer {tokenizer.name}: it returns {token!r} for {context!r}"
            raise InputError(location, problem, "choose a tokenizer that only splits the text, such as char")
        tokens.append(token)
        begins.append(positions[used])
        used += len(letters)
    if used < len(positions):
        problem = f"is changed by the tokenizer {tokenizer.name}: it omits {readable[positions[used] :][:20]!r}"
        raise InputError(location, problem, "choose a tokenizer that only splits the text, such as char")
    allowed = [
        begin == 0 or text[begin - 1].isspace() or is_unspaced(text[begin]) or is_unspaced(text[begin - 1])
        for begin in begins
    ]
    return Units(tokens, begins, None if all(allowed) else allowed)


def join_lines(lines: Sequence[str]) -> str:
    """Join lines with spaces, except between characters from scripts without spaces.

    >>> join_lines(["a b", "c"]), join_lines(["日本", "語", ""])
    ('a b c', '日本語')
    """
    parts: list[str] = []
    for line in map(str.strip, lines):
        if not line:
            continue
        if parts:
            parts.append("" if is_unspaced(parts[-1][-1]) and is_unspaced(line[0]) else " ")
        parts.append(line)
    return "".join(parts)


def side_of(token: Hashable) -> int:
    """Return CLOSING for punctuation that belongs to the text before it, OPENING for the text after it, else 0.

    >>> [side_of(token) for token in ("?!", "(", "word", "&")]
    [1, 2, 0, 0]
    """
    if not isinstance(token, str) or len(token) > _LONGEST_MARK or token.isalnum():
        return 0
    signs = token.strip(_SPACE_MARK)
    kinds = {_sign_side(sign) for sign in signs}
    return kinds.pop() if len(kinds) == 1 else 0


def _sign_side(sign: str) -> int:
    if sign in _CLOSING or (category := unicodedata.category(sign)) in ("Pe", "Pf"):
        return CLOSING
    return OPENING if category in ("Ps", "Pi") or sign in _OPENING else 0


def without_punctuation(token: Any) -> Any:
    """Return a token without punctuation at its ends, which may be empty.

    >>> without_punctuation("(don't!)"), without_punctuation("...")
    ("don't", '')
    """
    if not isinstance(token, str):
        return token
    begin, end = 0, len(token)
    while begin < end and _is_punctuation(token[begin]):
        begin += 1
    while end > begin and _is_punctuation(token[end - 1]):
        end -= 1
    return token[begin:end]


def _is_punctuation(sign: str) -> bool:
    return unicodedata.category(sign).startswith("P")
