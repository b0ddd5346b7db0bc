"""The worked steps of moves of words, for TER and CharacTER."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from refscore.metrics.core.step_parts import Part, Tokens, joined, left, positions, right, row
from refscore.steps import Paragraph
from refscore.tables import Table

if TYPE_CHECKING:
    from refscore.metrics.core.word_moves import Shift


def move_parts(candidate: Tokens, target: Tokens, moves: Sequence[Shift], rule: str, remaining: str) -> list[Part]:
    """Return a table of the moves.

    Args:
        candidate: The words of the hypothesis.
        target: The words of the reference.
        moves: The moves, in order.
        rule: Which moves the metric makes.
        remaining: What the metric counts after a move, such as "edits".
    """
    if not candidate or not target:
        empty = "hypothesis" if not candidate else "reference"
        return [Paragraph(f"The {empty} is empty, so there is nothing to move.")]
    if not moves:
        return [Paragraph(rule), Paragraph(f"No move leaves fewer {remaining}.")]
    words = list(candidate)
    rows = []
    for number, move in enumerate(moves, 1):
        size = len(move.words)
        del words[move.begin : move.begin + size]
        words[move.to : move.to] = move.words
        places = positions(move.begin, move.begin + size), positions(move.to, move.to + size)
        rows.append(row(number, joined(move.words), *places, joined(words), move.distance))
    columns = right("move") + left("words", "from", "to", "hypothesis after the move") + right(f"{remaining} left")
    note = "Positions count from 1, in the hypothesis after the previous moves."
    return [Paragraph(rule), Table("Moves", columns, rows, note)]
