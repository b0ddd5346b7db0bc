from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from refscore import _native
from refscore.errors import InputError
from refscore.inputs import Segment
from refscore.metrics.core.alignments import Shift, WordEdit, apply_moves, numbered_pair, word_edits
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.limits import check_limits
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import RowCount, RowNumber, Score
from refscore.metrics.core.text_settings import TextMetric
from refscore.settings import Choice, setting
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase, Pipeline
from refscore.tokenizers.settings import lowercase_setting, tokenizer_setting


def tercom_tokenizer(*, normalized: bool = False, no_punct: bool = False, asian_support: bool = False) -> str:
    parts = ["tercom", *(["norm"] if normalized else []), *(["nopunct"] if no_punct else [])]
    return "-".join([*parts, "asian"] if asian_support and len(parts) > 1 else parts)


class TERAlignment(NamedTuple):
    """The edits between a hypothesis and a reference: first moves, then an edit per word.

    Args:
        shifts: The moves in order.
        edits: The edits after all moves.
        positions: Where each moved hypothesis word was before all moves, from 0.

    Example:
        >>> import refscore
        >>> alignment = refscore.TER().alignment("today it rained much", "it rained today")
        >>> len(alignment.shifts), [edit.kind for edit in alignment.edits], alignment.edit_count
        (1, ['hit', 'hit', 'hit', 'insertion'], 2)
        >>> alignment.positions
        (1, 2, 0, 3)
    """

    shifts: tuple[Shift, ...]
    edits: tuple[WordEdit, ...]
    positions: tuple[int, ...]

    @property
    def edit_count(self) -> int:
        """The edits in TER: moves, insertions, deletions and substitutions."""
        return len(self.shifts) + sum(edit.kind != "hit" for edit in self.edits)


class TERScore(Score):
    """A TER score with its edit count and reference length.

    Example:
        >>> import refscore
        >>> score = refscore.ter(["today it rained much"], ["it rained today"])
        >>> print(score)
        TER = 66.67 (edits = 2 reference length = 3.0)
        >>> score.signature
        'ter|nrefs:1|case:lc|norm:none|tok:tercom|refs:twice|version:0.1.0'
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

    edits = RowCount(0, "The number of edits, including moves.")
    ref_len = RowNumber(1, "The number of reference words; for several references of a segment, the mean.")
    parts = ("edits", "ref_len")

    def __str__(self) -> str:
        length = round(self.ref_len, 10)
        return f"TER = {round(self.percent, 10):.2f} (edits = {self.edits} reference length = {length})"


@dataclass(frozen=True, kw_only=True)
class TER(TextMetric[TERScore]):
    """TER: the edits that turn a hypothesis into the reference, including moves of phrases, per reference word.

    Tokenization and the search for moves are sacrebleu's. With several references, the one that needs the fewest
    edits counts, and the length is the mean over all references. If no reference has words, TER is 1, or 0 for an empty
    hypothesis. An empty corpus has no score.

    Example:
        >>> import refscore
        >>> metric = refscore.TER()
        >>> metric.segment("The cat sat on the mat", "On the mat sat the cat").value
        0.3333333333333333
        >>> metric.segments(["a b c d", "x"], ["a b c e", ["x y", "z x y w"]]).round(4)
        array([0.25  , 0.3333])
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "tercom",
        "tercom",
        "tercom-norm",
        "tercom-nopunct",
        "tercom-norm-nopunct",
        note='"tercom" splits at whitespace; "tercom-norm" also splits punctuation off words (`normalized` in '
        'sacrebleu), "tercom-nopunct" removes punctuation (`no_punct`), and the ending "-asian" adds rules for Chinese '
        "and similar scripts (`asian_support`).",
    )
    lowercase: Lowercase = lowercase_setting(True)
    references_twice: bool = setting(
        True,
        "Tokenize references twice, as sacrebleu does. It only matters for tokenizers that split off punctuation: "
        "`a.,5` becomes `a . ,5`, and that becomes `a . , 5`.",
        Choice({True: "twice", False: "once"}),
        key="refs",
        title="references",
        stage="text",
        words={
            False: "references are tokenized once",
            True: "references are tokenized twice, which matters if punctuation is split off",
        },
    )

    name = "ter"
    kernel_type = _native.Ter
    columns = ("edits", "ref_len")
    row_type = FLOATS
    papers = (
        "Snover, Dorr, Schwartz, Micciulla, Makhoul (2006): A Study of Translation Edit Rate with Targeted Human "
        "Annotation. AMTA.",
    )
    signature_reader = "refscore.metrics.ter.sacrebleu_signature"
    higher_is_better = False
    is_bounded = False
    presets: ClassVar[Mapping[str, Preset]] = {"sacrebleu": Preset({}, tool="sacrebleu", version="2.6.0", scale=100)}

    def _make_pipeline(self) -> Pipeline:
        twice = self.references_twice and isinstance(self.tokenizer, str) and "norm" in self.tokenizer.split("-")
        return Pipeline(self.tokenizer, self.lowercase, self.normalize, references_twice=twice)

    def alignment(self, hypothesis: Segment, reference: Segment) -> TERAlignment:
        """Return the moves and edits that turn the hypothesis into a reference.

        Both are texts or token sequences.

        Example:
            >>> import refscore
            >>> alignment = refscore.TER().alignment("on the mat sat the cat", "the cat sat on the mat")
            >>> for shift in alignment.shifts:
            ...     print(*shift.words, shift.begin, shift.to)
            on the mat 0 3
            sat 0 2
            >>> {edit.kind for edit in alignment.edits}
            {'hit'}
        """
        pair = numbered_pair(self.pipeline, hypothesis, reference)
        moves, operations = self.kernel.align(pair.numbers, pair.target_numbers, pair.vocabulary)
        shifts, positions = apply_moves(pair.words, moves)
        edits = word_edits(operations, [pair.words[position] for position in positions], pair.targets)
        return TERAlignment(shifts, edits, tuple(positions))

    def operations(
        self, hypothesis: Sequence[int], reference: Sequence[int], vocabulary: int
    ) -> tuple[list[tuple[int, int, int]], str]:
        """Return the moves and edits for numbered words, which is faster than `alignment`.

        Args:
            hypothesis: The words as numbers from 0.
            reference: A reference's words as numbers.
            vocabulary: An upper bound: all numbers are less.

        Returns:
            The moves in order, each with its begin, length and target position.
            And a letter for each edit: `=` match, `s` substitute, `i` insert, `d` delete.

        Example:
            >>> import refscore
            >>> refscore.TER().operations([2, 0, 1, 4], [0, 1, 2, 3], 5)
            ([(0, 1, 2)], '===s')
        """
        if not all(0 <= min(words) <= max(words) < vocabulary for words in (hypothesis, reference) if words):
            raise InputError(None, f"the numbers of words must be from 0 to {vocabulary - 1}, below the vocabulary")
        check_limits([hypothesis], [[reference]])
        moves, edits = self.kernel.align(hypothesis, reference, vocabulary)
        return [(begin, length, to) for begin, length, to, _ in moves], "".join(_LETTERS[edit] for edit in edits)


# TER edits the hypothesis, so it inserts a word that only the reference has.
_LETTERS = {"hit": "=", "substitution": "s", "deletion": "i", "insertion": "d"}

ter = corpus_function(TER)
