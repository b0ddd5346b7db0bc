from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from refscore.errors import SettingError

if TYPE_CHECKING:
    from refscore.tables.model import Table


class Detail(Protocol):
    """A part of a result that is not a table, such as worked steps or alignments."""

    def render_as(self, form: str) -> str:
        """Return the detail as "text", "markdown", "latex" or "html"."""

    def __rich__(self) -> Any:
        """Return the detail for a terminal."""


class Result:
    """The base class of results, which are dataclasses. A subclass overrides `table` or `tables`, and what else it has.

    A result prints as its tables, and shows as HTML in a notebook.

    Attributes:
        schema: The name of the documented JSON schema; "" for none.
        if_empty: The text in place of tables if there are none.
        head: The HTML in the head of a page with the result.

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
        """Return the table for people; None if there is none. `digits` is the number of decimals, if not the usual."""
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
        """The settings of the result as text, one line each, which follow the tables."""
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
    """Return the JSON values of dataclasses, arrays and containers. NaN and infinity, which JSON lacks, become None."""
    if is_dataclass(value):
        return {field.name: plain_data(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: plain_data(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_data(item) for item in value]
    if hasattr(value, "tolist"):  # an array or a number of NumPy
        return plain_data(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value


def encode_json(value: Any, **options: Any) -> str:
    """Return JSON for any program: NaN and infinity are null. `options` are arguments of `json.dumps`.

    >>> encode_json({"score": float("nan")})
    '{"score": null}'
    """
    import json

    try:
        return json.dumps(value, allow_nan=False, **options)
    except (TypeError, ValueError):  # the usual content has nothing to replace
        return json.dumps(plain_data(value), allow_nan=False, **options)
