"""Display of untrusted text: escapes for invisible characters, and widths in terminal cells."""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

Align: TypeAlias = Literal["left", "right", "center"]

# Control, format (bidi overrides, zero-width space, byte order mark), surrogate, line, paragraph and space separator.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"})
_MARKS = frozenset({"Mn", "Mc", "Me"})
_ZERO_WIDTH_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"
# With their full-width forms, which some spreadsheets treat in the same way.
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_JOINERS = frozenset({"\u200c", _ZERO_WIDTH_JOINER})


def counted(number: int, noun: str) -> str:
    """Return a number and a noun in the right form, such as "2 lines"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def joined(items: Sequence[str]) -> str:
    """Return items as a list in a sentence, such as "BLEU, chrF2 and TER"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def visible(text: str) -> str:
    r"""Return the text with every invisible character escaped as in a Python string.

    Spaces are unchanged. Other whitespace, control characters, bidi controls and lone surrogates are escaped, so the
    result is one line and can be encoded as UTF-8. Backslashes are doubled, so original text never looks like an
    escape. A combining mark at the start gets a dotted circle, since it would change the character printed before it.
    """
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    shown = "".join(char if _joins(text, index) else _escape(char) for index, char in enumerate(text))
    return "◌" + shown if text and unicodedata.category(text[0]) in _MARKS else shown


def all_visible(texts: Iterable[str]) -> list[str]:
    return [visible(text) for text in texts]


def shown_word(word: str) -> str:
    """Return a word as a cell shows it: spaces are ␣ if it has nothing else, as in error rates of characters.

    >>> shown_word(" "), shown_word("New York")
    ('␣', 'New York')
    """
    return "␣" * len(word) if word and not word.strip(" ") else word


def quote_formula(cell: str) -> str:
    """Return a cell of CSV or TSV that spreadsheets do not read as a formula.

    A cell that begins with =, +, -, @, a tab or a carriage return gets an apostrophe. Numbers are unchanged.

    >>> quote_formula("=HYPERLINK(0)"), quote_formula("-1.5"), quote_formula("a=b")
    ("'=HYPERLINK(0)", '-1.5', 'a=b')
    """
    if not cell.startswith(_FORMULA_SIGNS):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def display_width(text: str) -> int:
    """Return the width of the text in terminal cells: 2 per wide character, 0 per combining character."""
    width = 0
    last = ""
    for char in text:
        wide = unicodedata.east_asian_width(char) in ("W", "F")
        if char == _EMOJI_STYLE and last and unicodedata.category(last) == "So":
            width += 0 if unicodedata.east_asian_width(last) in ("W", "F") else 1
        elif unicodedata.category(char) in ("Mn", "Me", "Cf") or "\u1160" <= char <= "\u11ff":
            pass  # drawn onto the previous character; the range is Korean vowels and final consonants
        elif wide and (last == _ZERO_WIDTH_JOINER or (last not in ("", " ") and "🏻" <= char <= "🏿")):
            pass  # one glyph with the previous character
        else:
            width += 2 if wide else 1
        last = char
    return width


def pad(text: str, width: int, align: Align = "left") -> str:
    spaces = max(0, width - display_width(text))
    left = {"left": 0, "right": spaces, "center": spaces // 2}[align]
    return " " * left + text + " " * (spaces - left)


def align(rows: Sequence[Sequence[str]], aligns: Sequence[Align]) -> tuple[list[int], list[list[str]]]:
    """Return the display widths of columns, and rows whose texts are padded to them."""
    widths = [max(map(display_width, texts)) for texts in zip(*rows, strict=True)]
    return widths, [[*map(pad, texts, widths, aligns)] for texts in rows]


def _joins(text: str, index: int) -> bool:
    # A joiner is part of the spelling of Persian and Indic words and of emoji; elsewhere it only hides a difference.
    neighbours = text[index - 1 : index] + text[index + 1 : index + 2]
    return (
        text[index] in _JOINERS
        and len(neighbours) == 2
        and not any(char.isascii() or unicodedata.category(char)[0] not in "LMS" for char in neighbours)
    )


def _escape(char: str) -> str:
    if char == " " or (char != "\\" and unicodedata.category(char) not in _HIDDEN):
        return char
    return char.encode("unicode_escape").decode("ascii")
