"""The parts of an explanation, as plain data: frozen, hashable, and the same whichever way they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from refscore.steps.table import Table, freeze

if TYPE_CHECKING:
    from rich.console import Group


@dataclass(frozen=True)
class Heading:
    """The heading of a step.

    >>> Heading("1. Count the n-grams").text
    '1. Count the n-grams'
    """

    text: str


@dataclass(frozen=True)
class Paragraph:
    """A sentence or two of explanation; line breaks in it are shown as escapes, so use one `Paragraph` for each.

    >>> Paragraph("The hypothesis is shorter than the reference.").text
    'The hypothesis is shorter than the reference.'
    """

    text: str


@dataclass(frozen=True)
class Formula:
    """An equation: a name, what it is made of, and what comes out (None where nothing is left to work out).

    Neighbouring formulas are shown aligned at their first equals sign.

    >>> str(Formula("BP", "exp(1 − 12/10)", "0.8187"))
    'BP = exp(1 − 12/10) = 0.8187'
    """

    name: str
    expression: str
    value: str | None = None

    @classmethod
    def chain(cls, name: str, *terms: str) -> Formula:
        """Write several equalities in a row; the last term is the value, unless it is the only one.

        >>> Formula.chain("BP", "exp(1 − r/c)", "exp(1 − 12/10)", "0.8187")
        Formula(name='BP', expression='exp(1 − r/c) = exp(1 − 12/10)', value='0.8187')
        """
        if not terms:
            raise ValueError(f"Formula.chain({name!r}) needs at least one term after the name")
        return cls(name, terms[0]) if len(terms) == 1 else cls(name, " = ".join(terms[:-1]), terms[-1])

    def __str__(self) -> str:
        return " = ".join(
            (self.name, self.expression) if self.value is None else (self.name, self.expression, self.value)
        )


Part: TypeAlias = Heading | Paragraph | Formula | Table


@dataclass(frozen=True)
class Steps:
    """A whole explanation. It prints as text, in colour with rich, and shows as HTML in a notebook.

    >>> steps = Steps("Precision", (Paragraph("3 of 4 words match."), Formula("p", "3/4", "0.75")), "p = 0.75")
    >>> print(steps)
    Precision
    =========
    <BLANKLINE>
    3 of 4 words match.
    <BLANKLINE>
    p = 3/4 = 0.75
    <BLANKLINE>
    Result: p = 0.75
    """

    title: str
    parts: tuple[Part, ...]
    result: str

    def __post_init__(self) -> None:
        freeze(self, "parts", Heading, Paragraph, Formula, Table)

    def to_dict(self) -> dict[str, Any]:
        """Return dictionaries, lists, strings and None, ready for JSON; every part names its `kind`.

        >>> Steps("Length", (Heading("Count"),), "4").to_dict()
        {'title': 'Length', 'parts': [{'kind': 'heading', 'text': 'Count'}], 'result': '4'}
        """
        parts = [{"kind": type(part).__name__.lower(), **_data(part)} for part in self.parts]
        return {"title": self.title, "parts": parts, "result": self.result}

    def blocks(self) -> Iterator[Heading | Paragraph | Table | tuple[Formula, ...]]:
        """Yield the parts in order, neighbouring formulas together, as renderers align them."""
        for kind, run in groupby(self.parts, key=type):
            if kind is Formula:
                yield tuple(part for part in run if isinstance(part, Formula))
            else:
                yield from (part for part in run if not isinstance(part, Formula))

    def __str__(self) -> str:
        from refscore.steps.plain import render_plain

        return render_plain(self)

    def __rich__(self) -> Group:
        from refscore.steps.terminal import render_terminal

        return render_terminal(self)

    def _repr_html_(self) -> str:
        from refscore.steps.html import render_html

        return render_html(self)


def _data(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _data(getattr(value, field.name)) for field in fields(value)}
    return [_data(item) for item in value] if isinstance(value, tuple) else value
