from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from refscore import _native
from refscore.errors import relocated
from refscore.inputs import MixedTokens, Segment, plain_tokens
from refscore.metrics.core.alignments import Shift, apply_moves, in_pair, read_pair
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.row_metric import FLOATS
from refscore.metrics.core.score import MeanScore, RowMean
from refscore.metrics.core.text_settings import TextMetric
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import tokenizer_setting


class CharacTERAlignment(NamedTuple):
    """The moves that bring a hypothesis into a reference's word order.

    Args:
        shifts: The moves in order. Their `distance` counts the words that differ after the move.
        words: The hypothesis words after the moves.

    Example:
        >>> import refscore
        >>> refscore.CharacTER().alignment("today it rained much", "it rained today").words
        ('it', 'rained', 'today', 'much')
    """

    shifts: tuple[Shift, ...]
    words: tuple[Hashable, ...]


class CharacTERScore(MeanScore):
    """A CharacTER score: mean scores, edits, shift costs and lengths over segments.

    Example:
        >>> import refscore
        >>> score = refscore.character_ter(["today it rained much"], ["it rained today"])
        >>> print(score)
        CharacTER = 50.00 (edits = 5.00 shift cost = 5.00 hypothesis length = 20.00 segments = 1)
        >>> score.signature
        'character_ter|nrefs:1|case:mixed|norm:none|tok:none|version:0.1.0'
    """

    __slots__ = ()

    metric: CharacTER

    edits = RowMean(1, "The mean number of edits of characters after all moves.")
    shift_cost = RowMean(2, "The mean cost of the moves: the mean word length of each moved block.")
    hyp_len = RowMean(3, "The mean number of characters of a hypothesis, with one space between words.")
    parts = ("edits", "shift_cost", "hyp_len", "segments")
    parts_text = (
        "edits = {0.edits:.2f} shift cost = {0.shift_cost:.2f} hypothesis length = {0.hyp_len:.2f} segments = "
        "{0.segments}"
    )


@dataclass(frozen=True, kw_only=True)
class CharacTER(TextMetric[CharacTERScore]):
    """CharacTER: the edits of characters after moves of phrases, per character of the hypothesis.

    It is computed as in the package cer. Blocks of words move first, to where the reference has the same words. The
    score then counts the edited characters, plus the mean word length of each moved block, divided by the length
    of the hypothesis. It is at most 1. With several references, the lowest score counts. A corpus score averages
    the segment scores. An empty hypothesis scores 1, or 0 if the reference is empty too. An empty corpus has no score.

    A token that is not a string counts as a word with one character.

    Example:
        >>> import refscore
        >>> metric = refscore.CharacTER()
        >>> round(metric.segment("this is in fact an estimate", "this is actually an estimate").value, 4)
        0.2593
        >>> metric.segments(["a cat sat", ""], ["a cat sat", ["a dog", "a cat"]])
        array([0., 1.])
    """

    tokenizer: AnyTokenizer = tokenizer_setting("none")

    name = "character_ter"
    kernel_type = _native.Character
    display_name = "CharacTER"
    columns = ("score", "edits", "shift_cost", "hyp_len", "segments")
    row_type = FLOATS
    papers = ("Wang, Peter, Rosendahl, Ney (2016): CharacTer: Translation Edit Rate on Character Level. WMT.",)
    higher_is_better = False
    presets: ClassVar[Mapping[str, Preset]] = {
        "cer": Preset({}, tool="cer", version="1.2.0", part="calculate_cer_corpus", scale=1)
    }

    @property
    def mixed_tokens(self) -> MixedTokens:
        """What to do with mixed tokens: strings have characters, so they cannot be mixed with others."""
        return "no strings"

    def alignment(self, hypothesis: Segment, reference: Segment) -> CharacTERAlignment:
        """Return the moves that bring the hypothesis into a reference's word order.

        Both are texts or token sequences.

        Example:
            >>> import refscore
            >>> for shift in refscore.CharacTER().alignment("on the mat sat the cat", "the cat sat on the mat").shifts:
            ...     print(*shift.words, shift.begin, shift.to)
            the cat 4 0
            sat 5 2
        """
        words, targets = read_pair(self.pipeline, hypothesis, reference)
        with relocated(in_pair):
            (plain,), ((plain_target,),) = plain_tokens([words], [[targets]], mixed=self.mixed_tokens)
        shifts, positions = apply_moves(words, self.kernel.shifts(list(plain), list(plain_target)))
        return CharacTERAlignment(shifts, tuple(words[position] for position in positions))


character_ter = corpus_function(CharacTER)
