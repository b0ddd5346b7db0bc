"""Latencies of an instance: how long after its source a simultaneous translation appears."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from math import fsum, inf

Time = float  # milliseconds of speech, or words of a text


@dataclass(frozen=True)
class Instance:
    """A segment of a log.

    Attributes:
        times: When each word of the hypothesis appeared, at least one.
        delays: How much of the source had been read when each word appeared. For computation-unaware latency, `times`.
        source_length: The length of the source.
        reference_length: The number of words in the reference.
        recording_end: When the recording ends, relative to the source.
    """

    times: Sequence[Time]
    delays: Sequence[Time]
    source_length: Time
    reference_length: int
    recording_end: Time = inf


def average_lagging(instance: Instance, length: int | None = None) -> float:
    """Return AL, or LAAL if the length is that of the longer text."""
    times, source = instance.times, instance.source_length
    if times[0] > source:
        return times[0]
    step = (instance.reference_length if length is None else length) / source
    end = next((index for index, time in enumerate(times, 1) if time >= source), len(times))
    return fsum(time - index / step for index, time in enumerate(times[:end])) / end


def length_adaptive_lagging(instance: Instance) -> float:
    """Return LAAL."""
    return average_lagging(instance, max(len(instance.times), instance.reference_length))


def average_proportion(instance: Instance) -> float:
    """Return AP."""
    return fsum(instance.times) / (instance.source_length * instance.reference_length)


def differentiable_lagging(instance: Instance) -> float:
    """Return DAL."""
    step = len(instance.times) / instance.source_length
    last = -inf
    lags = []
    for index, time in enumerate(instance.times):
        last = max(time, last + 1 / step) if index else time
        lags.append(last - index / step)
    return fsum(lags) / len(lags)


def yet_another_lagging(instance: Instance, *, is_long: bool) -> float | None:
    """Return YAAL, or None if no word appears before the end."""
    end = instance.recording_end if is_long else min(instance.source_length, instance.recording_end)
    before = next((index for index, time in enumerate(instance.times) if time >= end), len(instance.times))
    if not before:
        return None
    step = max(len(instance.times), instance.reference_length) / instance.source_length
    return fsum(time - index / step for index, time in enumerate(instance.times[:before])) / before


class _SourceTokens:
    """The end of each token of the source. Chunks of speech have tokens of 300 ms and a rest."""

    def __init__(self, delays: Sequence[Time], size: Time) -> None:
        self._size = size
        self._starts: list[Time] = []
        self._full: list[int] = []
        self.ends = [0]  # tokens up to the end of each chunk
        self._last: Time = 0
        known = [*dict.fromkeys(delays)]
        for before, delay in zip([0, *known], known, strict=False):
            full, rest = divmod(delay - before, size)
            full = max(int(full), 0)
            self._starts.append(self._last)
            self._full.append(full)
            self._last += full * size + rest
            self.ends.append(self.ends[-1] + full + (rest != 0))

    def end_of(self, token: int) -> Time:
        """Return the end of a token, from 1 on."""
        chunk = bisect_left(self.ends, token) - 1
        within = token - self.ends[chunk]
        if within <= self._full[chunk]:
            return self._starts[chunk] + within * self._size
        return self._starts[chunk + 1] if chunk + 1 < len(self._starts) else self._last


def average_token_delay(instance: Instance, *, is_text: bool) -> float:
    """Return ATD. Words of the source take 300 ms of speech and words of the hypothesis none, or both take 1."""
    delays = instance.delays
    source = _SourceTokens(delays, 1 if is_text else 300)
    sizes = [len([*group]) for _, group in groupby(delays)]
    targets = [0, *accumulate(sizes)]
    chunks = [chunk for chunk, size in enumerate(sizes) for _ in range(size)]
    # SimulEval writes zeros if it has not measured the time.
    computing = (
        [time - delay for time, delay in zip(instance.times, delays, strict=True)] if any(instance.times) else []
    )
    last: Time = 0
    lags = []
    for index, (chunk, delay) in enumerate(zip(chunks, delays, strict=True)):
        spent = computing[index] - (computing[index - 1] if index else 0) if computing else 0
        last = max(delay, last) + is_text + spent
        read, reading = (source.ends[min(at, len(source.ends) - 1)] for at in (chunk, chunk + 1))
        token = index + 1 - max(0, targets[chunk] - read)
        lags.append(last - (source.end_of(min(token, reading)) if reading else 0))
    return fsum(lags) / len(lags)
