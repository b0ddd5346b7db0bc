from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, ClassVar, NamedTuple

from refscore.errors import InputError, Location, relocated
from refscore.inputs import Hypotheses, References, check_hypotheses, number_tokens
from refscore.metrics.core.limits import check_limits
from refscore.tokenizers.pipeline import Pipeline


class WordEdit(NamedTuple):
    """One word in an alignment.

    Edits turn the reference into the hypothesis: a word that only the reference has is deleted, and a word that only
    the hypothesis has is inserted.

    Args:
        kind: "hit", "substitution", "deletion" (only the reference has the word) or "insertion" (only the hypothesis).
        reference: The reference word, or None for an insertion.
        hypothesis: The hypothesis word. None for a deletion, and for a missing optional word that sclite's costs count
            as a hit.

    Example:
        >>> import refscore
        >>> for edit in refscore.WER().alignment("a cat sat down", "the cat sat"):
        ...     print(edit.kind, edit.reference, edit.hypothesis)
        substitution the a
        hit cat cat
        hit sat sat
        insertion None down
    """

    kind: str
    reference: Hashable
    hypothesis: Hashable


def word_edits(kinds: Iterable[str], words: Iterable[Hashable], targets: Iterable[Hashable]) -> tuple[WordEdit, ...]:
    word, target = iter(words), iter(targets)
    return tuple(
        WordEdit(kind, None if kind == "insertion" else next(target), None if kind == "deletion" else next(word))
        for kind in kinds
    )


class AlignsWords:
    """A mixin for metrics with alignments. `refscore.alignments` and reports use it.

    Attributes:
        alignment_separator: The text between tokens in views: a space for words, nothing for characters.

    Example:
        >>> import refscore
        >>> refscore.WER.has_alignments, refscore.BLEU.has_alignments
        (True, False)
    """

    has_alignments: ClassVar[bool] = True
    alignment_separator: ClassVar[str] = " "

    @abstractmethod
    def word_alignments(
        self, hypotheses: Hypotheses, references: References, *, threads: int | None = None
    ) -> list[tuple[WordEdit, ...]]:
        """Return each segment's edits in order."""

    def is_counted(self, edit: WordEdit) -> bool:
        """Return whether the metric counts this edit. By default, it counts all."""
        return True


class Shift(NamedTuple):
    """A move.

    Args:
        words: The words.
        begin: The first word's position before this move, from 0, in the hypothesis after the previous moves.
        to: The first word's position after this move.
        distance: The insertions, deletions and substitutions that remain after this move.

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
    """Return the moves, given as (begin, length, target, distance), with their words, and all word positions."""
    positions = list(range(len(words)))
    shifts = []
    for begin, length, to, distance in moves:
        block = positions[begin : begin + length]
        del positions[begin : begin + length]
        positions[to:to] = block
        shifts.append(Shift(tuple(words[position] for position in block), begin, to, distance))
    return tuple(shifts), positions


class NumberedPair(NamedTuple):
    words: list[Hashable]
    targets: list[Hashable]
    numbers: list[int]
    target_numbers: list[int]
    vocabulary: int  # greater than all numbers


def in_pair(location: Location) -> Location:
    return Location("hypothesis" if location.side == "hypotheses" else "reference", token=location.token)


def read_pair(pipeline: Pipeline, hypothesis: Any, reference: Any) -> tuple[list[Hashable], list[Hashable]]:
    """Return a hypothesis's and a reference's words. Both must be text, or both tokens."""
    with relocated(in_pair):
        (item,), kind = check_hypotheses([hypothesis])
        (target,), target_kind = check_hypotheses([reference], "references")
    if (kind == "text") != (target_kind == "text"):
        raise InputError(None, "text and tokens cannot be aligned", "pass both as text or both as tokens")
    words, targets = pipeline.words(item), pipeline.words(target, is_reference=True)
    with relocated(in_pair):
        check_limits([words], [[targets]])
    return words, targets


def numbered_pair(pipeline: Pipeline, hypothesis: Any, reference: Any) -> NumberedPair:
    words, targets = read_pair(pipeline, hypothesis, reference)
    known: dict[Hashable, int] = {}
    with relocated(in_pair):
        (numbers,) = number_tokens([words], known, Location("hypotheses"))
        (target_numbers,) = number_tokens([targets], known, Location("references"))
    return NumberedPair(words, targets, numbers, target_numbers, len(known))
