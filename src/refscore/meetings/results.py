from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from refscore.cached import cached_property
from refscore.errors import look_up
from refscore.meetings.metric import EDITS, SPEAKERS, EditCounts, MeetingMetric, SessionMetric
from refscore.tables import Column, Result, Table
from refscore.text_display import counted

Assignment = tuple[tuple[Hashable, Hashable], ...] | tuple[Hashable, ...]


@dataclass(frozen=True)
class _Errors(EditCounts):
    hits: int
    substitutions: int
    deletions: int
    insertions: int

    @property
    def percent(self) -> float:
        return 100 * self.value

    def _counts(self) -> dict[str, Any]:
        """Return the counts for JSON. The error rate without reference words is None, as in meeteval."""
        return {
            "error_rate": self.errors / self.length if self.length else None,
            "errors": self.errors,
            "length": self.length,
            **{name: getattr(self, name) for name in EDITS},
        }


@dataclass(frozen=True)
class PairErrors(_Errors):
    """The errors between two speakers.

    Attributes:
        reference: The reference speaker. None for a hypothesis speaker without one, and always for ORC-WER.
        hypothesis: The hypothesis speaker or stream. None for a reference speaker without one.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "good morning"), meetings.Utterance("s", "Bob", "hello")]
        >>> hypothesis = [meetings.Utterance("s", "1", "hello"), meetings.Utterance("s", "2", "good evening")]
        >>> for pair in meetings.score(reference, hypothesis)["s"].pairs:
        ...     print(pair.reference, pair.hypothesis, pair.errors)
        Ann 2 1
        Bob 1 0
    """

    reference: Hashable
    hypothesis: Hashable


@dataclass(frozen=True)
class SelfOverlap:
    """How long speakers overlap with themselves, which usually is a mistake in the times.

    Attributes:
        overlap_time: The seconds during which a speaker says two utterances.
        total_time: The seconds during which speakers speak.

    Example:
        >>> from refscore.meetings import SelfOverlap
        >>> SelfOverlap(1.0, 4.0).rate
        0.25
    """

    overlap_time: float
    total_time: float

    @property
    def rate(self) -> float:
        """The overlap divided by the total, or 0 without any."""
        return self.overlap_time / self.total_time if self.total_time > 0 else 0.0


@dataclass(frozen=True)
class SessionErrors(_Errors):
    """The errors in one session.

    Attributes:
        session_id: The session.
        missed_speakers: How many reference speakers have no hypothesis speaker. 0 for ORC-WER.
        false_alarm_speakers: How many hypothesis speakers have no reference speaker. 0 for ORC-WER.
        scored_speakers: How many reference speakers there are. 0 for ORC-WER.
        assignment: For cpWER, pairs of reference and hypothesis speakers, with None for a missing one. For ORC-WER,
            each reference utterance's stream in input order, and None for one without words.
        pairs: The errors by pair of speakers or, for ORC-WER, by stream.
        reference_self_overlap: How long reference speakers overlap with themselves. None without times.
        hypothesis_self_overlap: The same for the hypothesis.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "a b"), meetings.Utterance("s", "Bob", "c d")]
        >>> session = meetings.score(reference, [meetings.Utterance("s", "1", "c d")])["s"]
        >>> session.errors, session.missed_speakers, session.assignment
        (2, 1, (('Ann', None), ('Bob', '1')))
    """

    session_id: str
    missed_speakers: int
    false_alarm_speakers: int
    scored_speakers: int
    assignment: Assignment
    pairs: tuple[PairErrors, ...]
    reference_self_overlap: SelfOverlap | None
    hypothesis_self_overlap: SelfOverlap | None

    def __repr__(self) -> str:
        return f"<session {self.session_id}: {counted(self.errors, 'error')} in {counted(self.length, 'word')}>"


E = TypeVar("E", bound="_Session")


class _Session(Protocol):
    @property
    def session_id(self) -> str: ...


@dataclass(frozen=True, eq=False, repr=False)
class SessionScores(Result, Generic[E]):
    """An error rate of several sessions. It prints as a table.

    Attributes:
        metric: The metric, with all settings.
        sessions: Each session's errors, in the reference's order.

    Example:
        >>> from refscore import meetings
        >>> utterances = [meetings.Utterance("s", "Ann", "hello", 0, 1)]
        >>> result: meetings.SessionScores = meetings.score(utterances, utterances, "der")
        >>> [session.session_id for session in result], result.value
        (['s'], 0.0)
    """

    metric: SessionMetric[Any]
    sessions: tuple[E, ...]

    @cached_property
    def rows(self) -> NDArray[Any]:
        """One row per session. Rows can be summed, and significance tests take them."""
        columns = self.metric.columns
        rows = [[getattr(session, name) for name in columns] for session in self.sessions]
        return np.array(rows, dtype=self.metric.row_type).reshape(len(rows), len(columns))

    @property
    def value(self) -> float:
        """The error rate over all sessions."""
        return float(self.metric.values(self.rows.sum(0, keepdims=True))[0])

    @property
    def percent(self) -> float:
        return 100 * self.value

    @property
    def signature(self) -> str:
        """All settings as text."""
        return self.metric.signature

    def __float__(self) -> float:
        return self.value

    def __len__(self) -> int:
        return len(self.sessions)

    def __iter__(self) -> Iterator[E]:
        return iter(self.sessions)

    def __getitem__(self, session_id: str) -> E:
        return look_up("session", session_id, {session.session_id: session for session in self.sessions})

    @abstractmethod
    def table(self, *, by_speaker: bool = False, digits: int | None = None) -> Table:
        """Return a table with each session and the total.

        Args:
            by_speaker: Add rows for pairs of speakers.
            digits: The decimals, 2 by default.
        """

    @abstractmethod
    def flat_table(self, *, by_speaker: bool = False) -> Table:
        """Return the same table with full precision, for programs."""

    def __repr__(self) -> str:
        return f"<{self.metric.title} {self.percent:.2f} of {counted(len(self), 'session')}>"


@dataclass(frozen=True, eq=False, repr=False)
class MeetingScore(SessionScores[SessionErrors]):
    """A word error rate of several sessions. It prints as a table.

    Attributes:
        metric: The metric, with all settings.
        sessions: Each session's errors, in the reference's order.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("mon", "Ann", "good morning"), meetings.Utterance("tue", "Ann", "hello")]
        >>> hypothesis = [meetings.Utterance("mon", "1", "good morning"), meetings.Utterance("tue", "1", "yellow")]
        >>> result = meetings.score(reference, hypothesis)
        >>> print(result)
        session   cpWER  errors  words  sub  del  ins  speakers  missed  false alarm
        -------  ------  ------  -----  ---  ---  ---  --------  ------  -----------
        mon        0.00       0      2    0    0    0         1       0            0
        tue      100.00       1      1    1    0    0         1       0            0
        total     33.33       1      3    1    0    0         2       0            0
        >>> result["tue"].errors, result.errors, result.length
        (1, 1, 3)
        >>> result.rows.tolist()
        [[2, 0, 0, 0, 0, 0, 1], [0, 1, 0, 0, 0, 0, 1]]
    """

    metric: MeetingMetric

    @cached_property
    def total(self) -> SessionErrors:
        """All sessions together, without an assignment."""
        sums = {name: sum(getattr(session, name) for session in self.sessions) for name in EDITS + SPEAKERS}
        return SessionErrors(
            session_id="total",
            assignment=(),
            pairs=(),
            reference_self_overlap=self._total_overlap("reference_self_overlap"),
            hypothesis_self_overlap=self._total_overlap("hypothesis_self_overlap"),
            **sums,
        )

    def _total_overlap(self, side: str) -> SelfOverlap | None:
        overlaps = [getattr(session, side) for session in self.sessions]
        if not overlaps or None in overlaps:
            return None
        return SelfOverlap(sum(each.overlap_time for each in overlaps), sum(each.total_time for each in overlaps))

    @property
    def errors(self) -> int:
        """The errors in all sessions."""
        return self.total.errors

    @property
    def length(self) -> int:
        """The reference words in all sessions."""
        return self.total.length

    def table(self, *, by_speaker: bool = False, digits: int | None = None) -> Table:
        """Return a table with each session and the total.

        Args:
            by_speaker: Add rows for pairs of speakers or, for ORC-WER, for streams.
            digits: The decimals, 2 by default.

        Example:
            >>> from refscore import meetings
            >>> reference, hypothesis = [meetings.Utterance("s", "Ann", "a b")], [meetings.Utterance("s", "1", "a")]
            >>> result = meetings.score(reference, hypothesis, "orcwer")
            >>> print(result.table(by_speaker=True))
            session  reference  hypothesis  ORC-WER  errors  words  sub  del  ins
            -------  ---------  ----------  -------  ------  -----  ---  ---  ---
            s                   1             50.00       1      2    0    1    0
            s                                 50.00       1      2    0    1    0
            total                             50.00       1      2    0    1    0
        """
        counts = [self.metric.title, "errors", "words", "sub", "del", "ins"]
        speakers = ["speakers", "missed", "false alarm"] if self.metric.permutes else []
        names = ["session", *(["reference", "hypothesis"] if by_speaker else [])]
        columns = [*map(Column, names), *(Column(title, "right") for title in (*counts, *speakers))]
        rows: list[list[str]] = []
        for session, pair, labels in self._lines(by_speaker):
            cells = [session.session_id, *labels, *_cells(pair or session, digits)]
            if speakers and pair is None:
                numbers = (session.scored_speakers, session.missed_speakers, session.false_alarm_speakers)
                cells += [f"{number:,}" for number in numbers]
            rows.append([*cells, *[""] * (len(columns) - len(cells))])
        return Table("", columns, rows)

    def _lines(self, by_speaker: bool) -> Iterator[tuple[SessionErrors, PairErrors | None, list[str]]]:
        """Yield what rows show: each session, its pairs before it, and the speakers' names."""
        for session in (*self.sessions, self.total):
            for pair in session.pairs if by_speaker else ():
                labels = (pair.reference, pair.hypothesis)
                yield session, pair, ["" if label is None else str(label) for label in labels]
            yield session, None, ["", ""] if by_speaker else []

    def flat_table(self, *, by_speaker: bool = False) -> Table:
        """Return the same table with full precision, for programs."""
        counts = ("value", "errors", "length", *EDITS)
        speakers = ("scored_speakers", "missed_speakers", "false_alarm_speakers")
        names = ("reference", "hypothesis") if by_speaker else ()
        rows: list[list[str]] = []
        for session, pair, labels in self._lines(by_speaker):
            numbers = [str(getattr(pair or session, name)) for name in counts]
            numbers += [str(getattr(session, name)) if pair is None else "" for name in speakers]
            rows.append([self.metric.name, session.session_id, *labels, *numbers])
        return Table("", map(Column, ("metric", "session", *names, *counts, *speakers)), rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the signature, the total and the sessions, for JSON.

        >>> from refscore import meetings
        >>> result = meetings.score([meetings.Utterance("s", "Ann", "a b")], [meetings.Utterance("s", "1", "a")])
        >>> result.to_dict()["total"]["error_rate"]
        0.5
        """
        return {
            "metric": self.metric.name,
            "signature": self.signature,
            "total": self._session(self.total),
            "sessions": [
                {
                    "session_id": session.session_id,
                    **self._session(session),
                    "assignment": [*map(plain_label, session.assignment)],
                    "pairs": [
                        {
                            "reference": plain_label(pair.reference),
                            "hypothesis": plain_label(pair.hypothesis),
                            **pair._counts(),
                        }
                        for pair in session.pairs
                    ],
                }
                for session in self.sessions
            ],
        }

    def _session(self, session: SessionErrors) -> dict[str, Any]:
        content = session._counts()
        if self.metric.permutes:
            content |= {name: getattr(session, name) for name in SPEAKERS}
        for side in ("reference_self_overlap", "hypothesis_self_overlap"):
            overlap: SelfOverlap | None = getattr(session, side)
            content[side] = None if overlap is None else vars(overlap)
        return content


def _cells(errors: _Errors, digits: int | None) -> list[str]:
    numbers = (errors.errors, errors.length, errors.substitutions, errors.deletions, errors.insertions)
    return [f"{round(errors.percent, 10):.{2 if digits is None else digits}f}", *(f"{number:,}" for number in numbers)]


def plain_label(label: Any) -> Any:
    """Return a speaker or an assigned pair for JSON."""
    if isinstance(label, tuple):
        return [*map(plain_label, label)]
    return label if isinstance(label, (str, int, float, type(None))) else str(label)
