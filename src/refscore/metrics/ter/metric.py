"""TER: the edits that turn a hypothesis into the reference, moves of whole phrases among them, per reference word.

Snover, Dorr, Schwartz, Micciulla, Makhoul (2006): A Study of Translation Edit Rate with Targeted Human Annotation.
AMTA.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

import numpy as np

from refscore import _native
from refscore._version import __version__
from refscore.errors import InputError
from refscore.metrics.core.metric import Metric, Score
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.settings import FLAGS, check_flag, from_signature_pairs, one_of, yes
from refscore.metrics.core.word_pairs import numbered_pair
from refscore.signature import join
from refscore.tokenizers.pipeline import Pipeline

if TYPE_CHECKING:
    from refscore.steps import Steps

TIMES = {"once": False, "twice": True}


class Shift(NamedTuple):
    """A block of words that is moved.

    Args:
        words: The words.
        begin: Where the first of them is before the move, from 0, in the hypothesis as the moves before have left it.
        to: Where it is after the move.
        distance: How many insertions, deletions and substitutions would be left after it.

    Example:
        >>> import refscore
        >>> refscore.TER().alignment("today it rained", "it rained today").shifts
        (Shift(words=('today',), begin=0, to=2, distance=0),)
    """

    words: tuple[Hashable, ...]
    begin: int
    to: int
    distance: int


class TEREdit(NamedTuple):
    """What happens to one word, after all moves.

    The hypothesis is edited into the reference: a word that only the reference has is inserted, one that only the
    hypothesis has is deleted. WER and CER, whose `WordEdit` is told from the reference's side, name these the other way
    round.

    Args:
        operation: "match", "substitute", "insert" (the hypothesis lacks a word) or "delete" (it has one too many).
        word: The word of the hypothesis; None for an insertion.
        position: Where that word was in the hypothesis before all moves, from 0; None for an insertion.
        reference_word: The word of the reference; None for a deletion.
        reference_position: Where that is, from 0; None for a deletion.

    Example:
        >>> import refscore
        >>> for edit in refscore.TER().alignment("a small cat", "the cat").edits:
        ...     print(*edit)
        delete a 0 None None
        substitute small 1 the 0
        match cat 2 cat 1
    """

    operation: Literal["match", "substitute", "insert", "delete"]
    word: Hashable
    position: int | None
    reference_word: Hashable
    reference_position: int | None


class TERAlignment(NamedTuple):
    """How a hypothesis becomes its reference: the moves one after the other, then what happens word by word.

    Example:
        >>> import refscore
        >>> alignment = refscore.TER().alignment("today it rained much", "it rained today")
        >>> len(alignment.shifts), [edit.operation for edit in alignment.edits], alignment.edit_count
        (1, ['match', 'match', 'match', 'delete'], 2)
    """

    shifts: tuple[Shift, ...]
    edits: tuple[TEREdit, ...]

    @property
    def edit_count(self) -> int:
        """The number of edits that TER counts: all moves, insertions, deletions and substitutions."""
        return len(self.shifts) + sum(edit.operation != "match" for edit in self.edits)


class TERScore(Score):
    """A TER score: edits and reference words, and their ratio.

    Example:
        >>> import refscore
        >>> score = refscore.ter(["today it rained much"], ["it rained today"])
        >>> print(score)
        TER = 66.67 (edits = 2 reference length = 3.0)
        >>> score.signature
        'ter|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|refs:twice|version:0.1.0'
    """

    __slots__ = ()

    metric: TER

    @property
    def value(self) -> float:
        """The score: 0 is best, and it may exceed 1."""
        edits, length = self.row.tolist()
        if length > 0:
            return float(edits / length)
        return 1.0 if edits > 0 else 0.0

    @property
    def edits(self) -> int:
        """The number of edits, moves included."""
        return int(self.row[0])

    @property
    def ref_len(self) -> float:
        """The number of reference words; of a segment with several references, the mean."""
        return float(self.row[1])

    def details(self) -> dict[str, Any]:
        """What the score is made of, ready for JSON."""
        return {"edits": self.edits, "ref_len": self.ref_len}

    def __str__(self) -> str:
        length = round(self.ref_len, 10)
        return f"TER = {round(self.percent, 10):.2f} (edits = {self.edits} reference length = {length})"


@dataclass(frozen=True, kw_only=True)
class TER(Metric[TERScore]):
    """TER as sacrebleu computes it, by its rules for text and its search for moves. 0 is best, 1 may be exceeded.

    A segment's edits are those of the reference that needs the fewest; they are divided by the mean length of all its
    references. Where no reference has words, TER is 1, or 0 for an empty hypothesis; an empty corpus has no score.

    Args:
        normalized: Unescape entities, and separate punctuation from words.
        no_punct: Remove punctuation.
        asian_support: With `normalized`, take Chinese and similar characters apart; with `no_punct`, remove punctuation
            of these languages too. Without either it changes nothing.
        case_sensitive: Keep case; else text is lowercased.
        references_twice: Tokenize references, and then what came out once more, as sacrebleu does. It shows with
            `normalized` alone: `a.,5` becomes `a . ,5`, and that becomes `a . , 5`.

    Example:
        >>> import refscore
        >>> metric = refscore.TER()
        >>> metric.segment("The cat sat on the mat", "On the mat sat the cat").value
        0.3333333333333333
        >>> metric.segments(["a b c d", "x"], ["a b c e", ["x y", "z x y w"]]).round(4)
        array([0.25  , 0.3333])
    """

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False
    references_twice: bool = True

    name: ClassVar[str] = "ter"
    score_type: ClassVar[type[TERScore]] = TERScore
    higher_is_better: ClassVar[bool] = False
    presets: ClassVar[Mapping[str, Preset]] = {"sacrebleu": Preset({}, tool="sacrebleu", version="2.6.0", scale=100)}

    def __post_init__(self) -> None:
        for name in ("normalized", "no_punct", "asian_support", "case_sensitive", "references_twice"):
            check_flag(name, getattr(self, name))
        parts = ["tercom"]
        if self.normalized:
            parts.append("norm")
        if self.no_punct:
            parts.append("nopunct")
        if self.asian_support and len(parts) > 1:
            parts.append("asian")
        twice = self.references_twice and self.normalized
        self._set("pipeline", Pipeline("-".join(parts), not self.case_sensitive, "none", references_twice=twice))
        self._set("kernel", _native.Ter(rules=self.pipeline.native))

    @classmethod
    def preset(cls, name: str, **settings: Any) -> TER:
        """TER as another implementation computes it, with some settings overridden by keyword.

        Args:
            name: "sacrebleu" (2.6.0; the default settings).
            **settings: Any of the metric's settings.

        Example:
            >>> import refscore
            >>> refscore.TER.preset("sacrebleu", normalized=True).segment("a.,5", "a.,5").value
            0.5
        """
        return super().preset(name, **settings)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of a row's columns."""
        return ("edits", "ref_len")

    @property
    def row_type(self) -> np.dtype[Any]:
        """float64."""
        return np.dtype(np.float64)

    @property
    def signature(self) -> str:
        """All settings that change the number, as text; `refscore.from_signature` reads it back."""
        return join(
            self.name,
            {
                "case": "mixed" if self.case_sensitive else "lc",
                "tok": "tercom",
                "norm": yes(self.normalized),
                "punct": yes(not self.no_punct),
                "asian": yes(self.asian_support),
                "refs": "twice" if self.references_twice else "once",
                "version": __version__,
            },
        )

    @classmethod
    def from_pairs(cls, pairs: Mapping[str, str]) -> TER:
        """The metric of one of refscore's own signatures."""

        def make() -> TER:
            one_of(pairs, "tok", {"tercom": None})
            return cls(
                case_sensitive=not one_of(pairs, "case", {"mixed": False, "lc": True}),
                normalized=one_of(pairs, "norm", FLAGS),
                no_punct=not one_of(pairs, "punct", FLAGS),
                asian_support=one_of(pairs, "asian", FLAGS),
                references_twice=one_of(pairs, "refs", TIMES),
            )

        return from_signature_pairs("TER", pairs, ["case", "tok", "norm", "punct", "asian", "refs"], make)

    def alignment(self, hypothesis: Any, reference: Any) -> TERAlignment:
        """The moves and edits that turn the hypothesis into one reference.

        Args:
            hypothesis: Text or tokens.
            reference: One reference, text or tokens like the hypothesis.

        Returns:
            The moves in their order, and what then happens to each word.

        Example:
            >>> import refscore
            >>> alignment = refscore.TER().alignment("on the mat sat the cat", "the cat sat on the mat")
            >>> for shift in alignment.shifts:
            ...     print(*shift.words, shift.begin, shift.to)
            on the mat 0 3
            sat 0 2
            >>> {edit.operation for edit in alignment.edits}
            {'match'}
        """
        pair = numbered_pair(self.pipeline, hypothesis, reference)
        kernel = self.kernel
        assert isinstance(kernel, _native.Ter)
        moves, operations = kernel.align(pair.numbers, pair.target_numbers, pair.vocabulary)
        positions = list(range(len(pair.words)))
        shifts = []
        for begin, length, to, distance in moves:
            block = positions[begin : begin + length]
            del positions[begin : begin + length]
            positions[to:to] = block
            shifts.append(Shift(tuple(pair.words[position] for position in block), begin, to, distance))
        return TERAlignment(tuple(shifts), _edits(operations, pair.words, positions, pair.targets))

    def operations(
        self, hypothesis: Sequence[int], reference: Sequence[int], vocabulary: int
    ) -> tuple[list[tuple[int, int, int]], str]:
        """What `alignment` finds, for words that are numbered already: quick enough for every segment of a test set.

        Args:
            hypothesis: The words' numbers, from 0 up.
            reference: Those of one reference.
            vocabulary: How many different numbers there are: the largest plus 1, or more.

        Returns:
            The moves in their order, each as the place of its first word, the number of its words and the place that
            it goes to; and a letter for each edit: `=` match, `s` substitute, `i` insert, `d` delete.

        Example:
            >>> import refscore
            >>> refscore.TER().operations([2, 0, 1, 4], [0, 1, 2, 3], 5)
            ([(0, 1, 2)], '===s')
        """
        if not all(0 <= min(words) <= max(words) < vocabulary for words in (hypothesis, reference) if words):
            raise InputError(f"the words' numbers must lie between 0 and the vocabulary of {vocabulary}")
        kernel = self.kernel
        assert isinstance(kernel, _native.Ter)
        moves, edits = kernel.align(hypothesis, reference, vocabulary)
        return [(begin, length, to) for begin, length, to, _ in moves], "".join(map(_LETTERS.__getitem__, edits))

    def explain(self, hypothesis: Any, references: Any) -> Steps:
        """The worked steps from one segment to its score.

        Args:
            hypothesis: Text or tokens.
            references: What one entry of a corpus' references is.

        Returns:
            Headings, tables and formulas, which print as text, show as HTML in a notebook and come as data by
            `to_dict()`.

        Example:
            >>> import refscore
            >>> steps = refscore.TER().explain("today it rained much", "it rained today")
            >>> print(steps.result)
            TER = 0.6667 (66.67 %)
        """
        from refscore.metrics.ter.steps import explain_ter

        return explain_ter(self, hypothesis, references)


_LETTERS = {
    _native.TerEdit.match: "=",
    _native.TerEdit.substitute: "s",
    _native.TerEdit.insert: "i",
    _native.TerEdit.delete: "d",
}


def _edits(
    operations: list[_native.TerEdit], words: list[Hashable], positions: list[int], targets: list[Hashable]
) -> tuple[TEREdit, ...]:
    edits = []
    i = j = 0
    for operation in operations:
        name = operation.name
        from_hypothesis: tuple[Hashable, int | None] = (None, None)
        from_reference: tuple[Hashable, int | None] = (None, None)
        if name != "insert":
            from_hypothesis = words[positions[i]], positions[i]
            i += 1
        if name != "delete":
            from_reference = targets[j], j
            j += 1
        edits.append(TEREdit(name, *from_hypothesis, *from_reference))  # type: ignore[arg-type]
    return tuple(edits)


def ter(hypotheses: Any, references: Any, *, threads: int | None = None, **settings: Any) -> TERScore:
    """The TER of a corpus, as sacrebleu computes it: all edits over all reference words. 0 is best.

    Args:
        hypotheses: The segments: texts, token sequences, or a batch of ids.
        references: One entry per hypothesis: for text a string or a list of strings, for tokens a list of token
            sequences.
        threads: How many to use; all cores by default. The result does not depend on it.
        **settings: Those of `TER`, or `preset` and overrides of it.

    Returns:
        The score.

    Example:
        >>> import refscore
        >>> hypotheses = ["the book was read by the boy", "it rains"]
        >>> references = [["the boy read the book", "the book was read"], "it is raining"]
        >>> print(refscore.ter(hypotheses, references))
        TER = 66.67 (edits = 5 reference length = 7.5)
    """
    return TER.of(settings).corpus(hypotheses, references, threads=threads)
