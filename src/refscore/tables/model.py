from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from refscore.tables.result import Result
from refscore.text_display import Align

Mark: TypeAlias = Literal["match", "partial", "miss", "dim"]

# Shown in addition to colour, for readers who cannot see it. Dim rows are unimportant and have none.
SIGNS: dict[Mark | None, str] = {"match": "✓", "partial": "~", "miss": "✗"}


class Highlight(str):
    """A highlighted cell, such as the best score: bold, or with a star in plain text.

    >>> Row(("system", Highlight("31.42"))).cells
    ('system', '31.42')
    """

    __slots__ = ()


class BadHighlight(Highlight):
    """A cell highlighted as bad, such as the p-value of a worse system: red on a terminal, not green.

    >>> isinstance(BadHighlight("0.001"), Highlight)
    True
    """

    __slots__ = ()


@dataclass(frozen=True)
class Column:
    """The title of a column, and the alignment of its cells: left, right or center.

    >>> Column("count", "right")
    Column(title='count', align='right')
    """

    title: str
    align: Align = "left"


@dataclass(frozen=True)
class Row:
    """The cells of a row, and its mark: match, partial match, miss, or dim for an unimportant row.

    >>> Row(("the cat", "1"), mark="match").cells
    ('the cat', '1')
    """

    cells: tuple[str, ...]
    mark: Mark | None = None


@dataclass(frozen=True, init=False)
class Table(Result):
    """A table with a title above and a note below. It prints as text.

    Args:
        title: The title; "" for none.
        columns: The columns, at least one.
        rows: The rows, each a `Row` or a sequence of cells, with one cell per column.
        note: The note; None for none.

    Example:
        >>> print(Table("Lengths", [Column("text"), Column("tokens", "right")], [["hypothesis", "10"]]))
        Lengths
        text        tokens
        ----------  ------
        hypothesis      10
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str | None

    def __init__(
        self, title: str, columns: Iterable[Column], rows: Iterable[Row | Sequence[str]], note: str | None = None
    ) -> None:
        object.__setattr__(self, "title", title)
        object.__setattr__(self, "columns", tuple(columns))
        object.__setattr__(self, "rows", tuple(row if isinstance(row, Row) else Row(tuple(row)) for row in rows))
        object.__setattr__(self, "note", note)
        if not self.columns:
            raise ValueError(f"Table {title!r} has no columns: pass at least one")
        for index, row in enumerate(self.rows):
            if len(row.cells) != len(self.columns):
                sizes = f"cells: {len(row.cells)}, columns: {len(self.columns)}"
                raise ValueError(f"Table {title!r}: rows[{index}] must have one cell per column ({sizes})")

    @property
    def marked(self) -> bool:
        """Whether any row has a sign, which needs an extra column."""
        return any(row.mark in SIGNS for row in self.rows)

    def table(self, *, digits: int | None = None) -> Table:
        """Return the table itself. Its cells are text, so `digits` has no effect."""
        return self

    def __str__(self) -> str:
        return self.render()

    __repr__ = __str__  # a table in an interactive session or a list prints in full
