"""A move of words within a hypothesis, for TER and CharacTER."""

from __future__ import annotations

from collections.abc import Hashable
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
