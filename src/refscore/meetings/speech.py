"""One session's turns, as the kernel of diarization takes them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from refscore import _native
from refscore.errors import InputError
from refscore.meetings.diarization import DER, JER, DiarizationMetric
from refscore.meetings.diarization_results import DiarizationErrors, SpeakerErrors
from refscore.meetings.sessions import SessionSide

# The mapping takes time that grows with the cube, and memory that grows with the square.
MOST_SPEAKERS = 2_000

# Seconds from 1970 still have microseconds as floats.
MOST_SECONDS = 4e9

_TIMES_FIX = "der and jer need start_time and end_time"


class Turns:
    """The turns of one side, with numbered speakers."""

    def __init__(self, side: SessionSide, session_id: str) -> None:
        utterances = side.utterances
        for index, each in enumerate(utterances):
            if each.start_time is None or each.end_time is None:
                raise InputError(side.side.locate(side.indexes[index]), "has no times", _TIMES_FIX)
            if not -MOST_SECONDS <= float(each.start_time) <= float(each.end_time) <= MOST_SECONDS:
                problem = f"lasts from {each.start_time} to {each.end_time}"
                raise InputError(side.side.locate(side.indexes[index]), problem, "times must be seconds")
        # The order decides between equal mappings, as in pyannote.metrics.
        self.names: list[Hashable] = sorted({each.speaker for each in utterances}, key=str)
        if len(self.names) > MOST_SPEAKERS:
            problem = f"has {len(self.names):,} speakers in the session {session_id!r}"
            place = side.side.locate(side.indexes[0])
            raise InputError(place, problem, f"der and jer allow {MOST_SPEAKERS:,} speakers per session")
        numbers = {name: number for number, name in enumerate(self.names)}
        self.speakers = np.array([numbers[each.speaker] for each in utterances], dtype=np.uint32)
        self.begins = np.array([each.start_time for each in utterances], dtype=np.float64)
        self.ends = np.array([each.end_time for each in utterances], dtype=np.float64)

    def native(self) -> _native.SpeakerTurns:
        return _native.SpeakerTurns(self.speakers, self.begins, self.ends, len(self.names))

    def extent(self) -> list[float]:
        """Return the first begin and the last end, or nothing without speech."""
        spoken = self.ends > self.begins
        return [float(self.begins[spoken].min()), float(self.ends[spoken].max())] if spoken.any() else []

    def has_speech_in(self, regions: Sequence[tuple[float, float]]) -> bool:
        return any(bool(((self.begins < end) & (self.ends > begin)).any()) for begin, end in regions)


def score_turns(
    metric: DiarizationMetric[Any],
    session_id: str,
    reference: SessionSide,
    hypothesis: SessionSide,
    regions: Sequence[tuple[float, float]] | None,
) -> DiarizationErrors:
    """Return the errors of one session. Without regions, everything between the first and the last turn is scored."""
    spoken, heard = Turns(reference, session_id), Turns(hypothesis, session_id)
    if regions is None:
        times = spoken.extent() + (heard.extent() if metric.extent == "both" else [])
        regions = [(min(times), max(times))] if times else []
    if isinstance(metric, DER) and metric.without_reference == "ignored":
        has_speech = spoken.has_speech_in(regions) if metric.trim else bool(spoken.extent())
        regions = regions if has_speech else []
    bounds = np.array(regions, dtype=np.float64).reshape(-1, 2)
    seconds, pairs, hypothesis_speakers, scored = _native.score_turns(
        spoken.native(),
        heard.native(),
        np.ascontiguousarray(bounds[:, 0]),
        np.ascontiguousarray(bounds[:, 1]),
        collar=metric.collar_seconds,
        skip_overlap=metric.skip_overlap,
        self_overlap=metric.self_overlap,
        trim=isinstance(metric, DER) and metric.trim,
        map_all_speech=isinstance(metric, DER) and metric.mapped_time == "all",
        map_jaccard=isinstance(metric, JER) and metric.mapping == "jaccard",
        step=metric.step if isinstance(metric, JER) else 0.0,
    )
    speakers = tuple(
        SpeakerErrors(name, heard.names[number] if number >= 0 else None, error)
        for name, (number, error, is_scored) in zip(spoken.names, pairs, strict=True)
        if is_scored
    )
    return DiarizationErrors(
        session_id,
        seconds[1],
        seconds[2],
        seconds[3],
        seconds[0],
        sum(pair.error for pair in speakers),
        len(speakers),
        hypothesis_speakers,
        speakers,
        tuple(scored),
    )
