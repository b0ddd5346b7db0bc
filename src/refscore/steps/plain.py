"""Worked steps as plain text."""

import unicodedata

from refscore.steps.model import Formula, Heading, Paragraph, Steps
from refscore.steps.table import SIGNS, Align, Table
from refscore.steps.visible import visible

_ZERO_WIDTH_JOINER, _EMOJI_STYLE = "\u200d", "\ufe0f"


def render_plain(steps: Steps) -> str:
    """Return the steps as text without a final newline, columns aligned by display width, nothing cut or wrapped.

    >>> from refscore.steps import Column, Row, Steps, Table
    >>> columns = (Column("word"), Column("count", "right"))
    >>> table = Table("Words", columns, (Row(("猫", "2"), "match"), Row(("cat", "10"), "miss")))
    >>> print(render_plain(Steps("Counting", (table,), "1 of 2")))
    Counting
    ========
    <BLANKLINE>
    Words
       word  count
       ----  -----
    ✓  猫        2
    ✗  cat      10
    <BLANKLINE>
    Result: 1 of 2
    """
    parts = [_part(part) for part in steps.blocks()]
    return "\n\n".join([_underlined(steps.title, "="), *parts, f"Result: {visible(steps.result)}"])


def display_width(text: str) -> int:
    """Return how many terminal cells the text takes; wide characters take two, combining ones none.

    >>> display_width("ab"), display_width("日本"), display_width("e\u0301"), display_width("👩\u200d🚀")
    (2, 4, 1, 2)
    """
    width = 0
    last = ""
    for char in text:
        wide = unicodedata.east_asian_width(char) in ("W", "F")
        if char == _EMOJI_STYLE and last and unicodedata.category(last) == "So":
            width += 0 if unicodedata.east_asian_width(last) in ("W", "F") else 1
        elif unicodedata.category(char) in ("Mn", "Me", "Cf") or "\u1160" <= char <= "\u11ff":
            pass  # on top of, or joined to, what stands before it; the range is the Korean vowels and finals
        elif wide and (last == _ZERO_WIDTH_JOINER or (last not in ("", " ") and "🏻" <= char <= "🏿")):
            pass  # one picture with what stands before it
        else:
            width += 2 if wide else 1
        last = char
    return width


def _part(part: Heading | Paragraph | Table | tuple[Formula, ...]) -> str:
    if isinstance(part, Heading):
        return _underlined(part.text, "-")
    if isinstance(part, Paragraph):
        return visible(part.text)
    return _table(part) if isinstance(part, Table) else _formulas(part)


def _underlined(text: str, line: str) -> str:
    shown = visible(text)
    return f"{shown}\n{line * display_width(shown)}"


def _formulas(formulas: tuple[Formula, ...]) -> str:
    names = [visible(formula.name) for formula in formulas]
    width = max(map(display_width, names))
    lines = []
    for name, formula in zip(names, formulas, strict=True):
        terms = [formula.expression] if formula.value is None else [formula.expression, formula.value]
        lines.append(" = ".join([_padded(name, width, "left"), *map(visible, terms)]))
    return "\n".join(lines)


def _table(table: Table) -> str:
    head = [visible(column.title) for column in table.columns]
    body = [[visible(cell) for cell in row.cells] for row in table.rows]
    widths = [max(map(display_width, cells)) for cells in zip(head, *body, strict=True)]
    aligns = [column.align for column in table.columns]
    signs = ["", "", *(SIGNS[row.mark] if row.mark else "" for row in table.rows)]
    marked = table.marked
    lines = [visible(table.title)]
    for sign, cells in zip(signs, [head, ["-" * width for width in widths], *body], strict=True):
        padded = [_padded(cell, width, align) for cell, width, align in zip(cells, widths, aligns, strict=True)]
        lines.append("  ".join([f"{sign:1}", *padded] if marked else padded).rstrip(" "))
    if table.note is not None:
        lines.append(visible(table.note))
    return "\n".join(lines)


def _padded(text: str, width: int, align: Align) -> str:
    room = width - display_width(text)
    left = {"left": 0, "right": room, "center": room // 2}[align]
    return " " * left + text + " " * (room - left)
