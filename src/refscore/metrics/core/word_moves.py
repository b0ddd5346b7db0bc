"""A move of words within a hypothesis, for TER and CharacTER."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple


class Shift(NamedTuple):
    """A move of a block of words.

    Args:
        words: The words.
        begin: The position of the first word before this move, from 0, in the hypothesis after the previous moves.
        to: The position of the first word after this move.
        distance: The number of insertions, deletions and substitutions that remain after this move.

    Example:
        >>> import refscore
        >>> refscore.TER().alignment("today it rained", "it rained today").shifts
        (Shift(words=('today',), begin=0, to=2, distance=0),)
    """

    words: tuple[Hashable, ...]
    begin: int
    to: int
    distance: int


def apply_moves(
    words: Sequence[Hashable], moves: Iterable[tuple[int, int, int, int]]
) -> tuple[tuple[Shift, ...], list[int]]:
    """Return the moves with their words, and the positions of all words after the moves.

    Args:
        words: The words of the hypothesis.
        moves: The begin, the number of words, the target and the remaining distance of each move.
    """
    positions = list(range(len(words)))
    shifts = []
    for begin, length, to, distance in moves:
        block = positions[begin : begin + length]
        del positions[begin : begin + length]
        positions[to:to] = block
        shifts.append(Shift(tuple(words[position] for position in block), begin, to, distance))
    return tuple(shifts), positions
