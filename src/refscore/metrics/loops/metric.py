from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from refscore import _native
from refscore.inputs import Segment
from refscore.metrics.core.corpus_function import corpus_function
from refscore.metrics.core.presets import Preset
from refscore.metrics.core.score import RowCount, Score
from refscore.metrics.core.text_settings import TextMetric
from refscore.settings import WholeNumber, choice, order_setting, setting
from refscore.tokenizers.base import AnyTokenizer
from refscore.tokenizers.settings import tokenizer_setting

# As many as an n-gram can have tokens.
_MOST_REPEATS = 1_000_000


class Loop(NamedTuple):
    """Tokens in which an n-gram occurs several times in a row, and the beginning of one more at the end.

    Args:
        begin: The index of the first token.
        end: The index after the last token.
        ngram: The n-gram's tokens.

    Example:
        >>> import refscore
        >>> refscore.metrics.Repetition().loops("well, thank you. thank you. thank you. thank you. thank")
        [Loop(begin=1, end=10, ngram=('thank', 'you'))]
    """

    begin: int
    end: int
    ngram: tuple[Hashable, ...]


class RepetitionScore(Score):
    """A repetition score: the counts of tokens inside loops, and of segments with a loop.

    Example:
        >>> import refscore
        >>> score = refscore.metrics.repetition(["it rained", "so " * 8 + "we left"])
        >>> print(score)
        Repetition = 66.67 (looped tokens = 8 of 12 looped segments = 1 of 2)
        >>> score.signature
        'repetition|case:mixed|norm:none|tok:unicode|order:100|reps:4|unit:tokens|version:0.1.0'
    """

    __slots__ = ()

    metric: Repetition

    @property
    def value(self) -> float:
        of_segments = self.metric.unit == "segments"
        part, whole = (2, 3) if of_segments else (0, 1)
        count = self.row[whole].item()
        return float(self.row[part].item() / count) if count else 0.0

    looped_tokens = RowCount(0, "The number of tokens inside loops.")
    tokens = RowCount(1, "The number of tokens.")
    looped_segments = RowCount(2, "The number of segments with a loop.")
    segments = RowCount(3, "The number of segments.")
    parts = ("looped_tokens", "tokens", "looped_segments", "segments")
    parts_text = "looped tokens = {0.looped_tokens} of {0.tokens} looped segments = {0.looped_segments} of {0.segments}"


@dataclass(frozen=True, kw_only=True)
class Repetition(TextMetric[RepetitionScore]):
    """Repetition: the share of tokens inside loops, which speech and language models sometimes fall into.

    A loop is an n-gram that occurs at least `repeats` times in a row. The metric needs no references. An empty text
    scores 0. By default, tokens are words without punctuation, or single Chinese characters and kana.

    Example:
        >>> import refscore
        >>> metric = refscore.metrics.Repetition()
        >>> metric.segments(["we left", "so so so so", "no, never, no, never, no, never, no, never!"])
        array([0., 1., 1.])
        >>> metric.corpus(["we left", "so so so so"]).looped_segments
        1
    """

    tokenizer: AnyTokenizer = tokenizer_setting(
        "unicode",
        "unicode",
        "13a",
        "none",
        "char",
        note='For Thai, Lao, Khmer and Burmese use "char". "unicode" ignores punctuation: "...." is no loop.',
    )
    max_order: int = order_setting(100, "The largest order of the n-grams in loops.", alternatives=(1, 4, 10, 100))
    repeats: int = setting(
        4,
        "How often an n-gram must occur in a row. Good text rarely has one four times.",
        WholeNumber(2, _MOST_REPEATS),
        key="reps",
        title="repeats",
        otherwise="an n-gram is a loop if it occurs {repeats} times in a row",
        alternatives=(3, 4, 5),
    )
    unit: Literal["tokens", "segments"] = choice(
        "tokens",
        "What to count.",
        {"tokens": "the share of tokens inside loops", "segments": "the share of segments with a loop"},
        key="unit",
        title="unit",
        stage="formula",
    )

    name = "repetition"
    display_name = "Repetition"
    kernel_type = _native.Repetition
    needs_references = False
    higher_is_better = False
    columns = ("looped_tokens", "tokens", "looped_segments", "segments")
    papers = (
        "Radford, Kim, Xu, Brockman, McLeavey, Sutskever (2023): Robust Speech Recognition via Large-Scale Weak "
        "Supervision. ICML.",
        "Holtzman, Buys, Du, Forbes, Choi (2020): The Curious Case of Neural Text Degeneration. ICLR.",
    )
    presets: ClassVar[Mapping[str, Preset]] = {}

    def loops(self, hypothesis: Segment) -> list[Loop]:
        """Return the loops in a text or token sequence, by position, except loops inside a longer one.

        Example:
            >>> import refscore
            >>> refscore.metrics.Repetition(repeats=3).loops("ha ha ha")
            [Loop(begin=0, end=3, ngram=('ha',))]
        """
        tokens = self.pipeline.words(hypothesis)
        numbers: dict[Hashable, int] = {}
        numbered = [numbers.setdefault(token, len(numbers)) for token in tokens]
        loops: list[Loop] = []
        for begin, end, order in sorted(self.kernel.loops(numbered), key=lambda each: (each[0], -each[1], each[2])):
            if not loops or end > loops[-1].end:
                loops.append(Loop(begin, end, tuple(tokens[begin : begin + order])))
        return loops


repetition = corpus_function(Repetition)
