"""Helpers for worked steps: rows and columns of tables, formulas with numbers, and lists of words."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

from refscore.steps import Formula, Heading, Paragraph
from refscore.tables import Column, Mark, Row, Table

Tokens: TypeAlias = Sequence[Hashable]
Part: TypeAlias = Heading | Paragraph | Formula | Table
Section: TypeAlias = tuple[str, Sequence[Part]]
Cell: TypeAlias = str | int | float

# Longer lists are hard to read.
MOST_TERMS = 20
MOST_WORDS = 12
MOST_ROWS = 200


def show(cell: Cell) -> str:
    """Return a cell as text; floats have four decimals."""
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


def row(*cells: Cell, mark: Mark | None = None) -> Row:
    """Return a row of a table."""
    return Row(tuple(map(show, cells)), mark)


def left(*titles: str) -> list[Column]:
    """Return left-aligned columns, for texts."""
    return [Column(title) for title in titles]


def right(*titles: str) -> list[Column]:
    """Return right-aligned columns, for numbers."""
    return [Column(title, "right") for title in titles]


def mark_share(part: int, whole: int) -> Mark:
    """Return the mark of a row, by whether all, some or none of it matches."""
    return "match" if part == whole else "partial" if part else "miss"


def shortened_table(title: str, columns: Sequence[Column], rows: Sequence[Row], note: str | None = None) -> list[Part]:
    """Return a table of the first rows, and the number of further rows."""
    parts: list[Part] = [Table(title, columns, rows[:MOST_ROWS], note)]
    if len(rows) > MOST_ROWS:
        parts.append(Paragraph(f"… and {len(rows) - MOST_ROWS} more rows."))
    return parts


def formula(name: str, *terms: Cell) -> Formula:
    """Return a chain of equal terms. The last one is the value."""
    return Formula.chain(name, *map(show, terms))


def sum_terms(terms: Sequence[Cell], pattern: str = "{}") -> list[str]:
    """Return a sum as a term for `formula`; nothing for a single term or for many terms."""
    return [pattern.format(" + ".join(map(show, terms)))] if 1 < len(terms) <= MOST_TERMS else []


def joined(tokens: Tokens) -> str:
    """Return the tokens in one line."""
    return " ".join(str(token) for token in tokens)


def shortened(tokens: Tokens) -> str:
    """Return the tokens in one line. Long sequences are shortened to the first and last ones and the number."""
    if len(tokens) <= MOST_WORDS:
        return joined(tokens)
    return f"{joined(tokens[:4])} … {joined(tokens[-4:])} ({len(tokens)} words)"


def positions(begin: int, end: int) -> str:
    """Return the positions of `tokens[begin:end]`, counted from 1."""
    return str(end) if end == begin + 1 else f"{begin + 1}–{end}"
