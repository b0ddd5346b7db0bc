"""What the word and the character error rate share: counts of edits, and what is made of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import repeat
from typing import ClassVar, NamedTuple, TypeVar

from refscore import _native
from refscore.errors import InputError
from refscore.metrics.core.prepared import PreparedReferences
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.runner import run
from refscore.metrics.core.score import RowCount, Score
from refscore.metrics.core.text_settings import TextMetric
from refscore.metrics.core.word_pairs import numbered_pair
from refscore.segments import Hypotheses, References, Segment

S = TypeVar("S", bound="ErrorRateScore")


class WordEdit(NamedTuple):
    """One step of an alignment: what became of a word of the reference, or where one of the hypothesis came from.

    The reference is edited into the hypothesis: a word that only the reference has is deleted, one that only the
    hypothesis has is inserted. TER, whose `TEREdit` edits the hypothesis into the reference, names these the other way
    round.

    Args:
        kind: "hit", "substitution", "deletion" (the hypothesis lacks the word) or "insertion" (only it has the word).
        reference: The reference's word; None for an insertion.
        hypothesis: The hypothesis' word; None for a deletion.

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


class EditRun(NamedTuple):
    """Steps of an alignment that follow each other and are of one kind.

    Args:
        kind: "hit", "substitution", "deletion" or "insertion", as in `WordEdit`.
        reference_begin: Where they begin among the reference's words, from 0.
        reference_end: The word after their last one; the same as where they begin for insertions.
        hypothesis_begin: Where they begin among the hypothesis' words.
        hypothesis_end: The word after their last one; the same as where they begin for deletions.

    Example:
        >>> import refscore
        >>> for run in refscore.WER().alignments(["a cat sat down"], ["the cat sat"])[0]:
        ...     print(run.kind, run.reference_begin, run.reference_end)
        substitution 0 1
        hit 1 3
        insertion 3 3
    """

    kind: str
    reference_begin: int
    reference_end: int
    hypothesis_begin: int
    hypothesis_end: int


class ErrorRateScore(Score):
    """An error rate: the counts of edits and the measures that jiwer makes of them."""

    __slots__ = ()

    @property
    def value(self) -> float:
        """Errors by tokens of the reference: 0 is best, and it may exceed 1. Without any such tokens, the errors."""
        hits, substitutions, deletions, insertions = self.row.tolist()
        return float((substitutions + deletions + insertions) / ((hits + substitutions + deletions) or 1))

    @property
    def mer(self) -> float:
        """The match error rate, from 0 to 1: the share of errors among all steps of the alignment; 0 without any."""
        hits, *errors = self.row.tolist()
        steps = hits + sum(errors)
        return float(sum(errors) / steps) if steps else 0.0

    @property
    def wip(self) -> float:
        """Word information preserved, from 0 to 1: hits by reference tokens, times hits by hypothesis tokens."""
        hits, substitutions, deletions, insertions = self.row.tolist()
        reference, hypothesis = hits + substitutions + deletions, hits + substitutions + insertions
        if reference == 0 or hypothesis == 0:
            return float(reference == hypothesis)
        return float((hits / reference) * (hits / hypothesis))

    @property
    def wil(self) -> float:
        """Word information lost: 1 - wip."""
        return 1 - self.wip

    hits = RowCount(0, "Tokens of the reference that the hypothesis has.")
    substitutions = RowCount(1, "Tokens of the reference in whose place the hypothesis has another.")
    deletions = RowCount(2, "Tokens of the reference that the hypothesis lacks.")
    insertions = RowCount(3, "Tokens that only the hypothesis has.")

    @property
    def errors(self) -> int:
        """Substitutions, deletions and insertions together: the edit distance."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def ref_len(self) -> int:
        """The number of tokens of the references."""
        return self.hits + self.substitutions + self.deletions

    @property
    def hyp_len(self) -> int:
        """The number of tokens of the hypotheses."""
        return self.hits + self.substitutions + self.insertions

    parts = ("mer", "wil", "wip", "hits", "substitutions", "deletions", "insertions", "hyp_len", "ref_len")

    def __str__(self) -> str:
        return (
            f"{self.metric.name.upper()} = {round(self.percent, 10):.2f} (hits = {self.hits} "
            f"substitutions = {self.substitutions} deletions = {self.deletions} insertions = {self.insertions} "
            f"ref_len = {self.ref_len})"
        )


@dataclass(frozen=True, kw_only=True)
class ErrorRate(TextMetric[S]):
    """The edits that turn the reference into the hypothesis, by the length of the reference. 0 is best."""

    scale: ClassVar[str] = "0 is best, and it may exceed 1"
    papers: ClassVar[tuple[str, ...]] = (
        "Levenshtein (1966): Binary Codes Capable of Correcting Deletions, Insertions, and Reversals. Soviet Physics "
        "Doklady.",
        "Morris, Maier, Green (2004): From WER and RIL to MER and WIL. Interspeech.",
    )
    columns = ("hits", "substitutions", "deletions", "insertions")
    higher_is_better: ClassVar[bool] = False
    is_bounded: ClassVar[bool] = False
    draws_runs: ClassVar[bool] = False
    """Whether `explain` draws tokens of the same edit as one run: of characters, not of words."""
    presets: ClassVar[Mapping[str, Preset]] = {"jiwer": Preset({}, tool="jiwer", version="4.0.0", scale=1)}

    def _make_kernel(self) -> _native.ErrorRate:
        return _native.ErrorRate(rules=self.pipeline.native)

    def alignment(self, hypothesis: Segment, reference: Segment) -> tuple[WordEdit, ...]:
        """The edits that turn the reference into the hypothesis: the same ones as jiwer's, where several are as few.

        Hypothesis and reference, a single one, are texts or tokens.
        """
        pair = numbered_pair(self.pipeline, hypothesis, reference)
        edits = []
        word, target_word = iter(pair.words), iter(pair.targets)
        for edit in _native.align_edits(pair.numbers, pair.target_numbers, pair.vocabulary):
            edits.append(
                WordEdit(
                    edit.name,
                    None if edit is _native.Edit.insertion else next(target_word),
                    None if edit is _native.Edit.deletion else next(word),
                )
            )
        return tuple(edits)

    def alignments(
        self, hypotheses: Hypotheses, references: References, *, threads: int | None = None
    ) -> list[list[EditRun]]:
        """The alignments of a corpus, each step of which `alignment` has, with those of one kind taken together.

        Args:
            hypotheses: The segments: texts, token sequences, or a batch of ids.
            references: One reference per hypothesis: for text a string, for tokens a list of one token sequence.
            threads: How many to use; all cores by default.

        Returns:
            For each segment its runs of equal edits, in order.
        """
        if isinstance(references, PreparedReferences):
            raise InputError(None, "alignments() takes references as they are, not prepared ones")
        blocks = run(self, self.kernel.runs, hypotheses, references, threads)  # type: ignore[attr-defined]
        return [list(map(tuple.__new__, repeat(EditRun), runs)) for block in blocks for runs in block]

    def counts(self, hypothesis: Segment, reference: Segment) -> tuple[int, int, int, int]:
        """The counts of one pair as plain numbers, which is quicker than a score: for programs that take many.

        Takes what `alignment` takes, and returns hits, substitutions, deletions and insertions.
        """
        if self.pipeline.prepare is None:
            try:
                counts: tuple[int, int, int, int] = self.kernel.counts(hypothesis, reference)  # type: ignore[attr-defined]
                return counts
            except _native.UnsupportedInput:
                pass
        hits, substitutions, deletions, insertions = self.segment(
            hypothesis, reference if isinstance(reference, str) else [reference]
        ).row.tolist()
        return hits, substitutions, deletions, insertions
