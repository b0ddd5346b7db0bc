from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.data_warnings import issue
from refscore.errors import Argument, InputError, Location, SettingError
from refscore.meetings.choices import meeting_metric
from refscore.meetings.diarization import DiarizationMetric
from refscore.meetings.diarization_results import DiarizationScore
from refscore.meetings.metric import MeetingMetric, SessionMetric
from refscore.meetings.regions import UEM, Regions, parse_uem
from refscore.meetings.results import MeetingScore, PairErrors, SelfOverlap, SessionErrors, SessionScores
from refscore.meetings.sessions import Numbers, Part, Role, SessionSide, Split, native_words
from refscore.meetings.speech import score_turns
from refscore.meetings.utterances import Side, Utterance, Utterances, parse_side
from refscore.metrics import check_tokens
from refscore.progress import Progress
from refscore.text_display import counted


class MeetingWarning(UserWarning):
    """Issued for sessions without a hypothesis, and for speakers that overlap with themselves.

    >>> import warnings
    >>> from refscore import meetings
    >>> twice = [meetings.Utterance("s", "Ann", word, 0, 1) for word in "ab"]
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     result = meetings.score(twice, twice, "tcpwer")
    >>> print(caught[0].message)
    speakers of the reference overlap with themselves for 1.00 of 1.00 seconds
    """


# Pairs of words with overlapping times that a session may have: about 20 seconds of work, and 40 for tcORC-WER.
MOST_PAIRS = 2_000_000_000

# Pairs of words that each round of a greedy assignment compares: about 20 seconds. Most need three to six rounds.
MOST_GREEDY_PAIRS = 10_000_000_000

_EXTRA_FIX = "set ", Argument("partial", True), " to ignore such sessions"
_MISSING_FIX = "add them with empty words, or raise ", Argument("max_missing"), " to count them as silence"


_UNSCORED_FIX = "add it, or set ", Argument("partial", True), " to ignore such sessions"


def score(
    reference: Utterances,
    hypothesis: Utterances,
    metric: SessionMetric[Any] | str = "cpwer",
    *,
    uem: UEM | None = None,
    format: str | None = None,
    partial: bool = False,
    max_missing: float = 0.1,
    progress: Progress | None = None,
    **settings: object,
) -> SessionScores[Any]:
    """Score sessions.

    Args:
        reference: The reference utterances: a file or several files (see `read_utterances`), or a list with utterances
            or dictionaries with the same names.
        hypothesis: The same for the hypothesis.
        metric: The error rate, or its name in `MEETING_METRICS`.
        uem: The time that diarization is scored in: UEM files (see `read_uem`), or a dictionary with the regions of
            each session. By default everything between the first and the last turn.
        format: The file format. By default it follows from the endings.
        partial: Ignore sessions that only the hypothesis has, or that the UEM files lack, instead of raising an error.
        max_missing: The fraction of sessions that the hypothesis may lack. They count as silence, with a warning.
        progress: A function called with the name of the current step, the number of sessions done and the total.
        **settings: The error rate's settings, such as `lowercase` or `collar`.

    Returns:
        A `MeetingScore` of words, or a `DiarizationScore`.

    Example:
        >>> from refscore import meetings
        >>> reference = [meetings.Utterance("s", "Ann", "hello there", 0, 1)]
        >>> hypothesis = [meetings.Utterance("s", "1", "hello there", 7, 8)]
        >>> meetings.score(reference, hypothesis).errors
        0
        >>> meetings.score(reference, hypothesis, "tcpwer", collar=0.5).total.insertions
        2
        >>> meetings.score(reference, hypothesis, "der", uem={"s": [(0, 5)]}).value
        1.0
    """
    metric = meeting_metric(metric, **settings)
    reference_side = parse_side("reference", reference, format, needs_words=metric.needs_words)
    hypothesis_side = parse_side("hypothesis", hypothesis, format, needs_words=metric.needs_words)
    regions = parse_uem(uem)
    if regions is not None and metric.needs_words:
        raise SettingError(f"uem changes nothing in {metric.name}: add der or jer")
    return score_sides(
        reference_side,
        hypothesis_side,
        metric,
        regions,
        partial=partial,
        max_missing=max_missing,
        progress=progress,
    )


def score_sides(
    reference: Side,
    hypothesis: Side,
    metric: SessionMetric[Any],
    regions: Regions | None,
    *,
    partial: bool,
    max_missing: float,
    progress: Progress | None,
) -> SessionScores[Any]:
    """Return the errors. With regions, their sessions are scored, also by metrics that ignore the regions."""
    sessions = _match_sessions(reference, hypothesis, regions=regions, partial=partial, max_missing=max_missing)

    def steps() -> Iterator[tuple[str, tuple[SessionSide, SessionSide]]]:
        for done, session in enumerate(sessions.items(), 1):
            yield session
            if progress is not None:
                progress("scoring", done, len(sessions))

    if isinstance(metric, DiarizationMetric):
        by_session: Regions = regions or {}
        turns = (score_turns(metric, name, *sides, by_session.get(name)) for name, sides in steps())
        return DiarizationScore(metric, tuple(turns))
    if not isinstance(metric, MeetingMetric):
        raise SettingError(f"{metric.title} does not score meetings")
    split = _splitter(metric)
    result = MeetingScore(metric, tuple(_score_session(metric, name, *sides, split) for name, sides in steps()))
    if metric.is_timed:
        total = result.total
        _warn_of_self_overlap(reference, total.reference_self_overlap)
        _warn_of_self_overlap(hypothesis, total.hypothesis_self_overlap)
    return result


def _warn_of_self_overlap(side: Side, overlap: SelfOverlap | None) -> None:
    if overlap is not None and overlap.rate > 0:
        times = f"{overlap.overlap_time:.2f} of {overlap.total_time:.2f} seconds"
        issue([MeetingWarning(f"speakers of {side.title} overlap with themselves for {times}")])


def _match_sessions(
    reference: Side, hypothesis: Side, *, regions: Regions | None, partial: bool, max_missing: float
) -> dict[str, tuple[SessionSide, SessionSide]]:
    if not 0 <= max_missing <= 1:
        raise SettingError(f"max_missing must be a share from 0 to 1, not {max_missing!r}")
    by_session: list[dict[str, list[int]]] = [{}, {}]
    for sessions, side in zip(by_session, (reference, hypothesis), strict=True):
        for index, utterance in enumerate(side.utterances):
            sessions.setdefault(utterance.session_id, []).append(index)
    if regions is not None:
        _match_regions(reference, by_session[0], regions, partial=partial)
    if not by_session[0]:
        raise InputError(Location("reference"), "has no utterances", "pass at least one, with empty words for silence")
    extra = [session for session in by_session[1] if session not in by_session[0]]
    if extra and not partial:
        index = by_session[1][extra[0]][0]
        problem = (
            f"is of the session {extra[0]!r}, which the reference does not have ({counted(len(extra), 'such session')})"
        )
        raise InputError(hypothesis.locate(index), problem, _EXTRA_FIX)
    # Sessions that only a UEM file has are silent on both sides.
    missing = [session for session, indexes in by_session[0].items() if indexes and session not in by_session[1]]
    if len(missing) > max_missing * len(by_session[0]):
        problem = f"lacks {len(missing)} of {len(by_session[0])} sessions, such as {missing[0]!r}"
        raise InputError(Location(hypothesis.name), problem, _MISSING_FIX)
    if missing:
        share = f"{len(missing)} of {len(by_session[0])} sessions, such as {missing[0]!r}"
        issue([MeetingWarning(f"{hypothesis.title} lacks {share}, which count as silence")])
    return {
        session: (SessionSide(reference, indexes), SessionSide(hypothesis, by_session[1].get(session, ())))
        for session, indexes in by_session[0].items()
    }


def _match_regions(reference: Side, sessions: dict[str, list[int]], regions: Regions, *, partial: bool) -> None:
    """Make the sessions of a UEM file the reference's sessions. They may be silent there."""
    for session in [session for session in sessions if session not in regions]:
        if not partial:
            raise InputError(
                reference.locate(sessions[session][0]),
                f"is of the session {session!r}, which the UEM file lacks",
                _UNSCORED_FIX,
            )
        del sessions[session]
    for session in regions:
        sessions.setdefault(session, [])


def _splitter(metric: MeetingMetric) -> Split:
    normalize = metric.pipeline.normalize_text

    def split(utterance: Utterance) -> Sequence[Hashable]:
        return utterance.words.split() if isinstance(utterance.words, str) else utterance.words

    def normalize_and_split(utterance: Utterance) -> Sequence[Hashable]:
        words = utterance.words
        return normalize(words if isinstance(words, str) else " ".join(map(str, words))).split()

    return split if metric.lowercase is False and metric.normalize == "none" else normalize_and_split


def _score_session(
    metric: MeetingMetric, session_id: str, reference: SessionSide, hypothesis: SessionSide, split: Split
) -> SessionErrors:
    numbers = Numbers()
    place = f" in the session {session_id!r}"
    sides: dict[Role, SessionSide] = {"reference": reference, "hypothesis": hypothesis}
    assigned: Role = "hypothesis" if metric.swaps else "reference"
    to: Role = "reference" if metric.swaps else "hypothesis"
    by = ("speaker" if metric.permutes else "utterance", "stream" if metric.assigns == "utterances" else "speaker")
    parts = sides[assigned].parts(metric, assigned, numbers, split, by=by[0])
    streams = sides[to].parts(metric, to, numbers, split, by=by[1])
    if metric.permutes:
        _check_lengths(assigned, parts, place)
    else:  # the utterances of all speakers are one sequence
        check_tokens(sum(len(part.words) for part in parts.values()), Location(assigned), place)
    _check_lengths(to, streams, place)
    if metric.assigns == "greedily":
        _check_sizes(metric, session_id, parts, streams)
    elif metric.is_timed:
        _check_overlaps(metric, session_id, [*parts.values()], [*streams.values()])
    assignment: Any
    if metric.permutes:
        pairs = _assign_speakers(metric, parts, streams)
        assignment = tuple((pair.reference, pair.hypothesis) for pair in pairs)
        difference, scored = len(parts) - len(streams), len(parts)
    else:
        assignment, pairs = _assign_utterances(metric, session_id, sides[assigned], parts, streams)
        difference = scored = 0
    return SessionErrors(
        **{name: sum(getattr(pair, name) for pair in pairs) for name in metric.columns[:4]},
        session_id=session_id,
        missed_speakers=max(0, difference),
        false_alarm_speakers=max(0, -difference),
        scored_speakers=scored,
        assignment=assignment,
        pairs=pairs,
        reference_self_overlap=reference.self_overlap(),
        hypothesis_self_overlap=hypothesis.self_overlap(),
    )


def _check_lengths(side: str, parts: Mapping[Hashable, Part], place: str) -> None:
    for name, part in parts.items():
        check_tokens(len(part.words), Location(side), f" of {name!r}{place}")


def _check_sizes(
    metric: MeetingMetric, session_id: str, parts: Mapping[Hashable, Part], streams: Mapping[Hashable, Part]
) -> None:
    """Raise an error if each round of a greedy assignment would take too long, because it compares all words."""
    lengths = [sum(len(part.words) for part in each.values()) for each in (parts, streams)]
    pairs = lengths[0] * lengths[1]
    if pairs > MOST_GREEDY_PAIRS:
        problem = (
            f"the session {session_id!r} needs {pairs:,} comparisons of words for {metric.title}, more than "
            f"{MOST_GREEDY_PAIRS:,}"
        )
        raise InputError(None, problem, f"split the session, or choose {'tcpwer' if metric.is_timed else 'cpwer'}")


def _check_overlaps(
    metric: MeetingMetric, session_id: str, reference: Sequence[Part], hypothesis: Sequence[Part]
) -> None:
    """Raise an error if the kernel would compare too many pairs of words, because the words overlap with too many."""
    lengths = [sum(len(part.words) for part in parts) for parts in (reference, hypothesis)]
    if lengths[0] * lengths[1] <= MOST_PAIRS:
        return
    pairs = sum(_pairs(one, other) for one in reference for other in hypothesis)
    if pairs > MOST_PAIRS:
        problem = (
            f"the session {session_id!r} needs {pairs:,} comparisons of words for {metric.title}, more than "
            f"{MOST_PAIRS:,}: the times of too many words overlap"
        )
        other = metric.name.replace("tcorc", "orc").replace("tcp", "cp")
        fix = ("pass shorter utterances, lower the ", Argument("collar"), f", or choose {other}")
        raise InputError(None, problem, fix)


def _pairs(reference: Part, hypothesis: Part) -> int:
    """Return the number of pairs that tcpWER compares: its rows are ranges whose ends only move forward.

    tcORC-WER compares at least as many.
    """
    latest_ends = np.maximum.accumulate(hypothesis.ends)
    earliest_begins = np.minimum.accumulate(hypothesis.begins[::-1])[::-1]
    first = np.searchsorted(latest_ends, reference.begins, "right")
    last = np.searchsorted(earliest_begins, reference.ends, "left")
    first = np.minimum.accumulate(first[::-1])[::-1]
    return int(np.maximum(np.maximum.accumulate(last) - first, 0).sum())


def _assign_speakers(
    metric: MeetingMetric, reference: Mapping[Hashable, Part], hypothesis: Mapping[Hashable, Part]
) -> tuple[PairErrors, ...]:
    """Pair speakers with the fewest errors, with None for a missing speaker."""
    assigned = _native.assign_speakers(
        native_words([*reference.values()]), native_words([*hypothesis.values()]), metric.is_timed
    )
    sizes = len(reference), len(hypothesis)
    names = [*reference, *[None] * max(0, sizes[1] - sizes[0])], [*hypothesis, *[None] * max(0, sizes[0] - sizes[1])]
    return tuple(
        PairErrors(*counts, reference=names[0][row], hypothesis=names[1][column])
        for row, (column, counts) in enumerate(assigned)
    )


def _assign_utterances(
    metric: Any, session_id: str, side: SessionSide, parts: Mapping[Hashable, Part], streams: Mapping[Hashable, Part]
) -> tuple[tuple[Hashable, ...], tuple[PairErrors, ...]]:
    """Assign utterances to streams, or hypothesis utterances to reference speakers if the metric swaps sides."""

    def errors(name: Hashable, hits: int, substitutions: int, deletions: int, insertions: int) -> PairErrors:
        if metric.swaps:
            return PairErrors(hits, substitutions, insertions, deletions, reference=name, hypothesis=None)
        return PairErrors(hits, substitutions, deletions, insertions, reference=None, hypothesis=name)

    # An utterance without words changes nothing, except which of several assignments meeteval finds.
    utterances = {position: part for position, part in parts.items() if part.words or metric.assigns != "utterances"}
    assignment: list[Hashable] = [None] * len(parts)
    if not streams or not any(part.words for part in utterances.values()):
        words = sum(len(part.words) for part in utterances.values())
        pairs = [errors(name, 0, 0, 0, len(part.words)) for name, part in streams.items()]
        return tuple(assignment), tuple(pairs or [errors(None, 0, 0, words, 0)])
    words_of = native_words([*utterances.values()]), native_words([*streams.values()])
    speakers = _numbered(side.utterances[position].speaker for position in utterances)  # type: ignore[call-overload]
    found: Any
    if metric.assigns == "greedily":
        found = _native.assign_greedily(*words_of, speakers, metric.is_timed, metric.memory)
    elif metric.assigns == "orders":
        found = _native.assign_speakers_to_streams(*words_of, speakers, metric.memory)
    else:
        found = _native.assign_utterances(*words_of, metric.is_timed, metric.memory)
    if found is None:
        raise _needs_memory(metric, session_id, streams)
    names = [*streams]
    pairs = [errors(name, *counts) for name, counts in zip(names, found[1], strict=True)]
    if metric.assigns == "orders":
        positions = [*utterances]
        order = ((side.utterances[positions[u]].speaker, names[stream]) for u, stream in found[0])
        return tuple(order), tuple(pairs)
    for position, stream in zip(utterances, found[0], strict=True):
        assignment[position] = names[stream]  # type: ignore[call-overload]
    return tuple(assignment), tuple(pairs)


def _numbered(names: Iterable[Hashable]) -> NDArray[np.uint32]:
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.uint32)


def _needs_memory(metric: Any, session_id: str, streams: Mapping[Hashable, Part]) -> InputError:
    lengths = ", ".join(str(len(part.words)) for part in streams.values())
    problem = (
        f"the session {session_id!r} needs more than {metric.memory >> 20:,} MiB for {metric.title}: its "
        f"{counted(len(streams), 'stream')} have {lengths} words"
    )
    other: tuple[str | Argument, ...] = ("choose tcorcwer, which only compares words at similar times",)
    if metric.assigns == "greedily":
        other = ("choose cpwer",)
    elif metric.is_timed:
        other = ("lower the ", Argument("collar"))
    return InputError(None, problem, (*other, ", split the session, or raise ", Argument("memory")))
