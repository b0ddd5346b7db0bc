from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from refscore.tables.model import Result, Table, plain_data
from refscore.tables.rendering import verbatim
from refscore.text_display import display_width, pad, visible

if TYPE_CHECKING:
    from rich.console import Group

T = TypeVar("T")


@dataclass(frozen=True)
class Heading:
    """The heading of a step.

    >>> Heading("1. Count the n-grams").text
    '1. Count the n-grams'
    """

    text: str


@dataclass(frozen=True)
class Paragraph:
    """A sentence or two of explanation. Line breaks are escaped, so use one `Paragraph` per paragraph.

    >>> Paragraph("The hypothesis is shorter than the reference.").text
    'The hypothesis is shorter than the reference.'
    """

    text: str


@dataclass(frozen=True)
class Formula:
    """An equation: a name, an expression, and a value (None if the expression is already the value).

    Consecutive formulas are aligned at their first equals sign.

    >>> str(Formula("BP", "exp(1 − 12/10)", "0.8187"))
    'BP = exp(1 − 12/10) = 0.8187'
    """

    name: str
    expression: str
    value: str | None = None

    @classmethod
    def chain(cls, name: str, *terms: str) -> Formula:
        """Create a formula from a chain of equal terms. The last term is the value, unless it is the only one.

        >>> Formula.chain("BP", "exp(1 − r/c)", "exp(1 − 12/10)", "0.8187")
        Formula(name='BP', expression='exp(1 − r/c) = exp(1 − 12/10)', value='0.8187')
        """
        if not terms:
            raise ValueError(f"Formula.chain({name!r}) needs at least one term after the name")
        return cls(name, terms[0]) if len(terms) == 1 else cls(name, " = ".join(terms[:-1]), terms[-1])

    def __str__(self) -> str:
        value = "" if self.value is None else f" = {self.value}"
        return f"{self.name} = {self.expression}{value}"


Part: TypeAlias = Heading | Paragraph | Formula | Table


@dataclass(frozen=True)
class Steps(Result):
    """The worked steps of a score. They print as text, in colour with rich, and as HTML in a notebook.

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

    def to_dict(self) -> dict[str, Any]:
        """Return the steps as a dictionary, ready for JSON. Every part has its `kind`.

        >>> Steps("Length", (Heading("Count"),), "4").to_dict()
        {'title': 'Length', 'parts': [{'kind': 'heading', 'text': 'Count'}], 'result': '4'}
        """
        parts = [{"kind": type(part).__name__.lower(), **plain_data(part)} for part in self.parts]
        return {"title": self.title, "parts": parts, "result": self.result}

    @property
    def details(self) -> tuple[Steps]:
        """The steps themselves, which are more than tables."""
        return (self,)

    def render_as(self, form: str) -> str:
        """Return the steps as "text", "markdown", "latex" or "html"."""
        return self.to_html() if form == "html" else verbatim(str(self), form)

    def render_blocks(
        self,
        heading: Callable[[str], T],
        paragraph: Callable[[str], T],
        formulas: Callable[[list[Formula]], T],
        table: Callable[[Table], T],
    ) -> list[T]:
        """Render the parts in order, each with the function for its type. Consecutive formulas are one block."""
        blocks: list[T] = []
        for kind, run in groupby(self.parts, key=type):
            if kind is Formula:
                blocks.append(formulas([part for part in run if isinstance(part, Formula)]))
                continue
            for part in run:
                if isinstance(part, Table):
                    blocks.append(table(part))
                elif isinstance(part, Heading):
                    blocks.append(heading(part.text))
                elif isinstance(part, Paragraph):
                    blocks.append(paragraph(part.text))
        return blocks

    def __repr__(self) -> str:
        return f"<steps of {self.title}: {self.result}>"

    def __str__(self) -> str:
        def underlined(text: str, line: str = "-") -> str:
            return f"{visible(text)}\n{line * display_width(visible(text))}"

        def aligned(formulas: list[Formula]) -> str:
            names = [visible(formula.name) for formula in formulas]
            right_sides = [visible(str(formula).removeprefix(formula.name)) for formula in formulas]
            width = max(map(display_width, names))
            return "\n".join(pad(name, width) + right for name, right in zip(names, right_sides, strict=True))

        blocks = self.render_blocks(underlined, visible, aligned, str)
        return "\n\n".join([underlined(self.title, "="), *blocks, f"Result: {visible(self.result)}"])

    def __rich__(self) -> Group:
        from refscore.steps.terminal import render_terminal

        return render_terminal(self)

    def to_html(self) -> str:
        """Return an HTML fragment with a style element.

        >>> "<p>a &lt;b&gt; c</p>" in Steps("Markup", (Paragraph("a <b> c"),), "safe").to_html()
        True
        """
        from refscore.tables.html import escape_text, fragment, render_table  # slow to import, and needed only here

        def definition(formula: Formula) -> str:
            value = "" if formula.value is None else f" = <strong>{escape_text(formula.value)}</strong>"
            return f"<dt>{escape_text(formula.name)}</dt><dd>= {escape_text(formula.expression)}{value}</dd>"

        blocks = self.render_blocks(
            lambda heading: f"<h4>{escape_text(heading)}</h4>",
            lambda paragraph: f"<p>{escape_text(paragraph)}</p>",
            lambda formulas: "\n".join(["<dl>", *map(definition, formulas), "</dl>"]),
            render_table,
        )
        result = f'<p class="result">Result: <strong>{escape_text(self.result)}</strong></p>'
        return fragment(f"<h3>{escape_text(self.title)}</h3>", *blocks, result)
