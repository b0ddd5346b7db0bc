"""A view of an evaluation: how many errors come from recognition, and how many from wrong speakers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from refscore.errors import SettingError, check_instance
from refscore.evaluation import Evaluation
from refscore.meetings.metric import MeetingMetric
from refscore.tables import Column, Result, Table


@dataclass(frozen=True)
class SplitErrors:
    """The errors of one session and system, by their source.

    Attributes:
        system: The system.
        session_id: The session, or "total".
        errors: All errors, as the metric with speakers counts them.
        recognition: The errors that are left if wrong speakers are forgiven.
        length: The number of reference words.

    Example:
        >>> from refscore.meetings import SplitErrors
        >>> split = SplitErrors("new", "monday", errors=5, recognition=3, length=50)
        >>> split.attribution, split.recognition_percent, split.attribution_percent
        (2, 6.0, 4.0)
    """

    system: str
    session_id: str
    errors: int
    recognition: int
    length: int

    @property
    def attribution(self) -> int:
        """The other errors, which come from wrong speakers."""
        return self.errors - self.recognition

    @property
    def recognition_percent(self) -> float:
        """The errors from recognition per 100 reference words."""
        return 100 * self.recognition / (self.length or 1)

    @property
    def attribution_percent(self) -> float:
        """The errors from wrong speakers per 100 reference words."""
        return 100 * self.attribution / (self.length or 1)


@dataclass(frozen=True, eq=False, repr=False)
class ErrorSources(Result):
    """The errors of sessions, split into recognition and attribution. It prints as a table.

    Attributes:
        whole: The metric that counts all errors.
        forgiving: The metric that forgives wrong speakers.
        sessions: Each session of each system.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "shall we start"), meetings.Utterance("s", "Bob", "yes please")]
        >>> hypothesis = [meetings.Utterance("s", 1, "shall we stop"), meetings.Utterance("s", 1, "yes please")]
        >>> evaluation = meetings.evaluate(hypothesis, reference, ["cpwer", "dicpwer"])
        >>> print(meetings.split_errors(evaluation))
        system  session   cpWER  recognition  attribution  words  errors  recognition errors  attribution errors
        ------  -------  ------  -----------  -----------  -----  ------  ------------------  ------------------
        system  s        100.00        20.00        80.00      5       5                   1                   4
        system  total    100.00        20.00        80.00      5       5                   1                   4
    """

    schema: ClassVar[str] = "sources"

    whole: MeetingMetric
    forgiving: MeetingMetric
    sessions: tuple[SplitErrors, ...]

    @property
    def all_signatures(self) -> list[str]:
        return [self.whole.signature, self.forgiving.signature]

    @property
    def totals(self) -> tuple[SplitErrors, ...]:
        """All sessions of each system together."""
        names = ("errors", "recognition", "length")
        return tuple(
            SplitErrors(
                system,
                "total",
                **{name: sum(getattr(each, name) for each in self.sessions if each.system == system) for name in names},
            )
            for system in dict.fromkeys(each.system for each in self.sessions)
        )

    def _lines(self) -> Iterator[SplitErrors]:
        for total in self.totals:
            yield from (each for each in self.sessions if each.system == total.system)
            yield total

    def table(self, *, digits: int | None = None) -> Table:
        """Return a table with each session and the totals. `digits` are the decimals, 2 by default."""
        decimals = 2 if digits is None else digits
        titles = (
            *(self.whole.title, "recognition", "attribution", "words"),
            *("errors", "recognition errors", "attribution errors"),
        )
        rows = []
        for each in self._lines():
            shares = (each.recognition_percent + each.attribution_percent, each.recognition_percent)
            percents = [f"{round(share, 10):.{decimals}f}" for share in (*shares, each.attribution_percent)]
            counts = (each.length, each.errors, each.recognition, each.attribution)
            rows.append([each.system, each.session_id, *percents, *(f"{count:,}" for count in counts)])
        columns = [Column("system"), Column("session"), *(Column(title, "right") for title in titles)]
        return Table("", columns, rows)

    def flat_table(self) -> Table:
        """Return the same table with full precision, for programs."""
        names = ("system", "session_id", "errors", "recognition", "attribution", "length")
        rows = [[str(getattr(each, name)) for name in names] for each in self._lines()]
        return Table("", [Column(name) for name in names], rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the signatures, the totals and the sessions, for JSON."""
        totals, sessions = (
            [{**vars(each), "attribution": each.attribution} for each in part] for part in (self.totals, self.sessions)
        )
        return {"signatures": self.all_signatures, "totals": totals, "sessions": sessions}

    def __repr__(self) -> str:
        shown = ", ".join(f"{each.system}: {each.recognition} + {each.attribution}" for each in self.totals)
        return f"<errors from recognition and attribution: {shown}>"


def split_errors(evaluation: Evaluation, *, whole: str | None = None, forgiving: str | None = None) -> ErrorSources:
    """Split the errors of each session into those of recognition and those of wrong speakers.

    Args:
        evaluation: The result of `evaluate`, or a saved one, with two metrics.
        whole: The label of the metric that counts wrong speakers, by default the first of cpWER and tcpWER.
        forgiving: The label of the metric that forgives them, by default the first other one: DI-cpWER, or a kind of
            ORC-WER. Both metrics must have the same settings.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "a b"), meetings.Utterance("s", "Bob", "c d")]
        >>> hypothesis = [meetings.Utterance("s", 1, "a b"), meetings.Utterance("s", 1, "c x")]
        >>> split = meetings.split_errors(meetings.evaluate(hypothesis, reference, ["cpwer", "dicpwer"]))
        >>> [(each.session_id, each.recognition, each.attribution) for each in split.totals]
        [('total', 1, 3)]
    """
    check_instance("evaluation", evaluation, Evaluation, "pass the result of meetings.evaluate")
    metrics = {label: metric for label, metric in evaluation.metrics.items() if isinstance(metric, MeetingMetric)}
    labels = []
    for label, permutes, names in ((whole, True, "cpwer or tcpwer"), (forgiving, False, "dicpwer or orcwer")):
        found = next((each for each, metric in metrics.items() if metric.permutes == permutes), None)
        chosen = found if label is None else label
        if chosen not in metrics or metrics[chosen].permutes != permutes:
            raise SettingError(f"split_errors needs a metric such as {names}: pass it to meetings.evaluate")
        labels.append(chosen)
    first, second = (metrics[label] for label in labels)
    shared = {name: getattr(second, name) for name in second.settings() if name in first.settings()}
    if first.is_timed != second.is_timed or replace(first, **shared) != first:
        raise SettingError(f"{first.title} and {second.title} have different settings")
    sessions = []
    for system in evaluation.systems:
        rows = [evaluation.rows(label, system) for label in labels]
        for session, all_errors, errors in zip(evaluation.units or (), *rows, strict=True):
            scores = first.score(all_errors), second.score(errors)
            sessions.append(SplitErrors(system, str(session), scores[0].errors, scores[1].errors, scores[0].length))
    return ErrorSources(first, second, tuple(sessions))
