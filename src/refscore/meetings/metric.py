"""The settings of an error rate of meetings, and its score from a row of counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from refscore._version import __version__
from refscore.cached import cached_property
from refscore.errors import InputError, SettingError, UnknownNameError
from refscore.meetings.timings import STRATEGIES
from refscore.normalizers.base import AnyNormalizer
from refscore.settings import whole_number
from refscore.tokenizers.pipeline import Lowercase, Pipeline

Sort = Literal["segment_if_available", "segment", "word", "none"]

SORTS = ("segment_if_available", "segment", "word", "none")
EDITS = ("hits", "substitutions", "deletions", "insertions")
SPEAKERS = ("missed_speakers", "false_alarm_speakers", "scored_speakers")


class _Kind(NamedTuple):
    title: str
    is_timed: bool
    permutes: bool  # assigns whole speakers, not utterances


MEETING_METRICS: dict[str, str] = {
    "cpwer": "cpWER: the words of each speaker, with the best assignment of speakers",
    "orcwer": "ORC-WER: the best assignment of reference utterances to hypothesis streams",
    "tcpwer": "tcpWER: cpWER with a time constraint",
    "tcorcwer": "tcORC-WER: ORC-WER with a time constraint",
}
"""The names of the error rates, with a line about each."""

_KINDS = {
    "cpwer": _Kind("cpWER", is_timed=False, permutes=True),
    "orcwer": _Kind("ORC-WER", is_timed=False, permutes=False),
    "tcpwer": _Kind("tcpWER", is_timed=True, permutes=True),
    "tcorcwer": _Kind("tcORC-WER", is_timed=True, permutes=False),
}


@dataclass(frozen=True)
class MeetingMetric:
    """An error rate of meetings: its settings, and its score from a row of counts.

    Significance tests accept it together with the rows of a `MeetingScore`, so sessions are what they resample.

    Args:
        name: "cpwer", "orcwer", "tcpwer" or "tcorcwer".
        collar: The seconds by which the times of hypothesis words are extended on both sides. Only for a time
            constraint.
        reference_timing: How to estimate the times of words from those of their utterance: "character_based",
            "character_based_points", "equidistant_intervals", "equidistant_points", "full_segment", or "none" if
            every utterance is one word.
        hypothesis_timing: The same for the hypothesis.
        reference_sort: The order of the words: "segment" sorts utterances by their start, "segment_if_available" does
            so if all have times, "word" sorts words by their estimated times, and "none" keeps the order. The default
            is "segment" with a time constraint, and else "segment_if_available".
        hypothesis_sort: The same for the hypothesis.
        lowercase: Lowercase the words: True, False or "ascii".
        normalize: The normalization of the words, as in metrics of text.
        memory: The largest number of bytes for the tables of ORC-WER.

    Example:
        >>> from refscore.meetings import MeetingMetric
        >>> metric = MeetingMetric("tcpwer", collar=2)
        >>> metric.title, metric.columns[:4]
        ('tcpWER', ('hits', 'substitutions', 'deletions', 'insertions'))
        >>> metric.values([[8, 1, 1, 0, 0, 0, 2]])
        array([0.2])
    """

    name: str
    collar: float | Decimal = 5
    reference_timing: str = "character_based"
    hypothesis_timing: str = "character_based_points"
    reference_sort: Sort | None = None
    hypothesis_sort: Sort | None = None
    lowercase: Lowercase = False
    normalize: AnyNormalizer = "none"
    memory: int = 2 << 30

    higher_is_better: ClassVar[bool] = False
    printed_scale: ClassVar[float] = 100.0

    def __post_init__(self) -> None:
        if self.name not in _KINDS:
            raise UnknownNameError.suggest("meeting metric", self.name, _KINDS)
        for timing in (self.reference_timing, self.hypothesis_timing):
            if timing not in STRATEGIES:
                raise UnknownNameError.suggest("timing", timing, STRATEGIES)
        collar: Any = self.collar
        is_number = isinstance(collar, (int, float, Decimal)) and not isinstance(collar, bool)
        if not is_number or not math.isfinite(collar) or collar < 0:
            raise SettingError(f"collar must be a number of seconds of at least 0, not {collar!r}")
        default: Sort = "segment" if self.is_timed else "segment_if_available"
        for side in ("reference_sort", "hypothesis_sort"):
            sort = getattr(self, side) or default
            if sort not in SORTS:
                raise UnknownNameError.suggest("order of words", sort, SORTS)
            if sort == "word" and not self.is_timed:
                raise SettingError(f"{side}='word' needs times of words: choose tcpwer or tcorcwer")
            if sort == "word" and not self.permutes and side == "reference_sort":
                raise SettingError("reference_sort='word' would split utterances, which tcorcwer assigns as a whole")
            object.__setattr__(self, side, sort)
        whole_number("memory", self.memory, 1, None)
        _ = self.pipeline  # checks the settings of text

    @property
    def title(self) -> str:
        """The name in tables, such as tcpWER."""
        return _KINDS[self.name].title

    @property
    def is_timed(self) -> bool:
        """Whether words only match if their times overlap."""
        return _KINDS[self.name].is_timed

    @property
    def permutes(self) -> bool:
        """Whether whole speakers are assigned; otherwise utterances are."""
        return _KINDS[self.name].permutes

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the counts in a row."""
        return EDITS + SPEAKERS if self.permutes else EDITS

    @cached_property
    def pipeline(self) -> Pipeline:
        """The steps from text to words."""
        return Pipeline("none", self.lowercase, self.normalize)

    @property
    def signature(self) -> str:
        """All settings as text."""
        timed = [
            f"collar:{self.collar:g}",
            f"ref_timing:{self.reference_timing}",
            f"hyp_timing:{self.hypothesis_timing}",
        ]
        case = {False: "mixed", True: "lc", "ascii": "lc-ascii"}[self.lowercase]
        parts = [
            self.name,
            *(timed if self.is_timed else []),
            f"ref_sort:{self.reference_sort}",
            f"hyp_sort:{self.hypothesis_sort}",
            f"case:{case}",
            f"norm:{self.normalize}",
            f"version:{__version__}",
        ]
        return "|".join(parts)

    def values(self, rows: Any, *, threads: int | None = None) -> NDArray[np.float64]:
        """Return the error rate of each row. Without reference words, it is the number of errors.

        Args:
            rows: One row of statistics per segment, as an array of shape (segments, columns). Segments are sessions.
            threads: The number of threads; all cores by default. Error rates need only one.
        """
        table = np.asarray(rows, dtype=np.float64)
        if table.ndim != 2 or table.shape[1] != len(self.columns):
            raise InputError(None, f"rows of {self.title} have {len(self.columns)} numbers, not {table.shape}")
        errors = table[:, 1] + table[:, 2] + table[:, 3]
        lengths = table[:, 0] + table[:, 1] + table[:, 2]
        return np.asarray(errors / np.where(lengths > 0, lengths, 1.0))

    def score(self, row: Sequence[Any] | NDArray[Any]) -> float:
        """Return the error rate of one row, or of a sum of rows."""
        return float(self.values([row])[0])
