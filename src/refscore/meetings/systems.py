"""Score several systems on the same sessions, for comparisons and tests over sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore.errors import InputError, Location
from refscore.meetings.metric import MeetingMetric, meeting_metric
from refscore.meetings.results import MeetingScore
from refscore.meetings.scoring import score
from refscore.meetings.utterances import Utterances, parse_side
from refscore.metrics import parse_row_metrics

MeetingMetricChoice: TypeAlias = MeetingMetric | str
MeetingMetricChoices: TypeAlias = (
    MeetingMetricChoice | Sequence[MeetingMetricChoice] | Mapping[str, MeetingMetricChoice]
)


@dataclass(frozen=True, eq=False)
class MeetingScores:
    """The error rates of several systems over the same sessions. Sessions are the segments of comparisons and tests.

    Attributes:
        metrics: The error rates by label.
        scores: The score of each system, by label and system.

    Example:
        >>> from refscore import Evaluation, meetings
        >>> reference = [meetings.Utterance(str(k), "Ann", "a b") for k in range(20)]
        >>> systems = {
        ...     name: [meetings.Utterance(str(k), 1, words) for k in range(20)]
        ...     for name, words in (("old", "x y"), ("new", "a y"))
        ... }
        >>> scores = meetings.score_systems(systems, reference, ["cpwer", "orcwer"])
        >>> scores["new"]["cpwer"].percent, scores.session_ids[:2]
        (50.0, ('0', '1'))
        >>> Evaluation.from_rows(scores.metrics, scores.rows).compare(test="bootstrap").verdict("orcwer", "new")
        'better'
    """

    metrics: Mapping[str, MeetingMetric]
    scores: Mapping[str, Mapping[str, MeetingScore]]

    @property
    def rows(self) -> dict[str, dict[str, NDArray[np.int64]]]:
        """One row of counts per session, by label and system. All arrays have the sessions of `session_ids`."""
        return {
            label: {system: result.rows for system, result in by_system.items()}
            for label, by_system in self.scores.items()
        }

    @property
    def session_ids(self) -> tuple[str, ...]:
        """The sessions of the reference, in the order of the rows."""
        return next(iter(next(iter(self.scores.values())).values())).session_ids

    def __getitem__(self, system: str) -> dict[str, MeetingScore]:
        """Return the scores of a system by label."""
        return {label: by_system[system] for label, by_system in self.scores.items()}


def score_systems(
    systems: Mapping[str, Utterances],
    reference: Utterances,
    metrics: MeetingMetricChoices = "cpwer",
    *,
    format: str | None = None,
    partial: bool = False,
    max_missing: float = 0.1,
    progress: Callable[[int, int], object] | None = None,
) -> MeetingScores:
    """Return the error rates of several systems. Each has a row for every session of the reference, in the same order.

    Args:
        systems: The utterances of each system, by its name: a file or several files, or a list of utterances.
        reference: The same for the reference.
        metrics: Error rates or their names. A dictionary gives them labels.
        format: The format of files; by default it follows from their endings.
        partial: Ignore sessions that only a system has, instead of raising an error.
        max_missing: The share of sessions that a system may lack. They count as silence, with a warning.
        progress: A function called with the amount of work done and the total. The work is counted in systems and
            metrics.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "hello there", 0, 1)]
        >>> systems = {"late": [meetings.Utterance("s", 1, "hello there", 7, 8)]}
        >>> scores = meetings.score_systems(systems, reference, {"loose": "cpwer", "strict": "tcpwer"})
        >>> {label: score.errors for label, score in scores["late"].items()}
        {'loose': 0, 'strict': 4}
    """
    chosen = _parse_metrics(metrics)
    if not isinstance(systems, Mapping) or not systems:
        problem = "must be a dictionary from names to utterances, with at least one system"
        raise InputError(Location("systems"), problem)
    reference_side = parse_side("reference", reference, format)
    sides = {name: parse_side(f"systems[{name!r}]", given, format) for name, given in systems.items()}
    scores: dict[str, dict[str, MeetingScore]] = {label: {} for label in chosen}
    tasks = [(label, name) for label in chosen for name in sides]
    for done, (label, name) in enumerate(tasks, 1):
        scores[label][name] = score(
            reference_side, sides[name], chosen[label], partial=partial, max_missing=max_missing
        )
        if progress is not None:
            progress(done, len(tasks))
    return MeetingScores(chosen, scores)


def _parse_metrics(choices: MeetingMetricChoices) -> dict[str, MeetingMetric]:
    parsed: Any
    if isinstance(choices, Mapping):
        parsed = {label: meeting_metric(choice) for label, choice in choices.items()}
    elif isinstance(choices, (list, tuple)):
        parsed = [meeting_metric(choice) for choice in choices]
    else:
        parsed = meeting_metric(choices)  # type: ignore[arg-type]
    checked: dict[str, Any] = parse_row_metrics(parsed)
    return checked
