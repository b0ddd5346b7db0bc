from rich.console import Group, RenderableType
from rich.table import Table as RichTable
from rich.text import Text

from refscore.steps.model import Formula, Steps
from refscore.tables.terminal import TerminalTable
from refscore.text_display import visible


def render_terminal(steps: Steps) -> Group:
    """Return a rich renderable that wraps long texts and never cuts them."""
    blocks: list[RenderableType] = steps.render_blocks(
        lambda heading: _text(heading, "bold"), _text, _formulas, TerminalTable
    )
    spaced = [part for block in blocks for part in ("", block)]
    result = Text.assemble("Result: ", (visible(steps.result), "bold"), overflow="fold")
    return Group(_text(steps.title, "bold underline"), *spaced, "", result)


def _text(text: str, style: str = "") -> Text:
    # A Text, not a str: rich would read "[red]" in a str as markup.
    return Text(visible(text), style=style, overflow="fold")


def _formulas(formulas: list[Formula]) -> RichTable:
    grid = RichTable.grid(padding=(0, 1))
    grid.add_column(overflow="fold")
    grid.add_column(overflow="fold")
    for formula in formulas:
        equation = Text.assemble("= ", visible(formula.expression))
        if formula.value is not None:
            equation.append_text(Text.assemble(" = ", (visible(formula.value), "bold")))
        grid.add_row(_text(formula.name, "bold"), equation)
    return grid
