"""Tables as text: aligned for a pipe, as Markdown, as LaTeX, or separated by tabs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from refscore.errors import UnknownNameError
from refscore.steps.plain import display_width
from refscore.steps.visible import visible
from refscore.tables.model import Cell, Table

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "_": r"\_",
        "%": r"\%",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "±": r"$\pm$",
        "−": r"$-$",
        "≥": r"$\geq$",
        "Δ": r"$\Delta$",
        "↓": r"$\downarrow$",
        "→": r"$\to$",
        "|": r"\textbar{}",
    }
)

_MINUS = re.compile("−(?=[0-9])")
_HYPHEN = re.compile("(?<![0-9])-(?=[0-9])")
_NUMBERS = re.compile(r"[-+0-9.,\[\] ]*")


def render(table: Table, form: str) -> str:
    r"""The table as text, without a final line end.

    Plain text marks the best of a column by a star, Markdown and LaTeX by bold type (LaTeX needs the package booktabs);
    values separated by tabs carry no marks, no title and no note.

    Args:
        table: What to show.
        form: "plain", "markdown", "latex" or "tsv".

    Example:
        >>> from refscore.tables import Cell, Column, Table
        >>> table = Table([Column("system"), Column("BLEU", "right")], [["a", "7.51"], ["b_2", Cell("28.03", "best")]])
        >>> print(render(table, "plain"))
        system    BLEU
        ------  ------
        a         7.51
        b_2     *28.03
        >>> print(render(table, "markdown"))
        | system | BLEU |
        |---|---:|
        | a | 7.51 |
        | b\_2 | **28.03** |
        >>> print(render(table, "latex"))
        \begin{tabular}{lr}
        \toprule
        system & BLEU \\
        \midrule
        a & 7.51 \\
        b\_2 & \textbf{28.03} \\
        \bottomrule
        \end{tabular}
    """
    if form not in _RENDERERS:
        raise UnknownNameError.suggest("form of a table", form, _RENDERERS)
    return _RENDERERS[form](table)


def starred(cell: Cell) -> str:
    """The text of a cell where bold type is not to be had; the star stands before it, so that numbers keep in line.

    Example:
        >>> starred(Cell("28.03", "best")), starred(Cell("7.51"))
        ('*28.03', '7.51')
    """
    return ("*" if cell.mark == "best" else "") + visible(cell.text)


def _plain(table: Table) -> str:
    head = [visible(column.title) for column in table.columns]
    body = [[starred(cell) for cell in row] for row in table.rows]
    widths = [max(map(display_width, cells)) for cells in zip(head, *body, strict=True)]
    lines = [visible(table.title)] if table.title else []
    for row_cells in [head, ["-" * width for width in widths], *body]:
        parts = []
        for text, width, column in zip(row_cells, widths, table.columns, strict=True):
            room = " " * (width - display_width(text))
            parts.append(room + text if column.align == "right" else text + room)
        lines.append("  ".join(parts).rstrip(" "))
    return "\n".join([*lines, visible(table.note)] if table.note else lines)


def _markdown(table: Table) -> str:
    def escaped(text: str) -> str:
        return "".join("\\" + char if char in "\\`*_{}[]<>#|~" else char for char in visible(text))

    def cell(item: Cell) -> str:
        return f"**{escaped(item.text)}**" if item.mark == "best" else escaped(item.text)

    lines = [
        "| " + " | ".join(escaped(column.title) for column in table.columns) + " |",
        "|" + "|".join("---:" if column.align == "right" else "---" for column in table.columns) + "|",
        *("| " + " | ".join(map(cell, row)) + " |" for row in table.rows),
    ]
    if table.title:
        lines = [f"**{escaped(table.title)}**", "", *lines]
    return "\n".join([*lines, "", escaped(table.note)] if table.note else lines)


def _latex(table: Table) -> str:
    def escaped(text: str) -> str:
        return visible(text).translate(_LATEX)

    def cell(item: Cell) -> str:
        # In text a hyphen is shorter than a minus sign.
        text = _HYPHEN.sub("−", item.text) if _NUMBERS.fullmatch(item.text) else item.text
        return rf"\textbf{{{escaped(text)}}}" if item.mark == "best" else escaped(text)

    def line(cells: Iterable[str]) -> str:
        text = " & ".join(cells) + r" \\"
        # After the end of a line or a rule, these would be taken for its options.
        return "{}" + text if text.startswith(("[", "*")) else text

    lines = [
        rf"\begin{{tabular}}{{{''.join(column.align[0] for column in table.columns)}}}",
        r"\toprule",
        line(escaped(column.title) for column in table.columns),
        r"\midrule",
        *(line(map(cell, row)) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    comments = [f"% {visible(text)}" for text in (table.title, table.note) if text]
    return "\n".join([*comments, *lines])


def _tsv(table: Table) -> str:
    rows = [[column.title for column in table.columns], *([cell.text for cell in row] for row in table.rows)]
    # Programs read a hyphen before a number as its sign, and a minus sign as text.
    return "\n".join("\t".join(_MINUS.sub("-", visible(text)) for text in row) for row in rows)


_RENDERERS: Mapping[str, Callable[[Table], str]] = {
    "plain": _plain,
    "markdown": _markdown,
    "latex": _latex,
    "tsv": _tsv,
}
FORMATS = tuple(_RENDERERS)
