from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table as RichTable
from rich.text import Text

from refscore.tables.model import BadHighlight, BestHighlight, Highlight, Mark, Result, Table
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
    printed = [TerminalTable(table) for table in tables]
    for table in printed:
        table.alike = [each for each in printed if each.shape == table.shape]
        console.print(table, "", sep="\n")
    style = "dim" if tables else ""
    above = [*([] if tables or not result.if_empty else [result.if_empty]), *lines]
    for line in above:
        console.print(Text(line, style), soft_wrap=True)
    for index, detail in enumerate(result.details):
        console.print(*([""] if above or index else []), detail, sep="\n")


def unwrapped(text: str) -> Text:
    return Text(text, no_wrap=True, overflow="ignore")


class TerminalTable:
    """A rich renderable that is as wide as the terminal, without cutting numbers or names.

    A table that is too wide loses its optional columns. If that is not enough, it is stacked: each part has some
    columns and repeats those that name the row. If the terminal is too narrow for that, it prints plain text.

    Attributes:
        alike: All tables of a result with columns of the same kinds. They get the same columns of the same width.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.aligns, self.texts = cell_texts(table, all_visible, "*{}", BestHighlight)
        self.gap = 1 if len(table.columns) > _MOST_SPACED_COLUMNS else 2
        self.alike: Sequence[TerminalTable] = [self]
        self.first = len(self.aligns) - len(table.columns)  # 1 if there is a column of signs

    @property
    def shape(self) -> tuple[object, ...]:
        kinds = [(column.align, column.is_optional, column.is_joined) for column in self.table.columns]
        return (self.first, self.table.keys, *kinds)

    @property
    def widths(self) -> list[int]:
        """The width of each column without line breaks."""
        rows = [texts for table in self.alike for texts in table.texts]
        return [max(map(display_width, texts)) for texts in zip(*rows, strict=True)]

    def least_widths(self, longest: int) -> list[int]:
        """Return the smallest width of each column that cuts no number, and no word of up to `longest` characters."""
        return [max(widths) for widths in zip(*(table._least_widths(longest) for table in self.alike), strict=True)]

    def _least_widths(self, longest: int) -> list[int]:
        least = []
        for align, (head, *body) in zip(self.aligns, zip(*self.texts, strict=True), strict=True):
            texts = [*_words(head), *(word for text in body for word in text.split(" "))]
            words = [min(longest, display_width(word)) for word in texts]
            least.append(max(*words, *(map(display_width, body) if align == "right" else ())))
        return least

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for longest in (2 * options.max_width // 3, _NARROW):
            least = self.least_widths(longest)
            parts = self._parts(least, options.max_width)
            if parts is not None:
                break
        else:
            yield Text(str(self.table), overflow="fold")
            return
        hidden = [title for i, title in enumerate(self.texts[0]) if all(i not in part for part in parts)]
        hint = f"Not shown, for lack of width: {', '.join(hidden)}" if hidden and self is self.alike[-1] else ""
        note = " ".join(filter(None, [visible(self.table.note or ""), hint]))
        if self.table.title:
            # A Text, not a str: rich would read "[red]" in a str as markup.
            yield Text(visible(self.table.title), "italic")
        for part in parts:
            if part is not parts[0]:
                yield ""
            yield self._rich_table(part, self._widths(part, least, options.max_width))
        if note:
            yield Text(note, "dim")

    def _parts(self, least: list[int], width: int) -> list[list[int]] | None:
        """Return the columns of each part of the table, or None if one would be too wide."""

        def fits(columns: list[int]) -> bool:
            return sum(least[i] for i in columns) + self.gap * (len(columns) - 1) <= width

        shown = [*range(len(least))]
        for i, column in enumerate(self.table.columns, self.first):
            if column.is_optional and not fits(shown):
                shown.remove(i)
        if fits(shown):
            return [shown]
        keys, rest = shown[: self.first + self.table.keys], [*range(self.first + self.table.keys, len(least))]
        units: list[list[int]] = []
        for i in rest:
            if units and self.table.columns[i - self.first].is_joined:
                units[-1].append(i)
            else:
                units.append([i])
        parts = [keys]
        for unit in units:
            if parts[-1] == keys or fits([*parts[-1], *unit]):
                parts[-1] = [*parts[-1], *unit]
            else:
                parts.append([*keys, *unit])
        return parts if all(map(fits, parts)) else None

    def _widths(self, columns: list[int], least: list[int], width: int) -> list[int]:
        """Return the widths of columns: the least ones, and a share of the free width for columns with longer texts."""
        widths, widest = [least[i] for i in columns], self.widths
        # Headings of numbers first: they are short.
        for is_number in (True, False):
            wanted = [widest[i] - least[i] if (self.aligns[i] == "right") == is_number else 0 for i in columns]
            free = width - sum(widths) - self.gap * (len(columns) - 1)
            share = min(1.0, free / (sum(wanted) or 1))
            widths = [each + int(share * more) for each, more in zip(widths, wanted, strict=True)]
        return widths

    def _rich_table(self, columns: list[int], widths: list[int]) -> RichTable:
        drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 0, 0, self.gap - 1))
        head, *body = self.texts
        for i, width in zip(columns, widths, strict=True):
            drawn.add_column(Text(_wrapped(head[i], width)), justify=self.aligns[i], overflow="fold", width=width)
        for row, texts in zip(self.table.rows, body, strict=True):
            styles = [""] * self.first + [_highlight_style(cell) for cell in row.cells]
            drawn.add_row(*(Text(texts[i], styles[i]) for i in columns), style=_STYLES[row.mark])
        return drawn


def _words(heading: str) -> list[str]:
    return re.split(r" (?!%)", heading)  # "95 %" is one word


def _wrapped(heading: str, width: int) -> str:
    first, *words = _words(heading)
    lines = [first]
    for word in words:
        if display_width(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


def _highlight_style(cell: str) -> str:
    if isinstance(cell, BadHighlight):
        return "bold red"
    return "bold green" if isinstance(cell, Highlight) else ""
