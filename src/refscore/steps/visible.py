"""Text from anywhere, made safe to show: nothing invisible, nothing that moves the cursor or turns the line around."""

import unicodedata

# Control, format (bidi overrides, zero-width space, byte order mark), surrogate, line, paragraph and space separator.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"})
_MARKS = frozenset({"Mn", "Mc", "Me"})
_JOINERS = frozenset("\u200c\u200d")


def visible(text: str) -> str:
    r"""Return the text with every character that cannot be seen written as an escape, as in a Python string.

    Spaces stay; other white space, controls, bidi controls and lone surrogates do not, so the result is one line and
    encodes to UTF-8. A backslash is doubled, so that an escape never looks like text that was there. A combining mark
    at the start is put on a dotted circle, or it would land on whatever is printed before it.

    >>> print(visible("two\nlines, a \u202eturn, half a pair \ud83d, C:\\new"))
    two\nlines, a \u202eturn, half a pair \ud83d, C:\\new
    """
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    shown = "".join(char if _joins(text, index) else _shown(char) for index, char in enumerate(text))
    return "◌" + shown if text and unicodedata.category(text[0]) in _MARKS else shown


def _joins(text: str, index: int) -> bool:
    # A joiner inside Persian or Indic words and emoji is spelling; anywhere else it only hides a difference.
    neighbours = text[index - 1 : index] + text[index + 1 : index + 2]
    return (
        text[index] in _JOINERS
        and len(neighbours) == 2
        and not any(char.isascii() or unicodedata.category(char)[0] not in "LMS" for char in neighbours)
    )


def _shown(char: str) -> str:
    if char == " " or (char != "\\" and unicodedata.category(char) not in _HIDDEN):
        return char
    return char.encode("unicode_escape").decode("ascii")
