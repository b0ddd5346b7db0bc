"""Worked steps for the terminal, in colour, through rich."""

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from refscore.steps.model import Formula, Heading, Paragraph, Steps
from refscore.steps.table import SIGNS, Mark, Table
from refscore.steps.visible import visible

_COLOURS: dict[Mark, str] = {"match": "green", "partial": "yellow", "miss": "red"}

# Grids have a column for each word, and would be folded on a terminal of 80 characters if they were spaced.
_MOST_SPACED_COLUMNS = 10


def render_terminal(steps: Steps) -> Group:
    """Return a rich renderable; long cells are folded, never cut. A console without colour still shows the signs.

    >>> from rich.console import Console
    >>> from refscore.steps import Formula, Steps
    >>> steps = Steps("Brevity", (Formula("BP", "exp(1 − 12/10)", "0.8187"),), "0.8187")
    >>> Console(width=40, color_system=None).print(render_terminal(steps))
    Brevity
    <BLANKLINE>
    BP = exp(1 − 12/10) = 0.8187
    <BLANKLINE>
    Result: 0.8187
    """
    parts: list[RenderableType] = [_text(steps.title, "bold underline")]
    parts += [Padding(_part(part), (1, 0, 0, 0), expand=False) for part in steps.blocks()]
    parts.append(Padding(Text.assemble("Result: ", (visible(steps.result), "bold")), (1, 0, 0, 0), expand=False))
    return Group(*parts)


def _text(text: str, style: str = "") -> Text:
    # A Text, never a str: rich would read "[red]" in a str as markup.
    return Text(visible(text), style=style, overflow="fold")


def _part(part: Heading | Paragraph | Table | tuple[Formula, ...]) -> RenderableType:
    if isinstance(part, Heading):
        return _text(part.text, "bold")
    if isinstance(part, Paragraph):
        return _text(part.text)
    return _table(part) if isinstance(part, Table) else _formulas(part)


def _formulas(formulas: tuple[Formula, ...]) -> RichTable:
    grid = RichTable.grid(padding=(0, 1))
    grid.add_column(overflow="fold")
    grid.add_column(overflow="fold")
    for formula in formulas:
        equation = Text.assemble("= ", visible(formula.expression))
        if formula.value is not None:
            equation.append_text(Text.assemble(" = ", (visible(formula.value), "bold")))
        grid.add_row(_text(formula.name, "bold"), equation)
    return grid


def _table(table: Table) -> RichTable:
    drawn = RichTable(
        title=_text(table.title, "italic"),
        title_justify="left",
        caption=None if table.note is None else _text(table.note, "dim"),
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 0 if len(table.columns) > _MOST_SPACED_COLUMNS else 1),
    )
    marked = table.marked
    if marked:
        drawn.add_column(Text(""), no_wrap=True, min_width=1)
    for column in table.columns:
        drawn.add_column(_text(column.title), justify=column.align, overflow="fold")
    for row in table.rows:
        sign = [Text(SIGNS[row.mark] if row.mark else "")] if marked else []
        drawn.add_row(*sign, *map(_text, row.cells), style=_COLOURS[row.mark] if row.mark else None)
    return drawn
