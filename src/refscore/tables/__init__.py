"""Tables as data, and one function that renders every result as text, Markdown, LaTeX, JSON, CSV, TSV or HTML."""

from refscore.tables.model import BadHighlight, BestHighlight, Column, Detail, Highlight, Mark, Result, Row, Table
from refscore.tables.rendering import FORMATS, escape_latex, render, verbatim

__all__ = [
    "FORMATS",
    "BadHighlight",
    "BestHighlight",
    "Column",
    "Detail",
    "Highlight",
    "Mark",
    "Result",
    "Row",
    "Table",
    "escape_latex",
    "render",
    "verbatim",
]
