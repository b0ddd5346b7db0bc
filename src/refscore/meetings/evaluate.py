from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial as partial_function
from typing import Any

from refscore.errors import InputError, Location, SettingError
from refscore.evaluation import Evaluation
from refscore.evaluation.digests import Digest
from refscore.evaluation.evaluation import UNNAMED
from refscore.meetings.choices import meeting_metric
from refscore.meetings.metric import SessionMetric
from refscore.meetings.regions import UEM, Regions, parse_uem
from refscore.meetings.results import SessionScores
from refscore.meetings.scoring import score_sides
from refscore.meetings.utterances import Side, Utterances, parse_side
from refscore.metrics import MetricChoices, RowMetric, parse_row_metrics
from refscore.progress import Progress


def evaluate(
    systems: Utterances | Mapping[str, Utterances],
    reference: Utterances,
    metrics: MetricChoices = ("cpwer",),
    *,
    uem: UEM | None = None,
    groups: Mapping[str, Mapping[str, Hashable] | Sequence[Hashable]] | None = None,
    format: str | None = None,
    partial: bool = False,
    max_missing: float = 0.1,
    progress: Progress | None = None,
) -> Evaluation:
    """Score systems by several error rates. The reference's sessions are the segments.

    Args:
        systems: A system's utterances (a file, several files, or a list), or a dictionary with each system's.
        reference: The same for the reference.
        metrics: Error rates or their names. A dictionary gives them labels.
        uem: The time that diarization is scored in: UEM files, or a dictionary with the regions of each session.
        groups: The labels of the sessions by grouping: a dictionary by session, or a list in the reference's order.
        format: The file format. By default it follows from the endings.
        partial: Ignore sessions that only a system has, or that the UEM files lack, instead of raising an error.
        max_missing: The fraction of sessions that a system may lack. They count as silence, with a warning.
        progress: A function called with the name of the current step, the number of sessions done and the total.

    Returns:
        The evaluation, with the sessions as `units`.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance(str(k), "Ann", "a b", 0, 1) for k in range(20)]
        >>> systems = {
        ...     name: [meetings.Utterance(str(k), 1, words, 0, 1) for k in range(20)]
        ...     for name, words in (("old", "x y"), ("new", "a y"))
        ... }
        >>> evaluation = meetings.evaluate(systems, reference, {"cp": "cpwer", "strict": meetings.TCPWER(collar=0)})
        >>> evaluation["new"]["strict"].percent, evaluation.units[:2]
        (50.0, ['0', '1'])
        >>> evaluation.compare("old", test="bootstrap").verdict("cp", "new")
        'better'
    """
    chosen = _parse_metrics(metrics)
    if isinstance(systems, Mapping) and not systems:
        raise InputError(Location("systems"), "is empty", "pass at least one system")
    parse = partial_function(parse_side, needs_words=any(metric.needs_words for metric in chosen.values()))
    reference_side = parse("reference", reference, format)
    sides = (
        {name: parse(f"systems[{name!r}]", given, format) for name, given in systems.items()}
        if isinstance(systems, Mapping)
        else {UNNAMED: parse("systems", systems, format)}
    )
    scores = score_systems(
        sides, reference_side, chosen, uem=uem, partial=partial, max_missing=max_missing, progress=progress
    )
    return evaluation_of(scores, reference_side, parse_uem(uem), groups)


def _parse_metrics(choices: Any) -> dict[str, SessionMetric[Any]]:
    if isinstance(choices, (str, RowMetric)) or not isinstance(choices, Iterable):
        choices = [choices]
    choices = choices if isinstance(choices, Mapping) else [*choices]
    for choice in choices.values() if isinstance(choices, Mapping) else choices:
        meeting_metric(choice)  # raises an error for metrics of text
    parsed: Any = parse_row_metrics(choices)
    return dict(parsed)


def score_systems(
    systems: Mapping[str, Side],
    reference: Side,
    metrics: Mapping[str, SessionMetric[Any]],
    *,
    uem: UEM | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> dict[str, dict[str, SessionScores[Any]]]:
    """Return each score by label and system. `score` takes the `settings`."""
    regions = parse_uem(uem)
    if regions is not None and all(metric.needs_words for metric in metrics.values()):
        raise SettingError(f"uem changes nothing in {', '.join(metrics)}: add der or jer")
    pairs = [(label, name) for label in metrics for name in systems]
    scores: dict[str, dict[str, SessionScores[Any]]] = {label: {} for label in metrics}
    for before, (label, name) in enumerate(pairs):

        def show(step: str, done: int, total: int, before: int = before) -> None:
            if progress is not None:
                progress(step, before * total + done, len(pairs) * total)

        scores[label][name] = score_sides(reference, systems[name], metrics[label], regions, progress=show, **settings)
    return scores


def evaluation_of(
    scores: Mapping[str, Mapping[str, SessionScores[Any]]],
    reference: Side,
    regions: Regions | None = None,
    groups: Mapping[str, Any] | None = None,
) -> Evaluation:
    """Return an evaluation from each score by label and system. Its segments are the sessions."""
    by_label = {label: next(iter(of_systems.values())) for label, of_systems in scores.items()}
    metrics = {label: each.metric for label, each in by_label.items()}
    rows = {label: {name: each.rows for name, each in of_systems.items()} for label, of_systems in scores.items()}
    sessions: dict[str, list[Any]] = {each.session_id: [] for each in next(iter(by_label.values()))}
    for each in reference.utterances:
        if each.session_id in sessions:
            words = each.words if isinstance(each.words, str) else " ".join(map(str, each.words))
            times = [None if time is None else float(time) for time in (each.start_time, each.end_time)]
            sessions[each.session_id].append((each.session_id, each.speaker, words, *times))
    for session, own in (regions or {}).items():
        sessions[session].append(own)
    by_session = {name: _labels(name, labels, [*sessions]) for name, labels in (groups or {}).items()}
    digest = Digest.compute(sessions.values())
    # Labels that are names do not replace the titles of tables.
    choices = metrics if any(metrics[label].name != label for label in metrics) else [*metrics.values()]
    return Evaluation.from_rows(choices, rows, units=[*sessions], groups=by_session, digest=digest)


def _labels(name: str, labels: Any, sessions: Sequence[str]) -> Any:
    if not isinstance(labels, Mapping):
        return labels
    missing = [session for session in sessions if session not in labels]
    if missing:
        raise InputError(Location(f"groups[{name!r}]"), f"has no label for the session {missing[0]!r}", "add one")
    return [labels[session] for session in sessions]
