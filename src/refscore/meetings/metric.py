from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np

from refscore.cached import cached_property
from refscore.errors import SettingError
from refscore.meetings.timings import STRATEGIES
from refscore.metrics import RowCount, RowMetric, Rows, Score, Values
from refscore.normalizers.base import AnyNormalizer
from refscore.settings import Number, WholeNumber, choice, setting
from refscore.tokenizers.pipeline import Lowercase, Pipeline
from refscore.tokenizers.settings import LOWERCASE, NORMALIZE

S = TypeVar("S", bound=Score)

Sort = Literal["segment_if_available", "segment", "word", "none"]

EDITS = ("hits", "substitutions", "deletions", "insertions")
SPEAKERS = ("missed_speakers", "false_alarm_speakers", "scored_speakers")

_SORTS = {
    "segment_if_available": "utterances are sorted by their start if all have times",
    "segment": "utterances are sorted by their start",
    "word": "words are sorted by their estimated times",
    "none": "the order stays as it is",
}
# Without times of words, and in references whose utterances are assigned as a whole, words cannot be sorted.
_SORTS_OF_UTTERANCES = {name: meaning for name, meaning in _SORTS.items() if name != "word"}


class EditCounts:
    __slots__ = ()

    hits: Any
    substitutions: Any
    deletions: Any
    insertions: Any

    @property
    def errors(self) -> int:
        return int(self.substitutions + self.deletions + self.insertions)

    @property
    def length(self) -> int:
        return int(self.hits + self.substitutions + self.deletions)

    @property
    def value(self) -> float:
        """The errors per reference word, or the errors if there are no reference words."""
        return self.errors / (self.length or 1)


class MeetingErrorRate(EditCounts, Score):
    """An error rate of meetings, with its edits counted.

    Example:
        >>> from refscore import meetings
        >>> score = meetings.CPWER().score([8, 1, 1, 0, 0, 0, 2])
        >>> print(score)
        cpWER = 20.00 (hits = 8 substitutions = 1 deletions = 1 insertions = 0)
        >>> score.errors, score.length
        (2, 10)
    """

    __slots__ = ()

    metric: MeetingMetric

    hits = RowCount(0, "The number of matching words.")
    substitutions = RowCount(1, "The number of replaced words.")
    deletions = RowCount(2, "The number of missing words.")
    insertions = RowCount(3, "The number of additional words.")

    parts = ("errors", "length", *EDITS)

    def __str__(self) -> str:
        counts = " ".join(f"{name} = {getattr(self, name)}" for name in EDITS)
        return f"{self.metric.title} = {round(self.percent, 10):.2f} ({counts})"


class Seconds(Number):
    values = ("a number of seconds",)

    def __init__(self) -> None:
        super().__init__(0)

    def check(self, name: str, value: Any) -> float:
        """Return the number as a float. Decimal numbers are allowed, which times from files are."""
        try:
            return super().check(name, float(value) if isinstance(value, Decimal) else value)
        except SettingError:
            raise SettingError(f"{name} must be a number of seconds of at least 0, not {value!r}") from None

    def write(self, value: float) -> str:
        return repr(value).removesuffix(".0")


_GREEDY_PAPERS = (
    "von Neumann, Boeddeker, Haeb-Umbach (2024): Word Error Rate Definitions and Algorithms for Long-Form Multi-talker "
    "Speech Recognition. arXiv.",
)


def _timing_setting(side: str, default: str) -> Any:
    words = dict.fromkeys(STRATEGIES, f"times of words of the {side} are estimated by {{{side}_timing}}")
    meaning = f"How to estimate the times of words of the {side} from the times of their utterance."
    return choice(default, meaning, words, key=f"{side[:3]}_timing", title=f"times of the {side}")


def sort_setting(side: str, default: str, sorts: Mapping[str, str]) -> Any:
    meaning = f"The order of the words of the {side}."
    return choice(default, meaning, sorts, key=f"{side[:3]}_sort", title=f"order of the {side}")


def _memory_setting() -> Any:
    # Not in signatures: it decides only whether a session can be scored.
    return setting(2 << 30, "The largest number of bytes for the tables of one session.", WholeNumber(1))


@dataclass(frozen=True, kw_only=True)
class SessionMetric(RowMetric[S]):
    """An error rate of sessions: recordings, with utterances of several speakers.

    Attributes:
        needs_words: Whether the words count, or only the times of speakers.

    Example:
        >>> from refscore import meetings
        >>> meetings.CPWER().needs_words, meetings.DER().needs_words
        (True, False)
    """

    higher_is_better: ClassVar[bool] = False
    is_bounded: ClassVar[bool] = False
    rows_from: ClassVar[str] = "the rows of refscore.meetings.score(...)"
    text_fix: ClassVar[str] = "pass utterances to refscore.meetings.evaluate, or files to `refscore meeting`"
    needs_words: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class MeetingMetric(SessionMetric[MeetingErrorRate]):
    """A word error rate of meetings: its settings, and its score from a row.

    Significance tests accept it together with `MeetingScore.rows`, so they resample sessions.

    Attributes:
        is_timed: Whether words only match if their times overlap.
        permutes: Whether whole speakers are assigned, not utterances.
        assigns: What is assigned: speakers, utterances, utterances greedily, or orders of utterances too.
        swaps: Whether hypothesis utterances are assigned to reference speakers.

    Example:
        >>> import refscore
        >>> from refscore import meetings
        >>> metric = meetings.TCPWER(collar=2)
        >>> metric.title, metric.columns[:4]
        ('tcpWER', ('hits', 'substitutions', 'deletions', 'insertions'))
        >>> metric.values([[8, 1, 1, 0, 0, 0, 2]])
        array([0.2])
        >>> refscore.from_signature(metric.signature) == metric
        True
    """

    lowercase: Lowercase = LOWERCASE
    normalize: AnyNormalizer = NORMALIZE
    reference_sort: Sort = sort_setting("reference", "segment_if_available", _SORTS_OF_UTTERANCES)
    hypothesis_sort: Sort = sort_setting("hypothesis", "segment_if_available", _SORTS_OF_UTTERANCES)

    is_timed: ClassVar[bool] = False
    permutes: ClassVar[bool] = True
    assigns: ClassVar[Literal["speakers", "utterances", "greedily", "orders"]] = "speakers"
    swaps: ClassVar[bool] = False

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """What a row counts."""
        return EDITS + SPEAKERS if self.permutes else EDITS

    @cached_property
    def pipeline(self) -> Pipeline:
        """The steps from text to words."""
        return Pipeline("none", self.lowercase, self.normalize)

    def _values(self, rows: Rows, threads: int | None) -> Values:
        errors = rows[:, 1] + rows[:, 2] + rows[:, 3]
        lengths = rows[:, 0] + rows[:, 1] + rows[:, 2]
        return np.asarray(errors / np.where(lengths > 0, lengths, 1.0))


@dataclass(frozen=True, kw_only=True)
class TimedMeetingMetric(MeetingMetric):
    """An error rate in which words only match if their times overlap.

    Example:
        >>> from refscore import meetings
        >>> issubclass(meetings.TCPWER, meetings.TimedMeetingMetric)
        True
    """

    reference_sort: Sort = sort_setting("reference", "segment", _SORTS)
    hypothesis_sort: Sort = sort_setting("hypothesis", "segment", _SORTS)
    collar: float = setting(
        5.0,
        "The seconds by which the times of hypothesis words are extended on both sides.",
        Seconds(),
        key="collar",
        title="collar",
        otherwise="times of hypothesis words are extended by {collar} seconds",
    )
    reference_timing: str = _timing_setting("reference", "character_based")
    hypothesis_timing: str = _timing_setting("hypothesis", "character_based_points")

    is_timed: ClassVar[bool] = True
    papers = (
        "von Neumann, Boeddeker, Delcroix, Haeb-Umbach (2023): MeetEval: A Toolkit for Computation of Word Error Rates "
        "for Meeting Transcription Systems. CHiME Workshop.",
    )


@dataclass(frozen=True, kw_only=True)
class CPWER(MeetingMetric):
    """cpWER: the speakers' word error rate, with the best assignment of speakers.

    Each speaker's words are joined in the order they were said. Hypothesis speakers are assigned to reference speakers
    with the fewest errors in total. If a speaker has no counterpart, all words are errors.

    Example:
        >>> from refscore import meetings
        >>> meetings.CPWER(lowercase=True).signature
        'cpwer|case:lc|norm:none|ref_sort:segment_if_available|hyp_sort:segment_if_available|version:0.1.0'
    """

    name = "cpwer"
    display_name = "cpWER"
    papers = ("Watanabe et al. (2020): CHiME-6 Challenge. CHiME Workshop.",)


@dataclass(frozen=True, kw_only=True)
class ORCWER(MeetingMetric):
    """ORC-WER: the streams' word error rate, with the best assignment of utterances to streams.

    Each reference utterance, the earliest first, is assigned to one hypothesis stream. Speakers are not compared. Time
    and memory grow with the product of the streams' lengths, so it suits a few streams.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", words) for words in ("a b", "c d", "e f")]
        >>> hypothesis = [meetings.Utterance("s", 1, "a b e f"), meetings.Utterance("s", 2, "c d")]
        >>> result = meetings.score(reference, hypothesis, meetings.ORCWER())
        >>> result["s"].assignment, result.errors
        ((1, 2, 1), 0)
    """

    name = "orcwer"
    display_name = "ORC-WER"
    papers = (
        "Sklyar, Piunova, Zheng, Liu (2022): Multi-Turn RNN-T for Streaming Recognition of Multi-Party Speech. ICASSP.",
    )
    memory: int = _memory_setting()

    permutes: ClassVar[bool] = False
    assigns = "utterances"


@dataclass(frozen=True, kw_only=True)
class MIMOWER(MeetingMetric):
    """MIMO-WER: ORC-WER, but only the order of each speaker's utterances is known.

    Utterances of different reference speakers may follow each other in any order. Time and memory also grow with the
    product of the numbers of utterances.

    Example:
        >>> from refscore import meetings
        >>> words = [("Ann", "a b"), ("Ann", "c d"), ("Bob", "e f")]
        >>> reference = [meetings.Utterance("s", *each) for each in words]
        >>> hypothesis = [meetings.Utterance("s", 1, "e f a b c d")]
        >>> [meetings.score(reference, hypothesis, name).errors for name in ("orcwer", "mimower")]
        [4, 0]
    """

    name = "mimower"
    display_name = "MIMO-WER"
    papers = (
        "von Neumann, Boeddeker, Kinoshita, Delcroix, Haeb-Umbach (2023): On Word Error Rate Definitions and their "
        "Efficient Computation for Multi-Speaker Speech Recognition Systems. ICASSP.",
    )
    memory: int = _memory_setting()

    permutes: ClassVar[bool] = False
    assigns = "orders"


@dataclass(frozen=True, kw_only=True)
class GreedyORCWER(MeetingMetric):
    """Greedy ORC-WER: ORC-WER with a good assignment, found step by step, for many streams and long sessions.

    Speakers are first assigned as for cpWER. Then utterances move to better streams. It may be higher than ORC-WER.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", words) for words in ("a b", "c d", "e f")]
        >>> hypothesis = [meetings.Utterance("s", 1, "a b e f"), meetings.Utterance("s", 2, "c d")]
        >>> meetings.score(reference, hypothesis, "greedy_orcwer")["s"].assignment
        (1, 2, 1)
    """

    name = "greedy_orcwer"
    display_name = "greedy ORC-WER"
    papers = _GREEDY_PAPERS
    memory: int = _memory_setting()

    permutes: ClassVar[bool] = False
    assigns = "greedily"


@dataclass(frozen=True, kw_only=True)
class DICPWER(MeetingMetric):
    """DI-cpWER: cpWER that forgives wrong speakers of hypothesis utterances (diarization-invariant).

    Each hypothesis utterance is assigned to a reference speaker, greedily as for greedy ORC-WER. The difference from
    cpWER is due to wrong speakers.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "a b"), meetings.Utterance("s", "Bob", "c d")]
        >>> hypothesis = [meetings.Utterance("s", 1, "a b"), meetings.Utterance("s", 1, "c d")]
        >>> [meetings.score(reference, hypothesis, name).errors for name in ("cpwer", "dicpwer")]
        [4, 0]
    """

    name = "dicpwer"
    display_name = "DI-cpWER"
    papers = _GREEDY_PAPERS
    memory: int = _memory_setting()

    permutes: ClassVar[bool] = False
    assigns = "greedily"
    swaps: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class TCPWER(TimedMeetingMetric):
    """tcpWER: cpWER in which words only match if their times overlap.

    Example:
        >>> from refscore import meetings
        >>> meetings.TCPWER().collar
        5.0
    """

    name = "tcpwer"
    display_name = "tcpWER"


@dataclass(frozen=True, kw_only=True)
class TCORCWER(TimedMeetingMetric):
    """tcORC-WER: ORC-WER in which words only match if their times overlap.

    Example:
        >>> from refscore import meetings
        >>> meetings.TCORCWER().permutes
        False
    """

    name = "tcorcwer"
    display_name = "tcORC-WER"
    reference_sort: Sort = sort_setting("reference", "segment", _SORTS_OF_UTTERANCES)
    memory: int = _memory_setting()

    permutes: ClassVar[bool] = False
    assigns = "utterances"


@dataclass(frozen=True, kw_only=True)
class GreedyTCORCWER(TimedMeetingMetric):
    """Greedy tcORC-WER: greedy ORC-WER in which words only match if their times overlap.

    Example:
        >>> from refscore import meetings
        >>> meetings.GreedyTCORCWER(collar=2).title
        'greedy tcORC-WER'
    """

    name = "greedy_tcorcwer"
    display_name = "greedy tcORC-WER"
    reference_sort: Sort = sort_setting("reference", "segment", _SORTS_OF_UTTERANCES)
    hypothesis_sort: Sort = sort_setting("hypothesis", "segment", _SORTS_OF_UTTERANCES)
    memory: int = _memory_setting()

    permutes: ClassVar[bool] = False
    assigns = "greedily"


@dataclass(frozen=True, kw_only=True)
class DITCPWER(TimedMeetingMetric):
    """DI-tcpWER: DI-cpWER in which words only match if their times overlap.

    Example:
        >>> from refscore import meetings
        >>> meetings.DITCPWER().swaps
        True
    """

    name = "ditcpwer"
    display_name = "DI-tcpWER"
    reference_sort: Sort = sort_setting("reference", "segment", _SORTS_OF_UTTERANCES)
    hypothesis_sort: Sort = sort_setting("hypothesis", "segment", _SORTS_OF_UTTERANCES)
    memory: int = _memory_setting()

    permutes: ClassVar[bool] = False
    assigns = "greedily"
    swaps: ClassVar[bool] = True
