"""Read NIST's transcripts (TRN), segments (STM) and time-marked words (CTM), as sclite does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from refscore.errors import InputError, Location
from refscore.readers.reader import Reader, Value, unknown_field
from refscore.readers.source import Source

_BLOCK = 4096
_COMMENT = ";;"
_IGNORED = ("IGNORE_TIME_SEGMENT_IN_SCORING", "IGNORETIMESEGMENTINSCORING")


class Entry(NamedTuple):
    value: str
    line: int
    key: str
    file: str = ""


class _ListReader(Reader):
    """A reader that reads its whole file first."""

    fields: tuple[str, ...]

    def _blocks(self) -> Iterator[list[Value]]:
        if self.field is not None and self.field not in self.fields:
            raise unknown_field(self._source.location(), self.field, self.fields)
        self._entries = self._read()
        return self._listed()

    def _read(self) -> list[Entry]:
        raise NotImplementedError

    def _listed(self) -> Iterator[list[Value]]:
        for begin in range(0, len(self._entries), _BLOCK):
            yield [entry.value for entry in self._entries[begin : begin + _BLOCK]]

    def location(self, index: int) -> Location:
        entry = self._entries[index]
        return Location(file=entry.file or self.file, line=entry.line, field=self.field)


class NamedReader(_ListReader):
    """A reader whose segments have names, by which files are matched."""

    @property
    def names(self) -> list[str]:
        """The names of the segments in the order of the values."""
        return [entry.key for entry in self._entries]

    def reorder(self, other: NamedReader) -> None:
        """Return the values in the order of another file, which must have the same names."""
        own = {entry.key: entry for entry in self._entries}
        theirs = {*other.names}
        for reader, names, entries in ((other, own, other._entries), (self, theirs, self._entries)):
            lacking = next((entry for entry in entries if entry.key not in names), None)
            if lacking is not None:
                lacks = self if reader is other else other
                problem = f"has the {self.unit} {lacking.key!r}, which {lacks.file} lacks"
                raise InputError(
                    Location(file=lacking.file or reader.file, line=lacking.line),
                    problem,
                    f"both need the same {self.unit}s",
                )
        self._entries = [own[name] for name in other.names]
        self._unread_blocks = self._listed()
        self._first_block = next(self._unread_blocks, None)


class TRNReader(NamedReader):
    """Read the words before the name of the utterance, which is in brackets, or with a field the name or the speaker.

    `SegmentFiles` matches files with names by them, without regard to case.
    """

    unit = "utterance"
    fields = ("id", "speaker")

    def _read(self) -> list[Entry]:
        entries: dict[str, Entry] = {}
        for number, line in _lines(self._source):
            location = self._source.location(number)
            end, begin = line.rfind(")"), line.rfind("(")
            if begin < 0 or end < begin:
                raise InputError(location, "has no name of an utterance", "end each line in one, as in: words (ann-1)")
            name = line[begin + 1 : end]
            key = name.lower()
            if key in entries:
                problem = f"has the utterance {name!r} again, after line {entries[key].line}"
                raise InputError(location, problem, "give each utterance a name of its own")
            value = {None: line[:begin].strip(), "id": name, "speaker": _speaker(name)}[self.field]
            entries[key] = Entry(value, number, key)
        return [*entries.values()]


def _speaker(name: str) -> str:
    """Return the part of an utterance's name before the first hyphen or, without one, the first underscore."""
    for separator in "-_":
        if separator in name:
            return name.partition(separator)[0]
    return name


class Segment(NamedTuple):
    """A line of an STM file."""

    line: int
    file: str
    channel: str
    speaker: str
    start: float
    end: float
    label: str
    text: str

    @property
    def is_ignored(self) -> bool:
        return any(mark in self.text for mark in _IGNORED)


def read_segments(source: Source) -> list[Segment]:
    segments = []
    for number, line in _lines(source):
        location, fields = source.location(number), line.split(maxsplit=5)
        if len(fields) < 5:
            fix = "STM needs a file, channel, speaker, start, end and words"
            raise InputError(location, f"has {len(fields)} fields", fix)
        start, end = (_time(text, location) for text in fields[3:5])
        text = fields[5] if len(fields) > 5 else ""
        label = ""
        if text.startswith("<"):
            label, _, text = text.partition(" ")
        file, channel, speaker = fields[:3]
        segments.append(Segment(number, file, channel, speaker, start, end, label.strip("<>"), text.strip()))
    return segments


class STMReader(_ListReader):
    """Read the words of segments that are scored, or with a field their file, channel, speaker or label."""

    unit = "segment"
    fields = ("file", "channel", "speaker", "label")

    def _read(self) -> list[Entry]:
        shown = (segment for segment in read_segments(self._source) if not segment.is_ignored)
        name = self.field or "text"
        return [Entry(getattr(segment, name), segment.line, "") for segment in shown]


class CTMReader(_ListReader):
    """Read the words of each segment of an STM file: those whose middle is before the segment's end.

    Words before the first segment belong to it, words between segments to the next one, and words after the last to
    the last.

    Args:
        source: The words.
        field: Must be None.
        segments: The name of the STM file.
        **options: The options of `Reader`.
    """

    unit = "segment"
    fields = ()

    def __init__(self, source: Source, field: str | None, *, segments: str | Path | None, **options: bool) -> None:
        if segments is None:
            problem = "has words with times, which need the segments of an STM file"
            raise InputError(source.location(), problem, "name the STM file of references")
        self._segments = segments
        super().__init__(source, field, **options)

    def _read(self) -> list[Entry]:
        with Source(self._segments) as source:
            segments = read_segments(source)
        by_channel: dict[tuple[str, str], list[Segment]] = {}
        for segment in segments:
            listed = by_channel.setdefault((segment.file.lower(), segment.channel.lower()), [])
            if listed and segment.start < listed[-1].start:
                fix = "sort the file: sort -k1,1 -k2,2 -k4,4n"
                raise InputError(Location(file=str(self._segments), line=segment.line), "is not sorted by time", fix)
            listed.append(segment)
        words: dict[tuple[str, str], list[tuple[float, float, str, int]]] = {channel: [] for channel in by_channel}
        for number, line in _lines(self._source):
            location, fields = self._source.location(number), line.split()
            if len(fields) not in (5, 6):
                fix = "CTM needs a file, channel, start, duration and word"
                raise InputError(location, f"has {len(fields)} fields", fix)
            if fields[4].upper().startswith("<ALT"):
                raise InputError(location, "has an alternative", "hypotheses cannot have alternatives: choose one")
            start, duration = (_time(text, location) for text in fields[2:4])
            channel = fields[0].lower(), fields[1].lower()
            if channel not in words:
                problem = f"has a word of {fields[0]}, channel {fields[1]}, of which {self._segments} has no segment"
                raise InputError(location, problem, "name the STM file of the same recordings")
            words[channel].append((start, start + duration / 2, fields[4], number))
        texts: dict[int, Entry] = {}
        for channel, listed in by_channel.items():
            timed = sorted(words[channel], key=lambda word: word[0])
            begin = 0
            for segment in listed:
                end = begin
                while end < len(timed) and (segment is listed[-1] or timed[end][1] < segment.end):
                    end += 1
                place = timed[begin][3] if end > begin else timed[begin - 1][3] if timed else 1
                texts[segment.line] = Entry(" ".join(word for _, _, word, _ in timed[begin:end]), place, "")
                begin = end
        return [texts[segment.line] for segment in segments if not segment.is_ignored]


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    for number, line in source.numbered_lines():
        stripped = line.strip()
        if stripped and not stripped.startswith(_COMMENT):
            yield number, stripped


def _time(text: str, location: Location) -> float:
    try:
        time = float(text)
    except ValueError:
        time = -1.0
    if not 0 <= time < float("inf"):
        raise InputError(location, f"has {text!r} where a time is expected", "write a number of seconds")
    return time
