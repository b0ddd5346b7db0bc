"""Worked steps: how a number came about, as a teacher writes it on the board.

An explanation is data (headings, paragraphs, formulas and tables in a `Steps`), and three renderers turn it into
plain text, a rich renderable for the terminal, or an HTML fragment. Nothing here knows any metric.
"""

from typing import TYPE_CHECKING, Any

from refscore.steps.html import render_html
from refscore.steps.model import Formula, Heading, Paragraph, Steps
from refscore.steps.plain import render_plain
from refscore.steps.table import Column, Row, Table

if TYPE_CHECKING:
    from refscore.steps.terminal import render_terminal

__all__ = [
    "Column",
    "Formula",
    "Heading",
    "Paragraph",
    "Row",
    "Steps",
    "Table",
    "render_html",
    "render_plain",
    "render_terminal",
]


def __getattr__(name: str) -> Any:
    # Scoring must not pay for importing rich.
    if name == "render_terminal":
        from refscore.steps.terminal import render_terminal

        return render_terminal
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
