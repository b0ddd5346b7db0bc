from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from refscore import _native
from refscore.inputs import MixedTokens, Segment
from refscore.metrics.core.alignments import Shift, WordEdit, apply_moves, numbered_pair
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.score import RowCount, Score
from refscore.metrics.core.text_settings import TextMetric
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.pipeline import Lowercase
from refscore.tokenizers.settings import lowercase_setting, tokenizer_setting


class SubtitlePart(NamedTuple):
    r"""The edits of a part of the subtitles. No cue connects it with the other parts.

    Args:
        shifts: The moves in order.
        edits: The edits after all moves.

    Example:
        >>> import refscore
        >>> parts = refscore.SubER().alignment("0 --> 1\na b\n\n2 --> 3\nc", "0 --> 1\na b\n\n2 --> 3\nd")
        >>> [[edit.kind for edit in part.edits] for part in parts]
        [['hit', 'hit', 'hit'], ['substitution', 'hit']]
    """

    shifts: tuple[Shift, ...]
    edits: tuple[WordEdit, ...]


class SubERScore(Score):
    r"""A SubER score with its edits of words and of line breaks.

    Example:
        >>> import refscore
        >>> score = refscore.suber(["0 --> 2\nIt rained\nall day."], ["0 --> 2\nIt rained all day."])
        >>> print(score)
        SubER = 20.00 (edits = 1 length = 5 moves = 0 word edits = 0 break edits = 1)
        >>> score.break_insertions
        1
        >>> score.signature
        'suber|nrefs:1|case:lc|norm:none|tok:subtitles|version:0.1.0'
    """

    __slots__ = ()

    metric: SubER

    @property
    def value(self) -> float:
        """The edits per word and line break of the references: 0 is best, and it may exceed 1."""
        if self.length > 0:
            return self.edits / self.length
        return 1.0 if self.edits else 0.0

    @property
    def edits(self) -> int:
        """The number of edits, including moves."""
        return int(self.row[:7].sum())

    @property
    def length(self) -> int:
        """The number of words and line breaks of the references."""
        return int(self.row[7:].sum())

    @property
    def word_edits(self) -> int:
        """The number of substituted, deleted and inserted words."""
        return int(self.row[1:4].sum())

    @property
    def break_edits(self) -> int:
        """The number of substituted, deleted and inserted line breaks."""
        return int(self.row[4:7].sum())

    moves = RowCount(0, "The number of moves.")
    word_substitutions = RowCount(1, "The number of replaced words.")
    word_deletions = RowCount(2, "The number of words that the hypotheses lack.")
    word_insertions = RowCount(3, "The number of additional words.")
    break_substitutions = RowCount(4, "The number of ends of lines in place of ends of cues, or the reverse.")
    break_deletions = RowCount(5, "The number of line breaks that the hypotheses lack.")
    break_insertions = RowCount(6, "The number of additional line breaks.")
    reference_words = RowCount(7, "The number of words of the references.")
    reference_breaks = RowCount(8, "The number of line breaks of the references.")
    parts = (
        "edits",
        "length",
        "moves",
        "word_substitutions",
        "word_deletions",
        "word_insertions",
        "break_substitutions",
        "break_deletions",
        "break_insertions",
        "reference_words",
        "reference_breaks",
    )
    parts_text = (
        "edits = {0.edits} length = {0.length} moves = {0.moves} word edits = {0.word_edits} break edits = "
        "{0.break_edits}"
    )


@dataclass(frozen=True, kw_only=True)
class SubER(TextMetric[SubERScore]):
    r"""SubER, the subtitle edit rate: the edits of words and line breaks, including moves, per word and line break.

    A segment is a text with cues, as the field `timed` of SRT and WebVTT files has them. Words align only if their
    cues overlap in time, and line breaks only with line breaks. Text without times overlaps with everything. With
    several references, the lowest rate counts. A corpus rate is computed from the summed counts.

    Example:
        >>> import refscore
        >>> metric = refscore.SubER()
        >>> reference = "00:00:01,000 --> 00:00:03,000\nWe left early.\n\n00:00:04,000 --> 00:00:05,000\nIt rained."
        >>> metric.segment(reference.replace("left early", "left,\nearly"), reference).value
        0.14285714285714285
        >>> late = reference.replace("00:00:01,000 --> 00:00:03,000", "00:00:03,000 --> 00:00:04,000")
        >>> round(metric.segment(late, reference).value, 4)  # no word of the first cue is in time
        1.1429
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "subtitles",
        "subtitles",
        "subtitles-tercom",
        note='"subtitles" removes ASCII punctuation from words, and "subtitles-tercom" splits it off. Other tokenizers '
        "do not read times.",
    )
    lowercase: Lowercase = lowercase_setting(True)

    name = "suber"
    kernel_type = _native.Subtitles
    needs_times = True
    display_name = "SubER"
    columns = (
        "moves",
        "word_substitutions",
        "word_deletions",
        "word_insertions",
        "break_substitutions",
        "break_deletions",
        "break_insertions",
        "reference_words",
        "reference_breaks",
    )
    papers = (
        "Wilken, Georgakopoulou, Matusov (2022): SubER: A Metric for Automatic Evaluation of Subtitle Quality. IWSLT.",
    )
    higher_is_better = False
    is_bounded = False
    presets: ClassVar[Mapping[str, Preset]] = {
        "suber": Preset({}, tool="subtitle-edit-rate", version="0.4.0", part="SubER", scale=100),
        "suber-cased": Preset(
            {"tokenizer": "subtitles-tercom", "lowercase": False},
            tool="subtitle-edit-rate",
            version="0.4.0",
            part="SubER-cased",
            scale=100,
        ),
    }

    @property
    def mixed_tokens(self) -> MixedTokens:
        """What to do with mixed tokens: numbering would lose their text."""
        return "refuse"

    def alignment(self, hypothesis: Segment, reference: Segment) -> list[SubtitlePart]:
        r"""Return the moves and edits that turn a reference into the hypothesis, for each part of the subtitles.

        Both are texts or token sequences.

        Example:
            >>> import refscore
            >>> [part] = refscore.SubER().alignment("0 --> 2\nall day\nit rained", "0 --> 2\nit rained\nall day")
            >>> [*part.shifts[0].words], [edit.kind for edit in part.edits].count("hit")
            (['all', 'day'], 6)
        """
        words, targets, *_ = numbered_pair(self.pipeline, hypothesis, reference)
        parts = []
        for tokens, moves, pairs in self.kernel.align([*map(str, words)], [*map(str, targets)]):
            shifts, _ = apply_moves([words[token] for token in tokens], moves)
            edits = []
            for own, other in pairs:
                word, target = None if own is None else words[own], None if other is None else targets[other]
                kind = "deletion" if own is None else "insertion" if other is None else "substitution"
                edits.append(WordEdit("hit" if kind == "substitution" and word == target else kind, target, word))
            parts.append(SubtitlePart(shifts, tuple(edits)))
        return parts


suber = corpus_function(SubER)
