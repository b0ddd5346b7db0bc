from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table as RichTable
from rich.text import Text

from refscore.tables.model import BadHighlight, Highlight, Mark, Result, Table
from refscore.tables.rendering import cell_texts, signature_lines
from refscore.text_display import all_visible, display_width, visible

_STYLES: dict[Mark | None, str] = {"match": "green", "partial": "yellow", "miss": "red", "dim": "dim", None: ""}

# The narrowest column for wrapped text.
_NARROW = 8

# Grids have one column per word. With wider gaps they would not fit a terminal of 80 characters.
_MOST_SPACED_COLUMNS = 10


def print_result(
    result: Result, *, digits: int | None = None, hints: Iterable[str] = (), notes: Mapping[str, Any] | None = None
) -> None:
    """Print a result to stdout, like `render(result, "text")` but in colour and as wide as the terminal."""
    console = Console(highlight=False)
    tables, lines = result.tables(digits=digits), signature_lines(result, hints, notes)
    for table in tables:
        console.print(TerminalTable(table), "", sep="\n")
    style = "dim" if tables else ""
    above = [*([] if tables or not result.if_empty else [result.if_empty]), *lines]
    for line in above:
        console.print(Text(line, style), soft_wrap=True)
    for index, detail in enumerate(result.details):
        console.print(*([""] if above or index else []), detail, sep="\n")


def unwrapped(text: str) -> Text:
    return Text(text, no_wrap=True, overflow="ignore")


class TerminalTable:
    """A rich renderable that wraps long texts but not numbers, or prints plain text if the terminal is too narrow."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.aligns, self.texts = cell_texts(table, all_visible, "*{}")
        self.gap = 1 if len(table.columns) > _MOST_SPACED_COLUMNS else 2

        self.widths = [max(map(display_width, texts)) for texts in zip(*self.texts, strict=True)]

    def least_width(self) -> int:
        least = (w if align == "right" else min(w, _NARROW) for w, align in zip(self.widths, self.aligns, strict=True))
        return sum(least) + self.gap * (len(self.widths) - 1)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.least_width() > options.max_width:
            yield Text(str(self.table), overflow="fold")
        else:
            yield self._rich_table()

    def _rich_table(self) -> RichTable:
        table = self.table
        drawn = RichTable(
            # A Text, not a str: rich would read "[red]" in a str as markup.
            title=Text(visible(table.title), "italic") if table.title else None,
            title_justify="left",
            caption=Text(visible(table.note), "dim") if table.note else None,
            caption_justify="left",
            box=box.SIMPLE_HEAD,
            show_edge=False,
            pad_edge=False,
            padding=(0, 0, 0, self.gap - 1),
        )
        head, *body = self.texts
        for text, align, width in zip(head, self.aligns, self.widths, strict=True):
            is_whole = align == "right" or width <= _NARROW
            drawn.add_column(Text(text), justify=align, overflow="fold", no_wrap=is_whole, min_width=1)
        for row, texts in zip(table.rows, body, strict=True):
            styles = [_highlight_style(cell) for cell in row.cells]
            styles = [""] * (len(texts) - len(styles)) + styles
            drawn.add_row(*map(Text, texts, styles), style=_STYLES[row.mark])
        return drawn


def _highlight_style(cell: str) -> str:
    if isinstance(cell, BadHighlight):
        return "bold red"
    return "bold green" if isinstance(cell, Highlight) else ""
