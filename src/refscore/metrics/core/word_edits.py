"""Alignments of words: the part of the contract for metrics that align a hypothesis with a reference."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from typing import ClassVar, NamedTuple

from refscore.inputs import Hypotheses, References


class WordEdit(NamedTuple):
    """One step of an alignment: an edit of one word.

    Edits turn the reference into the hypothesis: a word that only the reference has is deleted, and a word that only
    the hypothesis has is inserted. TER edits in the other direction, so `TEREdit` swaps the two names.

    Args:
        kind: "hit", "substitution", "deletion" (only the reference has the word) or "insertion" (only the hypothesis).
        reference: The word of the reference; None for an insertion.
        hypothesis: The word of the hypothesis; None for a deletion.

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


class AlignsWords:
    """A mixin for metrics with alignments. `refscore.word_errors`, `refscore.alignment_view` and reports use it.

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
        """Return the edits of each segment in order."""

    def is_counted(self, edit: WordEdit) -> bool:
        """Return whether the metric counts this edit. By default, it counts all."""
        return True
