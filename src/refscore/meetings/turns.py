from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from refscore.errors import InputError, Location
from refscore.meetings.utterances import Utterance, Utterances, parse_side


def assign_speakers(utterances: Utterances, turns: Utterances) -> list[Utterance]:
    """Return utterances with speakers from a diarization, such as an RTTM file.

    Each utterance gets the speaker whose turn overlaps most, the first if turns are equal. Without an overlap, it is
    the nearest turn. An utterance is not split, so pass one word per utterance, as CTM files have, if turns change
    within utterances.

    Args:
        utterances: Utterances with times, or their file.
        turns: The speaker turns, as `read_turns` returns them. Every session needs one.

    Example:
        >>> from refscore.meetings import Utterance, assign_speakers
        >>> words = [Utterance("s", "asr", "yes", 0.0, 0.4), Utterance("s", "asr", "no", 0.5, 0.9)]
        >>> turns = [Utterance("s", "Ann", "", 0.0, 0.6), Utterance("s", "Bob", "", 0.6, 2.0)]
        >>> [utterance.speaker for utterance in assign_speakers(words, turns)]
        ['Ann', 'Bob']
    """
    side, turn_side = parse_side("utterances", utterances), parse_side("turns", turns)
    sessions: dict[str, list[Utterance]] = {}
    for index, turn in enumerate(turn_side.utterances):
        if turn.start_time is None:
            raise InputError(turn_side.locate(index), "has no times", "a speaker turn needs them")
        sessions.setdefault(turn.session_id, []).append(turn)
    searches = {session: _Turns(own) for session, own in sessions.items()}
    assigned = []
    for index, utterance in enumerate(side.utterances):
        if utterance.start_time is None or utterance.end_time is None:
            raise InputError(side.locate(index), "has no times", "they decide which turn it belongs to")
        if utterance.session_id not in searches:
            raise InputError(Location("turns"), f"has no turn of the session {utterance.session_id!r}")
        found = searches[utterance.session_id].nearest(float(utterance.start_time), float(utterance.end_time))
        assigned.append(replace(utterance, speaker=found.speaker))
    return assigned


class _Turns:
    def __init__(self, turns: Sequence[Utterance]) -> None:
        self._turns = sorted(turns, key=lambda turn: float(turn.start_time or 0))
        self._times = [(float(turn.start_time or 0), float(turn.end_time or 0)) for turn in self._turns]
        self._starts = [start for start, _ in self._times]
        self._latest: list[int] = []  # by turn: which of the turns up to it ends last
        for index, (_, end) in enumerate(self._times):
            last = self._latest[-1] if self._latest else index
            self._latest.append(index if end > self._times[last][1] else last)

    def nearest(self, start: float, end: float) -> Utterance:
        """Return the turn with the largest overlap or, without one, the smallest gap."""
        following = bisect_right(self._starts, end)
        candidates = {min(following, len(self._turns) - 1)}
        index = following - 1
        while index >= 0:
            last = self._latest[index]
            candidates.add(last)
            if self._times[last][1] < start:
                break
            candidates.add(index)
            index -= 1
        return self._turns[min(candidates, key=lambda index: (-self._overlap(index, start, end), index))]

    def _overlap(self, index: int, start: float, end: float) -> float:
        """Return how long they overlap. A gap is negative."""
        first, last = self._times[index]
        return min(end, last) - max(start, first)
