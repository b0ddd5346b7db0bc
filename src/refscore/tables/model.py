"""A table as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Align: TypeAlias = Literal["left", "right"]
Mark: TypeAlias = Literal["best", "dim"]


@dataclass(frozen=True)
class Column:
    """The head of a column, and which side its cells keep to.

    Example:
        >>> Column("BLEU", "right")
        Column(title='BLEU', align='right')
    """

    title: str
    align: Align = "left"


@dataclass(frozen=True)
class Cell:
    """A text, and whether it is the best of its column or of little weight.

    Example:
        >>> Cell("31.42", "best").text
        '31.42'
    """

    text: str
    mark: Mark | None = None


@dataclass(frozen=True, init=False)
class Table:
    """Rows of cells under columns, with a title above and a note below where there is one.

    Example:
        >>> table = Table([Column("system"), Column("BLEU", "right")], [["a", "27.51"], ["b", Cell("28.03", "best")]])
        >>> table.rows[1][1]
        Cell(text='28.03', mark='best')
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    note: str = ""

    def __init__(
        self, columns: Sequence[Column], rows: Sequence[Sequence[str | Cell]], title: str = "", note: str = ""
    ) -> None:
        cells = tuple(tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row) for row in rows)
        for index, row in enumerate(cells):
            if len(row) != len(columns):
                raise ValueError(f"rows[{index}] has {len(row)} cells, but there are {len(columns)} columns")
        for name, value in (("columns", tuple(columns)), ("rows", cells), ("title", title), ("note", note)):
            object.__setattr__(self, name, value)
