"""Tables as data, with one renderer per medium: text, terminal, Markdown, LaTeX, CSV, TSV and HTML."""

from refscore.tables.model import BadHighlight, Column, Highlight, Mark, Row, Table
from refscore.tables.rendering import FORMATS, escape_latex, render, render_tables

__all__ = [
    "FORMATS",
    "BadHighlight",
    "Column",
    "Highlight",
    "Mark",
    "Row",
    "Table",
    "escape_latex",
    "render",
    "render_tables",
]
