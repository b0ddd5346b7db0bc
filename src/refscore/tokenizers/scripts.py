"""Scripts without spaces between words, and the tokenizers that split them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Script:
    """A script without spaces between words.

    Attributes:
        name: The language, or the script if several languages use it.
        ranges: The first and last code point of each block, multiples of 32 as Unicode's blocks are.
        longest_word: More code points than words have on average, but fewer than a clause.
        tokenizers: The tokenizers that split it, the best one first.
    """

    name: str
    ranges: tuple[tuple[int, int], ...]
    longest_word: int
    tokenizers: tuple[str, ...]


KANA = Script("Japanese", ((0x3040, 0x30FF),), 6, ("ja-mecab", "char"))
HAN = Script("Chinese", ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF)), 6, ("zh", "char"))
SCRIPTS = (
    KANA,
    HAN,
    Script("Thai", ((0x0E00, 0x0E7F),), 15, ("th-newmm", "icu", "char")),
    Script("Lao", ((0x0E80, 0x0EFF),), 15, ("icu", "char")),
    Script("Khmer", ((0x1780, 0x17FF),), 15, ("icu", "char")),
    Script("Burmese", ((0x1000, 0x109F),), 15, ("icu", "char")),
)

# Korean has spaces, but published scores are often of morphemes.
HANGUL = Script("Korean", ((0xAC00, 0xD7BF),), 6, ("ko-mecab", "char"))
# Published scores of any of these scripts may be of pieces.
_PIECES = ("icu", "flores101", "flores200", "spBLEU-1K")
_LEAST_SHARE = 0.3

# The share of kana in the characters of Japanese text is about a half; names in Chinese text rarely have any.
_LEAST_KANA = 0.05
# Characters are counted by blocks of 32, because counting is much faster than searching for a pattern.
_SHIFT = 5
_FIRST = min(first for script in SCRIPTS for first, _ in script.ranges)


def find_unspaced(text: str) -> tuple[Script | None, float]:
    """Return the most frequent script without spaces, and the share of all such scripts."""
    if text.isascii():
        return None, 0.0
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    if codes.max() < _FIRST:
        return None, 0.0
    blocks = np.bincount(codes >> _SHIFT)
    counts = {
        script: int(sum(blocks[first >> _SHIFT : (last >> _SHIFT) + 1].sum() for first, last in script.ranges))
        for script in SCRIPTS
    }
    total = sum(counts.values())
    if counts[KANA] > _LEAST_KANA * total:
        counts[KANA] += counts.pop(HAN)
    return (max(counts, key=counts.__getitem__) if total else None), total / len(text)


def tokenizers_for(text: str) -> tuple[str, ...]:
    """Return the tokenizers for the script of a text without spaces between words, or in Korean, or none for others.

    >>> tokenizers_for("猫がマットの上に座った。")[:2], tokenizers_for("고양이가 앉았다")[0], tokenizers_for("a cat")
    (('ja-mecab', 'char'), 'ko-mecab', ())
    """
    script, share = find_unspaced(text)
    if script is None or share < _LEAST_SHARE:
        ((first, last),) = HANGUL.ranges
        if sum(first <= ord(char) <= last for char in text) < _LEAST_SHARE * len(text) or not text:
            return ()
        script = HANGUL
    return (*dict.fromkeys([*script.tokenizers, *_PIECES]),)
