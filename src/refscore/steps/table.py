"""Tables, as plain data."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

Align: TypeAlias = Literal["left", "right", "center"]
Mark: TypeAlias = Literal["match", "partial", "miss"]

# Shown beside the colour, which alone must never carry the meaning.
SIGNS: dict[Mark, str] = {"match": "✓", "partial": "~", "miss": "✗"}


@dataclass(frozen=True)
class Column:
    """The head of a table's column, and which side its cells keep to.

    >>> Column("count", "right")
    Column(title='count', align='right')
    """

    title: str
    align: Align = "left"

    def __post_init__(self) -> None:
        if self.align not in get_args(Align):
            raise ValueError(f"Column align must be one of {', '.join(get_args(Align))}, got {self.align!r}")


@dataclass(frozen=True)
class Row:
    """The cells of a table's row, and whether it is a match, a partial match or a miss (None: neither).

    >>> Row(("the cat", "1"), mark="match").cells
    ('the cat', '1')
    """

    cells: tuple[str, ...]
    mark: Mark | None = None

    def __post_init__(self) -> None:
        freeze(self, "cells", str)
        if self.mark is not None and self.mark not in SIGNS:
            raise ValueError(f"Row mark must be None or one of {', '.join(SIGNS)}, got {self.mark!r}")


@dataclass(frozen=True)
class Table:
    """A table; the note, if any, is shown under it. Every row must have one cell per column, else ValueError.

    >>> Table("Lengths", (Column("text"), Column("tokens", "right")), (Row(("hypothesis", "10")),)).note is None
    True
    >>> Table("Lengths", (Column("text"),), (Row(("hypothesis", "10")),))
    Traceback (most recent call last):
    ValueError: Table 'Lengths': rows[0] has 2 cells, but there is 1 column
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str | None = None

    def __post_init__(self) -> None:
        freeze(self, "columns", Column)
        freeze(self, "rows", Row)
        width = len(self.columns)
        if not width:
            raise ValueError(f"Table {self.title!r} has no columns")
        for index, row in enumerate(self.rows):
            if len(row.cells) != width:
                cells = "1 cell" if len(row.cells) == 1 else f"{len(row.cells)} cells"
                columns = "is 1 column" if width == 1 else f"are {width} columns"
                raise ValueError(f"Table {self.title!r}: rows[{index}] has {cells}, but there {columns}")

    @property
    def marked(self) -> bool:
        """Whether any row has a mark, so that the table needs a place for the signs."""
        return any(row.mark for row in self.rows)


def freeze(owner: Any, field: str, *kinds: type) -> None:
    """Make the field a tuple, so that the owner stays hashable, and check what is in it."""
    where = f"{type(owner).__name__} {field}"
    expected = " or ".join(kind.__name__ for kind in kinds)
    value = getattr(owner, field)
    if not isinstance(value, tuple | list):
        raise TypeError(f"{where} must be a tuple of {expected}, got {value!r}")
    for index, item in enumerate(value):
        if not isinstance(item, kinds):
            raise TypeError(f"{where}[{index}] must be {expected}, got {item!r}")
    object.__setattr__(owner, field, tuple(value))
