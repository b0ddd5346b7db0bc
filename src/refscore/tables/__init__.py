"""Tables of results as data, and their text for terminals, pipes and papers. Nothing here knows any metric."""

from refscore.tables.model import Cell, Column, Table
from refscore.tables.rendering import FORMATS, render

__all__ = ["FORMATS", "Cell", "Column", "Table", "render"]
