from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from types import ModuleType
from typing import Any, ClassVar, NamedTuple, TypeVar

from refscore import _native
from refscore.cached import cached_property
from refscore.errors import InputError, relocated
from refscore.inputs import Hypotheses, Input, References, Segment, check, listed_hypotheses, listed_references
from refscore.metrics.core.alignments import AlignsWords, WordEdit, in_pair, numbered_pair, word_edits
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.runner import run
from refscore.metrics.core.score import RowCount, Score
from refscore.metrics.core.text_settings import TextMetric

S = TypeVar("S", bound="ErrorRateScore")


class EditRun(NamedTuple):
    """Consecutive edits with the same kind.

    Args:
        kind: "hit", "substitution", "deletion" or "insertion", as in `WordEdit`, or "compound": words that one side
            writes together and the other one apart.
        reference_begin: The first word's position in the reference, from 0.
        reference_end: The position after the last word in the reference; equal to the begin for insertions.
        hypothesis_begin: The first word's position in the hypothesis, from 0.
        hypothesis_end: The position after the last word in the hypothesis; equal to the begin for deletions.

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
    """An error rate with edit counts and jiwer's other measures."""

    __slots__ = ()

    @property
    def value(self) -> float:
        """The errors per reference token: 0 is best, and it may exceed 1. Without reference tokens, the errors."""
        hits, substitutions, deletions, insertions = self.row.tolist()
        return float((substitutions + deletions + insertions) / ((hits + substitutions + deletions) or 1))

    @property
    def mer(self) -> float:
        """The match error rate, from 0 to 1: errors per alignment step, or 0 if there are none."""
        hits, *errors = self.row.tolist()
        steps = hits + sum(errors)
        return float(sum(errors) / steps) if steps else 0.0

    @property
    def wip(self) -> float:
        """Word information preserved, from 0 to 1: hits per reference token, times hits per hypothesis token."""
        hits, substitutions, deletions, insertions = self.row.tolist()
        reference, hypothesis = hits + substitutions + deletions, hits + substitutions + insertions
        if reference == 0 or hypothesis == 0:
            return float(reference == hypothesis)
        return float((hits / reference) * (hits / hypothesis))

    @property
    def wil(self) -> float:
        """Word information lost: 1 - wip."""
        return 1 - self.wip

    hits = RowCount(0, "The number of reference tokens that the hypothesis has.")
    substitutions = RowCount(1, "The number of reference tokens that are replaced by a different token.")
    deletions = RowCount(2, "The number of reference tokens that the hypothesis lacks.")
    insertions = RowCount(3, "The number of tokens that only the hypothesis has.")

    @property
    def errors(self) -> int:
        """The edit distance: substitutions, deletions and insertions together."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def ref_len(self) -> int:
        """How many tokens the references have."""
        return self.hits + self.substitutions + self.deletions

    @property
    def hyp_len(self) -> int:
        """How many tokens the hypotheses have."""
        return self.hits + self.substitutions + self.insertions

    parts = ("mer", "wil", "wip", "hits", "substitutions", "deletions", "insertions", "hyp_len", "ref_len")

    def __str__(self) -> str:
        return (
            f"{self.metric.name.upper()} = {round(self.percent, 10):.2f} (hits = {self.hits} "
            f"substitutions = {self.substitutions} deletions = {self.deletions} insertions = {self.insertions} "
            f"ref_len = {self.ref_len})"
        )


@dataclass(frozen=True, kw_only=True)
class ErrorRate(AlignsWords, TextMetric[S]):
    """The number of edits that turn the reference into the hypothesis, per reference token."""

    papers = (
        "Levenshtein (1966): Binary Codes Capable of Correcting Deletions, Insertions, and Reversals. Soviet Physics "
        "Doklady.",
        "Morris, Maier, Green (2004): From WER and RIL to MER and WIL. Interspeech.",
    )
    kernel_type = _native.ErrorRate
    columns = ("hits", "substitutions", "deletions", "insertions")
    higher_is_better = False
    counts_written_form = True
    is_bounded = False
    draws_runs = False
    """Whether `explain` shows consecutive edits of one kind in one row, as for characters."""
    presets: ClassVar[Mapping[str, Preset]] = {"jiwer": Preset({}, tool="jiwer", version="4.0.0", scale=1)}

    @property
    def is_weighted(self) -> bool:
        """Whether edits have costs, or compounds match, so each alignment needs the kernel."""
        return False

    def alignment(self, hypothesis: Segment, reference: Segment) -> tuple[WordEdit, ...]:
        """Return the edits that turn the reference into the hypothesis, the same as jiwer's if there is a choice.

        Both are texts or token sequences.
        """
        if self.pipeline.alternatives or self.is_weighted:
            entry = reference if isinstance(reference, str) else [reference]
            with relocated(lambda location: in_pair(location.in_one_segment())):
                return self.word_alignments([hypothesis], [entry])[0]
        pair = numbered_pair(self.pipeline, hypothesis, reference)
        edits = _native.align_edits(pair.numbers, pair.target_numbers, pair.vocabulary)
        return word_edits(edits, pair.words, pair.targets)

    def alignments(
        self, hypotheses: Hypotheses, references: References, *, threads: int | None = None
    ) -> list[list[EditRun]]:
        """Return all alignments, with consecutive edits combined if they have the same kind.

        Args:
            hypotheses: One text or token sequence per segment, or a padded batch of token ids.
            references: One reference per hypothesis: a text, or a list with a token sequence.
            threads: The number of threads, by default all cores.

        Returns:
            Each segment's runs, in order. Positions are in the best path if a reference has alternatives.
        """
        aligned = self._aligned(hypotheses, references, threads, only=True)
        return [list(map(tuple.__new__, repeat(EditRun), runs)) for runs, _, _ in aligned]

    def word_alignments(
        self, hypotheses: Hypotheses, references: References, *, threads: int | None = None
    ) -> list[tuple[WordEdit, ...]]:
        """Return each segment's edits with their words. With several references, the one that counts is aligned.

        Example:
            >>> import refscore
            >>> for edit in refscore.WER().word_alignments(["a cat sat down"], [["the cat sat", "a mat"]])[0]:
            ...     print(edit.kind, edit.reference, edit.hypothesis)
            substitution the a
            hit cat cat
            hit sat sat
            insertion None down
        """
        segments = check(hypotheses, references)
        items, entries = listed_hypotheses(segments.hypotheses), listed_references(segments.references)
        aligned = self._aligned(items, entries, threads, only=False)
        words = self._all_words(items, is_reference=False)
        chosen = [texts[reference] for texts, (_, reference, _) in zip(entries, aligned, strict=True)]
        chosen_words = self._all_words(chosen, is_reference=True)
        return [
            _word_edits(runs, own, target if path is None else path)
            for (runs, _, path), own, target in zip(aligned, words, chosen_words, strict=True)
        ]

    def _all_words(self, items: Sequence[Any], *, is_reference: bool) -> list[list[Hashable]]:
        if items and isinstance(items[0], str):
            return self.pipeline.tokens_all(items, is_reference=is_reference)
        return [self.pipeline.words(item, is_reference=is_reference) for item in items]

    def _aligned(
        self, hypotheses: Any, references: Any, threads: int | None, *, only: bool
    ) -> list[tuple[Any, int, Any]]:
        """Return edit runs, the chosen reference's index, and the best path if it has alternatives."""
        if threads is None and _is_pair_of_texts(hypotheses, references) and self.pipeline.prepare is None:
            pair: list[tuple[Any, int, Any]] = self._alignment_kernel().runs(hypotheses, references, 1, only)
            return pair
        given = Input(hypotheses, references)
        if given.references.is_prepared:
            raise InputError(None, "alignments cannot use prepared references: pass the original references")
        kernel = self._alignment_kernel()
        blocks = run(
            self,
            lambda texts, targets, count: kernel.runs(texts, targets, count, only),
            given,
            threads,
        )
        return [segment for block in blocks for segment in block]

    def _alignment_kernel(self) -> _native.ErrorRate | _native.WeightedErrorRate | _native.FormErrorRate:
        return _native.ErrorRate(self.pipeline.native, self)

    def counts(self, hypothesis: Segment, reference: Segment) -> tuple[int, int, int, int]:
        """Return hits, substitutions, deletions and insertions as plain numbers, which is faster than `segment`."""
        try:
            return self._counts(hypothesis, reference)
        except _native.UnsupportedInput:
            return self._counts_of_segment(hypothesis, reference)

    @cached_property
    def _counts(self) -> Callable[[Any, Any], tuple[int, int, int, int]]:
        """The kernel's function if it can read the input, because looking it up takes longer than a short pair."""
        counts: Any = getattr(self.kernel, "counts", None)
        return self._counts_of_segment if counts is None or self.pipeline.prepare is not None else counts

    def _counts_of_segment(self, hypothesis: Any, reference: Any) -> tuple[int, int, int, int]:
        hits, substitutions, deletions, insertions = self.segment(
            hypothesis, reference if isinstance(reference, str) else [reference]
        ).row.tolist()
        return hits, substitutions, deletions, insertions


def _is_pair_of_texts(hypotheses: Any, references: Any) -> bool:
    """Return whether both are lists with one text, which the kernel reads without `Input`."""
    if not (type(hypotheses) is type(references) is list and len(hypotheses) == len(references) == 1):
        return False
    return type(hypotheses[0]) is type(references[0]) is str


def _word_edits(
    runs: Sequence[tuple[str, int, int, int, int]], words: Sequence[Hashable], targets: Sequence[Hashable]
) -> tuple[WordEdit, ...]:
    edits: list[WordEdit] = []
    for kind, begin, end, own_begin, own_end in runs:
        if kind == "compound":
            edits.append(WordEdit("hit", _joined(targets[begin:end]), _joined(words[own_begin:own_end])))
            continue
        size = max(end - begin, own_end - own_begin)
        left = targets[begin:end] if end > begin else repeat(None, size)
        right = words[own_begin:own_end] if own_end > own_begin else repeat(None, size)
        edits.extend(map(WordEdit, repeat(kind, size), left, right))
    return tuple(edits)


def _joined(words: Sequence[Hashable]) -> str:
    return " ".join(map(str, words))


def edit_distance_functions(module: ModuleType) -> tuple[Any, Any]:
    """Return the functions `eval` and `eval_criterion` for editdistance's module.

    For long sequences, and under limits, they call the module's function `_long_distance`.
    """
    return _native.edit_distance_functions(module)
