"""Results and tables as data."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, ClassVar, Literal, Protocol, TypeAlias

from refscore.errors import SettingError
from refscore.text_display import Align


class Detail(Protocol):
    """What a result has besides tables, such as worked steps or alignments."""

    def render_as(self, form: str) -> str:
        """Return the detail as "text", "markdown", "latex" or "html"."""

    def __rich__(self) -> Any:
        """Return the detail for a terminal."""


class Result:
    """The base class for results, which are dataclasses. A subclass overrides `table` or `tables`, among others.

    A result prints as its tables, and shows as HTML in a notebook.

    Attributes:
        schema: The documented JSON schema. "" for none.
        if_empty: The text shown if there are no tables.
        head: HTML for a page's head.

    Example:
        >>> from refscore.tables import Column, Result, Table
        >>> class Count(Result):
        ...     signature = "tok:13a"
        ...
        ...     def table(self, *, digits=None):
        ...         return Table("", [Column("words")], [["2"]])
        >>> print(Count().render("text"))
        words
        -----
        2
        <BLANKLINE>
        tok:13a
        >>> Count().flat_table() == Count().table(), str(Count()).split()
        (True, ['words', '-----', '2'])
    """

    schema: ClassVar[str] = ""
    if_empty: ClassVar[str] = ""
    head: ClassVar[str] = ""

    def table(self, *, digits: int | None = None) -> Table | None:
        """Return the table for people, or None. `digits` are the decimals, if not the usual."""
        return None

    def tables(self, *, digits: int | None = None) -> Sequence[Table]:
        """Return the tables for people. Takes the same arguments as `table`."""
        table = self.table(digits=digits)
        return () if table is None else (table,)

    def flat_table(self) -> Table:
        """Return the table for programs, with full precision. By default it is the only table for people."""
        tables = self.tables()
        if len(tables) != 1:
            raise SettingError(f"{type(self).__name__} is not one table: choose text, json or html")
        return tables[0]

    @property
    def all_signatures(self) -> Sequence[str]:
        """The result's settings as text, one line each, which follow the tables."""
        signature = getattr(self, "signature", "")
        return (signature,) if signature else ()

    @property
    def details(self) -> Sequence[Detail]:
        """What follows the tables and signatures, such as worked steps."""
        return ()

    def to_dict(self) -> Any:
        """Return the result as JSON values."""
        return plain_data(self)

    def render(self, form: str = "text", *, digits: int | None = None, quote_formulas: bool = False) -> str:
        """Return the result in a format, as `refscore.tables.render` does."""
        from refscore.tables.rendering import render

        return render(self, form, digits=digits, quote_formulas=quote_formulas)

    def latex_tables(self, *, digits: int | None = None) -> str:
        """Return the tables as LaTeX."""
        from refscore.tables.rendering import render_latex

        return "\n\n".join(map(render_latex, self.tables(digits=digits)))

    def __str__(self) -> str:
        parts = [*map(str, self.tables()), *(detail.render_as("text") for detail in self.details)]
        return "\n\n".join(parts) or self.if_empty

    def _repr_html_(self) -> str:
        return self.render("html")


def plain_data(value: Any) -> Any:
    """Return the JSON values of dataclasses, arrays and containers. NaN and infinity, which JSON lacks, become None.

    Fields of dataclasses with `repr=False` are omitted.
    """
    if is_dataclass(value):
        return {each.name: plain_data(getattr(value, each.name)) for each in fields(value) if each.repr}
    if isinstance(value, Mapping):
        return {key: plain_data(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_data(item) for item in value]
    if hasattr(value, "tolist"):  # an array or a number of NumPy
        return plain_data(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value


def encode_json(value: Any, **options: Any) -> str:
    """Return JSON for any program: NaN and infinity are null. `json.dumps` takes the `options`.

    >>> encode_json({"score": float("nan")})
    '{"score": null}'
    """
    import json

    try:
        return json.dumps(value, allow_nan=False, **options)
    except (TypeError, ValueError):  # the usual content has nothing to replace
        return json.dumps(plain_data(value), allow_nan=False, **options)


Mark: TypeAlias = Literal["match", "partial", "miss", "dim"]

# Shown in addition to colour, for readers who cannot see it. Dim rows are unimportant and have none.
SIGNS: dict[Mark | None, str] = {"match": "✓", "partial": "~", "miss": "✗"}


class Highlight(str):
    """A highlighted cell, such as a significant p-value: bold, but unchanged in plain text.

    >>> Row(("system", Highlight("0.001"))).cells
    ('system', '0.001')
    """

    __slots__ = ()


class BestHighlight(Highlight):
    """A cell highlighted as the best of its column. It has a star in plain text, and nothing else has one.

    >>> isinstance(BestHighlight("31.42"), Highlight)
    True
    """

    __slots__ = ()


class BadHighlight(Highlight):
    """A cell highlighted as bad, such as a worse system's p-value: red on a terminal, not green.

    >>> isinstance(BadHighlight("0.001"), Highlight)
    True
    """

    __slots__ = ()


@dataclass(frozen=True)
class Column:
    """A column's title, and how its cells are aligned: left, right or center.

    Args:
        title: The title.
        align: The alignment.
        is_optional: Whether a narrow terminal hides the column.
        is_joined: Whether the column belongs to the one before, as an interval to its score.

    >>> Column("count", "right")
    Column(title='count', align='right')
    """

    title: str
    align: Align = "left"
    is_optional: bool = field(default=False, repr=False)
    is_joined: bool = field(default=False, repr=False)


@dataclass(frozen=True)
class Row:
    """A row's cells, and its mark: match, partial match, miss, or dim for an unimportant row.

    >>> Row(("the cat", "1"), mark="match").cells
    ('the cat', '1')
    """

    cells: tuple[str, ...]
    mark: Mark | None = None


@dataclass(frozen=True, init=False)
class Table(Result):
    """A table with a title above and a note below. It prints as text.

    Args:
        title: The title. "" for none.
        columns: The columns, at least one.
        rows: The rows, each a `Row` or a sequence with one cell per column.
        note: The note. None for none.
        keys: The number of columns that name the row, at the beginning. A narrow terminal repeats them.

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
    keys: int = field(repr=False)

    def __init__(
        self,
        title: str,
        columns: Iterable[Column],
        rows: Iterable[Row | Sequence[str]],
        note: str | None = None,
        *,
        keys: int = 1,
    ) -> None:
        object.__setattr__(self, "title", title)
        object.__setattr__(self, "columns", tuple(columns))
        object.__setattr__(self, "rows", tuple(row if isinstance(row, Row) else Row(tuple(row)) for row in rows))
        object.__setattr__(self, "note", note)
        object.__setattr__(self, "keys", keys)
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
