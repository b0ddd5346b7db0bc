"""A table as data: columns, rows of text, and marks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from refscore.text_display import Align

Mark: TypeAlias = Literal["match", "partial", "miss", "dim"]

# Shown beside the colour, which must not be the only sign. Dim rows are unimportant and have none.
SIGNS: dict[Mark | None, str] = {"match": "✓", "partial": "~", "miss": "✗"}


class Highlight(str):
    """A cell that stands out, such as the best score: bold, or with a star where there is no bold type.

    >>> Row(("system", Highlight("31.42"))).cells
    ('system', '31.42')
    """

    __slots__ = ()


@dataclass(frozen=True)
class Column:
    """The head of a column, and the side its cells are aligned to: left, right or center.

    >>> Column("count", "right")
    Column(title='count', align='right')
    """

    title: str
    align: Align = "left"


@dataclass(frozen=True)
class Row:
    """The cells of a row, and its mark: a match, a partial match, a miss, or dim for an unimportant row.

    >>> Row(("the cat", "1"), mark="match").cells
    ('the cat', '1')
    """

    cells: tuple[str, ...]
    mark: Mark | None = None


@dataclass(frozen=True, init=False)
class Table:
    """A table with a title above ("" for none) and a note below. It prints as text.

    Args:
        title: The title.
        columns: The heads, at least one.
        rows: A `Row`, or only its cells, each as long as `columns`.
        note: The note.

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
            raise ValueError(f"Table {title!r} has no columns")
        for index, row in enumerate(self.rows):
            if len(row.cells) != len(self.columns):
                sizes = f"cells: {len(row.cells)}, columns: {len(self.columns)}"
                raise ValueError(f"Table {title!r}: rows[{index}] does not fit the columns ({sizes})")

    @property
    def marked(self) -> bool:
        """Whether any row has a sign, which needs a column."""
        return any(row.mark in SIGNS for row in self.rows)

    def __str__(self) -> str:
        from refscore.tables.rendering import render

        return render(self, "plain")

    __repr__ = __str__  # also in lists, and where a notebook or a session shows it

    def _repr_html_(self) -> str:
        from refscore.tables.rendering import render

        return render(self, "html")
