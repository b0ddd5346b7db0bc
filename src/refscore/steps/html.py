"""Worked steps as an HTML fragment: no scripts, nothing fetched, everything from the model escaped."""

from functools import cache
from html import escape
from importlib.resources import files

from refscore.steps.model import Formula, Heading, Paragraph, Steps
from refscore.steps.table import SIGNS, Column, Row, Table
from refscore.steps.visible import visible


def render_html(steps: Steps) -> str:
    """Return a `<section class="refscore-steps">` with its style; colours come from the page around it.

    >>> from refscore.steps import Paragraph, Steps
    >>> "<p>a &lt;b&gt; c</p>" in render_html(Steps("Markup", (Paragraph("a <b> c"),), "safe"))
    True
    """
    return "\n".join(
        [
            '<section class="refscore-steps">',
            f"<style>{style()}</style>",
            f"<h3>{_text(steps.title)}</h3>",
            *(_part(part) for part in steps.blocks()),
            f'<p class="result">Result: <strong>{_text(steps.result)}</strong></p>',
            "</section>",
        ]
    )


@cache
def style() -> str:
    """What stands in the style element, for a page whose Content-Security-Policy names it by its hash."""
    return "\n" + files("refscore.steps").joinpath("style.css").read_text(encoding="utf-8")


def _text(text: str) -> str:
    return escape(visible(text), quote=True)


def _part(part: Heading | Paragraph | Table | tuple[Formula, ...]) -> str:
    if isinstance(part, Heading):
        return f"<h4>{_text(part.text)}</h4>"
    if isinstance(part, Paragraph):
        return f"<p>{_text(part.text)}</p>"
    return _table(part) if isinstance(part, Table) else _formulas(part)


def _formulas(formulas: tuple[Formula, ...]) -> str:
    return "\n".join(["<dl>", *map(_formula, formulas), "</dl>"])


def _formula(formula: Formula) -> str:
    value = "" if formula.value is None else f" = <strong>{_text(formula.value)}</strong>"
    return f"<dt>{_text(formula.name)}</dt><dd>= {_text(formula.expression)}{value}</dd>"


def _table(table: Table) -> str:
    marked = table.marked
    mark_head = '<th scope="col"><span class="spoken">mark</span></th>' if marked else ""
    heads = "".join(f'<th scope="col" class="{column.align}">{_text(column.title)}</th>' for column in table.columns)
    note = [] if table.note is None else [f'<p class="note">{_text(table.note)}</p>']
    return "\n".join(
        [
            '<div class="scroll"><table>',
            f"<caption>{_text(table.title)}</caption>",
            f"<thead><tr>{mark_head}{heads}</tr></thead>",
            "<tbody>",
            *(_row(row, table.columns, marked) for row in table.rows),
            "</tbody>",
            "</table></div>",
            *note,
        ]
    )


def _row(row: Row, columns: tuple[Column, ...], marked: bool) -> str:
    sign = f'<span role="img" aria-label="{row.mark}">{SIGNS[row.mark]}</span>' if row.mark else ""
    mark_cell = f'<td class="center">{sign}</td>' if marked else ""
    cells = "".join(
        f'<td class="{column.align}">{_text(cell)}</td>' for column, cell in zip(columns, row.cells, strict=True)
    )
    kind = f' class="{row.mark}"' if row.mark else ""
    return f"<tr{kind}>{mark_cell}{cells}</tr>"
