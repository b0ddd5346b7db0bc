"""One session: its words in order, by speaker or utterance, as the kernels take them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import count
from typing import Any, Literal

import numpy as np

from refscore import _native
from refscore.cached import cached_property
from refscore.errors import InputError
from refscore.meetings.metric import MeetingMetric, TimedMeetingMetric
from refscore.meetings.results import SelfOverlap
from refscore.meetings.timings import with_collar, word_times
from refscore.meetings.utterances import Side, Utterance

Split = Callable[[Utterance], Sequence[Hashable]]
Role = Literal["reference", "hypothesis"]


def _alike(utterances: list[Utterance]) -> list[Utterance]:
    """Return utterances with decimal times if some are decimal, because adding floats to them fails."""
    kinds = {type(time) for utterance in utterances for time in (utterance.start_time, utterance.end_time)}
    if Decimal not in kinds or kinds <= {Decimal, type(None)}:
        return utterances

    def exact(time: Any) -> Any:
        return time if time is None or isinstance(time, Decimal) else Decimal(repr(time))

    return [replace(each, start_time=exact(each.start_time), end_time=exact(each.end_time)) for each in utterances]


class Numbers(defaultdict[Hashable, int]):
    """Each word's number, from 1 in the order of first use."""

    def __init__(self) -> None:
        super().__init__(count(1).__next__)


@dataclass
class Part:
    words: list[int] = field(default_factory=list)
    begins: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class SessionSide:
    """One side's utterances in a session, by their indexes in that side."""

    side: Side
    indexes: Sequence[int]

    def __post_init__(self) -> None:
        utterances = self.side.utterances
        object.__setattr__(self, "utterances", _alike([utterances[index] for index in self.indexes]))

    utterances: list[Utterance] = field(init=False)

    @cached_property
    def has_times(self) -> bool:
        return all(utterance.start_time is not None for utterance in self.utterances)

    def self_overlap(self) -> SelfOverlap | None:
        """Return how long speakers overlap with themselves, or None without times."""
        if not self.utterances or not self.has_times:
            return None
        by_speaker: defaultdict[Hashable, list[tuple[Any, Any]]] = defaultdict(list)
        for utterance in self.utterances:
            by_speaker[utterance.speaker].append((utterance.start_time, utterance.end_time))
        overlap: Any = 0
        total: Any = 0
        for times_of_speaker in by_speaker.values():
            latest: Any = 0
            speaker_overlap: Any = 0
            speaker_total: Any = 0
            for start, end in sorted(times_of_speaker, key=lambda times: times[0]):
                if latest > start:
                    speaker_overlap += min(latest, end) - start
                speaker_total += max(0, end - latest)
                latest = max(latest, end)
            overlap += speaker_overlap
            total += speaker_total
        return SelfOverlap(float(overlap), float(total))

    def _sorted(self, sort: str, *, is_required: bool) -> list[int]:
        """Return the utterances' positions by start, unless `sort` is "none"."""
        positions = [*range(len(self.utterances))]
        if not self.has_times and (is_required or sort == "segment"):
            missing = next(index for index in positions if self.utterances[index].start_time is None)
            raise InputError(self.side.locate(self.indexes[missing]), "has no times", _TIMES_FIX)
        if sort != "none" and self.has_times:
            starts: list[Any] = [utterance.start_time for utterance in self.utterances]
            positions.sort(key=starts.__getitem__)
        return positions

    def parts(
        self, metric: MeetingMetric, role: Role, numbers: Numbers, split: Split, *, by: str
    ) -> dict[Hashable, Part]:
        """Return the words by "speaker", by "stream" (speakers with words), or by "utterance" position."""
        sort = getattr(metric, f"{role}_sort")
        positions = self._sorted(sort, is_required=metric.is_timed)
        number = numbers.__getitem__
        parts: defaultdict[Hashable, Part] = defaultdict(Part)
        if not isinstance(metric, TimedMeetingMetric):
            for position in positions:
                utterance = self.utterances[position]
                key = position if by == "utterance" else utterance.speaker
                parts[key].words.extend(map(number, split(utterance)))
            return parts
        timing = getattr(metric, f"{role}_timing")
        collar = metric.collar if role == ("reference" if metric.swaps else "hypothesis") else 0
        words: list[tuple[Any, Any, int, Hashable]] = []
        for position in positions:
            utterance = self.utterances[position]
            key = position if by == "utterance" else utterance.speaker
            # Without words, a speaker still has a place among the speakers, but a stream has none.
            tokens = split(utterance) or ("",)
            location = self.side.locate(self.indexes[position])
            times = word_times(timing, utterance.start_time, utterance.end_time, tokens, location)
            words += [
                (start, end, number(token) if token != "" else 0, key)
                for token, (start, end) in zip(tokens, times, strict=True)
            ]
        if sort == "word":
            words.sort(key=lambda word: word[0])
        extended = with_collar([word[:2] for word in words], collar)
        for (start, end), (_, _, token, key) in zip(extended, words, strict=True):
            if not token and by == "stream":
                continue
            part = parts[key]
            if token:
                part.words.append(token)
                part.begins.append(float(start))
                part.ends.append(float(end))
        return parts


_TIMES_FIX = "tcpwer, tcorcwer and sort='segment' need start_time and end_time: pass them, or choose cpwer or orcwer"


def native_words(parts: Sequence[Part]) -> _native.MeetingWords:
    words = [word for part in parts for word in part.words]
    begins = [time for part in parts for time in part.begins]
    ends = [time for part in parts for time in part.ends]
    lengths = np.array([len(part.words) for part in parts], dtype=np.int64)
    return _native.MeetingWords(
        np.array(words, dtype=np.uint32),
        np.cumsum(lengths, dtype=np.int64),
        np.array(begins, dtype=np.float64),
        np.array(ends, dtype=np.float64),
    )
