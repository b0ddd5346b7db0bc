"""Cut subtitles of several files into passages, which metrics with times score as segments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from refscore.errors import InputError, Location
from refscore.metrics import RowMetric
from refscore.readers.reader import Reader
from refscore.readers.subtitles import SubtitleReader
from refscore.tokenizers.subtitles import Microseconds


@dataclass(frozen=True)
class Timing:
    """Which metrics read the times of subtitles.

    Attributes:
        readers: The names of the metrics that read them.
        others: The names of all other metrics.
    """

    readers: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @classmethod
    def of_metrics(cls, metrics: Iterable[RowMetric[Any] | type[RowMetric[Any]]]) -> Timing:
        metrics = [*metrics]
        readers = [metric.display_name for metric in metrics if metric.needs_times]
        return cls(tuple(readers), tuple(metric.display_name for metric in metrics if not metric.needs_times))

    @property
    def is_read(self) -> bool:
        """Whether all metrics read times."""
        return bool(self.readers) and not self.others

    def check(self, subtitles: Iterable[SubtitleReader], *, is_cut: bool) -> None:
        """Raise an error if some metrics need the times and others only the text, which re-segmentation returns."""
        file = next((reader for reader in subtitles if reader.field in (None, "timed")), None)
        if file is None or not self.readers or not (self.others or is_cut):
            return
        location, problem = Location(file=file.file), f"has times of cues, which {self.readers[0]} needs and "
        if is_cut:
            fix = "score it without --resegment"
            raise InputError(location, problem + "re-segmentation removes", fix)
        raise InputError(location, problem + f"{self.others[0]} does not read", "score them separately")


class Passages:
    """The cues of several files between times when no file has a cue.

    Metrics of subtitles cut the text at these times, too, so the sums of their rows do not change.
    """

    def __init__(self, readers: Sequence[Reader]) -> None:
        self._readers: list[SubtitleReader] = []
        for reader in readers:
            if not isinstance(reader, SubtitleReader) or reader.field != "timed":
                problem = "has no times, which the other files have"
                raise InputError(Location(file=reader.name), problem, "name subtitles in SRT or WebVTT without a field")
            self._readers.append(reader)
        self._starts: list[list[int]] = []

    def columns(self) -> tuple[list[Any], ...]:
        """Return the passages of each file."""
        files: list[list[Any]] = [[*chain.from_iterable(reader)] for reader in self._readers]
        self._starts = cut_passages([reader.times for reader in self._readers])
        columns: list[list[Any]] = []
        for cues, starts in zip(files, self._starts, strict=True):
            ends = [*starts[1:], len(cues)]
            columns.append(["\n\n".join(cues[start:end]) for start, end in zip(starts, ends, strict=True)])
        return tuple(columns)

    def location(self, reader: Reader, passage: int) -> Location:
        at = next(index for index, known in enumerate(self._readers) if known is reader)
        return reader.location(self._starts[at][passage])


def cut_passages(files: Sequence[Sequence[tuple[Microseconds, Microseconds]]]) -> list[list[int]]:
    """Return each file's first cue in each passage, from the times of all cues, which are sorted by their start."""
    cuts: list[Microseconds] = []
    latest = previous = None
    for start, end in sorted(chain.from_iterable(files)):
        if latest is None or (start >= latest and start != previous):
            cuts.append(start)
        latest = end if latest is None else max(latest, end)
        previous = start
    found = []
    for spans in files:
        starts, at = [], 0
        for cut in cuts:
            while at < len(spans) and spans[at][0] < cut:
                at += 1
            starts.append(at)
        found.append(starts)
    return found
