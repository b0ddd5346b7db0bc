"""Tables for the terminal, in colour, through rich."""

from __future__ import annotations

from rich import box
from rich.table import Table as RichTable
from rich.text import Text

from refscore.steps.plain import display_width
from refscore.steps.visible import visible
from refscore.tables.model import Table
from refscore.tables.rendering import starred

_STYLES = {"best": "bold green", "dim": "dim", None: ""}


# Texts can be folded, but not to less than this.
_NARROW = 8


def least_width(table: Table) -> int:
    """How many cells of a terminal `rich_table` needs for no number to be cut.

    Example:
        >>> from refscore.tables import Column, Table
        >>> least_width(Table([Column("system"), Column("BLEU", "right")], [["a_long_name", "27.51"]]))
        15
    """
    widths = []
    for index, column in enumerate(table.columns):
        texts = [visible(column.title), *(starred(row[index]) for row in table.rows)]
        width = max(map(display_width, texts))
        widths.append(width if column.align == "right" else min(width, _NARROW))
    return sum(widths) + 2 * (len(widths) - 1)


def rich_table(table: Table) -> RichTable:
    """A rich renderable: long texts are folded, numbers never; the best of a column is green and has a star.

    Example:
        >>> from rich.console import Console
        >>> from refscore.tables import Cell, Column, Table
        >>> table = Table([Column("system"), Column("BLEU", "right")], [["a", "7.51"], ["b", Cell("28.03", "best")]])
        >>> Console(width=40, color_system=None).print(rich_table(table))
        system    BLEU
        ──────────────
        a         7.51
        b       *28.03
    """
    drawn = RichTable(
        title=Text(visible(table.title), "bold") if table.title else None,
        title_justify="left",
        caption=Text(visible(table.note), "dim") if table.note else None,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 0, 0, 1),
    )
    for column in table.columns:
        drawn.add_column(
            Text(visible(column.title)), justify=column.align, overflow="fold", no_wrap=column.align == "right"
        )
    for row in table.rows:
        drawn.add_row(*(Text(starred(cell), _STYLES[cell.mark]) for cell in row))
    return drawn
