from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from refscore.meetings.diarization import DER, DiarizationMetric
from refscore.meetings.results import SessionScores, plain_label
from refscore.tables import Column, Table


@dataclass(frozen=True)
class SpeakerErrors:
    """A reference speaker and the hypothesis speaker who shares the most time.

    Attributes:
        reference: The reference speaker.
        hypothesis: The hypothesis speaker, or None.
        error: The Jaccard error, from 0 to 1.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "", 0, 4)]
        >>> meetings.score(reference, [meetings.Utterance("s", 1, "", 0, 3)], "jer")["s"].pairs
        (SpeakerErrors(reference='Ann', hypothesis=1, error=0.25),)
    """

    reference: Hashable
    hypothesis: Hashable
    error: float


@dataclass(frozen=True)
class DiarizationErrors:
    """The errors in one session.

    Attributes:
        session_id: The session.
        missed: The seconds of reference speech without hypothesis speech. Speakers who talk at once count separately.
        false_alarm: The seconds of hypothesis speech without reference speech.
        confusion: The seconds of speech with the wrong speaker.
        scored: The seconds of reference speech.
        speaker_errors: The sum of the Jaccard errors of the reference speakers.
        speakers: The number of reference speakers.
        hypothesis_speakers: The number of hypothesis speakers.
        pairs: The reference speakers with their hypothesis speakers.
        regions: The begins and ends of the scored time.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "", 0, 4)]
        >>> session = meetings.score(reference, [meetings.Utterance("s", 1, "", 1, 6)], "der")["s"]
        >>> session.missed, session.false_alarm, session.confusion, session.scored, session.assignment
        (1.0, 2.0, 0.0, 4.0, (('Ann', 1),))
    """

    session_id: str
    missed: float
    false_alarm: float
    confusion: float
    scored: float
    speaker_errors: float
    speakers: int
    hypothesis_speakers: int
    pairs: tuple[SpeakerErrors, ...]
    regions: tuple[tuple[float, float], ...]

    @property
    def errors(self) -> float:
        """The seconds of errors."""
        return self.missed + self.false_alarm + self.confusion

    @property
    def assignment(self) -> tuple[tuple[Hashable, Hashable], ...]:
        """Pairs of reference and hypothesis speakers, with None for a missing one."""
        return tuple((pair.reference, pair.hypothesis) for pair in self.pairs)

    def __repr__(self) -> str:
        return f"<session {self.session_id}: {self.errors:.2f} seconds of errors in {self.scored:.2f}>"


_TITLES = {
    "missed": "missed",
    "false_alarm": "false alarm",
    "confusion": "confusion",
    "scored": "scored",
    "speaker_errors": "sum of errors",
    "speakers": "speakers",
    "hypothesis_speakers": "hypothesis speakers",
}


@dataclass(frozen=True, eq=False, repr=False)
class DiarizationScore(SessionScores[DiarizationErrors]):
    """An error rate of diarization for several sessions. It prints as a table, with seconds.

    Attributes:
        metric: The metric, with all settings.
        sessions: Each session's errors, in the reference's order.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("mon", "Ann", "", 0, 4), meetings.Utterance("tue", "Ann", "", 0, 6)]
        >>> hypothesis = [meetings.Utterance("mon", 1, "", 1, 4), meetings.Utterance("tue", 1, "", 0, 6)]
        >>> result = meetings.score(reference, hypothesis, "der")
        >>> print(result)
        session    DER  missed  false alarm  confusion  scored
        -------  -----  ------  -----------  ---------  ------
        mon      25.00    1.00         0.00       0.00    4.00
        tue       0.00    0.00         0.00       0.00    6.00
        total    10.00    1.00         0.00       0.00   10.00
        >>> result.rows.tolist()
        [[1.0, 0.0, 0.0, 4.0], [0.0, 0.0, 0.0, 6.0]]
    """

    metric: DiarizationMetric[Any]

    def _lines(self, by_speaker: bool) -> Iterator[tuple[str, float | None, list[Any], tuple[Any, Any]]]:
        """Yield the session, the rate, the row's numbers and the speakers of each line."""
        for session, row in zip(self.sessions, self.rows, strict=True):
            for pair in session.pairs if by_speaker else ():
                error = None if isinstance(self.metric, DER) else pair.error
                yield session.session_id, error, [], (pair.reference, pair.hypothesis)
            yield session.session_id, float(self.metric.values([row])[0]), row.tolist(), (None, None)
        yield "total", self.value, self.rows.sum(0).tolist(), (None, None)

    def table(self, *, by_speaker: bool = False, digits: int | None = None) -> Table:
        """Return a table with each session and the total.

        Args:
            by_speaker: Add rows for pairs of speakers, with their Jaccard errors for JER.
            digits: The decimals, 2 by default.

        Example:
            >>> from refscore import meetings
            >>> reference = [meetings.Utterance("s", "Ann", "", 0, 4), meetings.Utterance("s", "Bob", "", 4, 5)]
            >>> result = meetings.score(reference, [meetings.Utterance("s", 1, "", 1, 4)], "jer")
            >>> print(result.table(by_speaker=True))
            session  reference  hypothesis     JER  sum of errors  speakers  hypothesis speakers
            -------  ---------  ----------  ------  -------------  --------  -------------------
            s        Ann        1            25.00
            s        Bob                    100.00
            s                                62.50           1.25         2                    1
            total                            62.50           1.25         2                    1
        """
        decimals = 2 if digits is None else digits
        names = ["session", *(["reference", "hypothesis"] if by_speaker else [])]
        titles = [self.metric.title, *(_TITLES[name] for name in self.metric.columns)]
        columns = [*map(Column, names), *(Column(title, "right") for title in titles)]
        rows = []
        for session, rate, numbers, speakers in self._lines(by_speaker):
            labels = ["" if each is None else str(each) for each in speakers] if by_speaker else []
            shown = [
                f"{number:,.0f}" if "speakers" in name else f"{number:,.{decimals}f}"
                for name, number in zip(self.metric.columns, numbers, strict=False)
            ]
            percent = "" if rate is None else f"{round(100 * rate, 10):.{decimals}f}"
            rows.append([session, *labels, percent, *shown, *[""] * (len(titles) - 1 - len(shown))])
        return Table("", columns, rows)

    def flat_table(self, *, by_speaker: bool = False) -> Table:
        """Return the same table with full precision, for programs."""
        names = ("reference", "hypothesis") if by_speaker else ()
        columns = ("metric", "session", *names, "value", *self.metric.columns)
        rows = []
        for session, rate, numbers, speakers in self._lines(by_speaker):
            labels = ["" if each is None else str(each) for each in speakers] if by_speaker else []
            cells = [self.metric.name, session, *labels, "" if rate is None else str(rate), *map(str, numbers)]
            rows.append([*cells, *[""] * (len(columns) - len(cells))])
        return Table("", map(Column, columns), rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the signature, the total and the sessions, for JSON.

        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "", 0, 4)]
        >>> meetings.score(reference, [meetings.Utterance("s", 1, "", 1, 4)], "der").to_dict()["total"]["error_rate"]
        0.25
        """

        def errors(row: Any) -> dict[str, Any]:
            rate = float(self.metric.values([row])[0])
            return {"error_rate": rate, **dict(zip(self.metric.columns, map(float, row), strict=True))}

        return {
            "metric": self.metric.name,
            "signature": self.signature,
            "total": errors(self.rows.sum(0)),
            "sessions": [
                {
                    "session_id": session.session_id,
                    **errors(row),
                    "pairs": [
                        {
                            "reference": plain_label(pair.reference),
                            "hypothesis": plain_label(pair.hypothesis),
                            "error": pair.error,
                        }
                        for pair in session.pairs
                    ],
                    "regions": [[*region] for region in session.regions],
                }
                for session, row in zip(self.sessions, self.rows, strict=True)
            ],
        }
