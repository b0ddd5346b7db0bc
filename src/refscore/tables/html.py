"""Tables as HTML, with all text escaped, and without scripts or external resources."""

from functools import cache
from html import escape
from importlib.resources import files

from refscore.tables.model import SIGNS, Highlight, Row, Table
from refscore.text_display import visible

_PAGE = """\
<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
{}</head>
<body>
{}
</body>
</html>"""


def fragment(*blocks: str, name: str = "refscore", css: str | None = None) -> str:
    """Return a `<section>` with the class `name`, a style element and HTML blocks. The page sets the colours."""
    return "\n".join(
        [f'<section class="{name}">', f"<style>{style() if css is None else css}</style>", *blocks, "</section>"]
    )


def page(head: str, body: str) -> str:
    """Return a complete page. `head` is the HTML in its head, at least a title."""
    return _PAGE.format(head, body)


@cache
def style() -> str:
    """Return the style element's content. A Content-Security-Policy may need its hash."""
    return "\n" + files("refscore.tables").joinpath("style.css").read_text(encoding="utf-8")


def escape_text(text: str) -> str:
    return escape(visible(text), quote=True)


def render_table(table: Table) -> str:
    heads = [f'<th scope="col" class="{column.align}">{escape_text(column.title)}</th>' for column in table.columns]
    if table.marked:
        heads.insert(0, '<th scope="col"><span class="spoken">mark</span></th>')
    return "\n".join(
        [
            '<div class="scroll"><table>',
            *([f"<caption>{escape_text(table.title)}</caption>"] if table.title else []),
            f"<thead><tr>{''.join(heads)}</tr></thead>",
            "<tbody>",
            *(_row(table, row) for row in table.rows),
            "</tbody>",
            "</table></div>",
            *([f'<p class="note">{escape_text(table.note)}</p>'] if table.note else []),
        ]
    )


def _row(table: Table, row: Row) -> str:
    cells = []
    if table.marked:
        sign = f'<span role="img" aria-label="{row.mark}">{SIGNS[row.mark]}</span>' if row.mark in SIGNS else ""
        cells.append(f'<td class="center">{sign}</td>')
    for column, cell in zip(table.columns, row.cells, strict=True):
        text = f"<strong>{escape_text(cell)}</strong>" if isinstance(cell, Highlight) else escape_text(cell)
        cells.append(f'<td class="{column.align}">{text}</td>')
    mark = f' class="{row.mark}"' if row.mark else ""
    return f"<tr{mark}>{''.join(cells)}</tr>"
