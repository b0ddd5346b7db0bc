"""Read subtitles: SRT and WebVTT files."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence

from refscore.errors import Argument, InputError, Location
from refscore.readers.reader import Reader, Value, unknown_field
from refscore.tokenizers.subtitles import Microseconds, read_times, remove_tags, write_time

_BLOCK = 4096
_FIELDS = ("text", "lines", "breaks", "timed", "film")
_MARKS = str.maketrans("", "", "\u200e\u200f")  # of the direction of writing, which WebVTT writes as &lrm; and &rlm;
_SKIPPED = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")
_HEADER = re.compile(r"WEBVTT(?:\s|$)")
_TIME_FIX = "write times as 00:00:01,000 --> 00:00:02,500"

# The number of its line with times, its start and end, and its lines of text.
Cue = tuple[int, tuple[Microseconds, Microseconds], list[str]]


class SubtitleReader(Reader):
    """Read the cues of subtitles.

    The field `lines` has a word `eol` between the lines of a cue, `breaks` also `eob` at its end, and `timed` the cue
    with its times and lines. The field `film` has all cues with their times as one value.

    Attributes:
        times: The start and end of each cue so far, in microseconds.
    """

    unit = "cue"
    needs_header = False

    def _blocks(self) -> Iterator[list[Value]]:
        if self.field is not None and self.field not in _FIELDS:
            raise unknown_field(self._source.location(), self.field, _FIELDS)
        self.times: list[tuple[Microseconds, Microseconds]] = []
        self._lines: list[int] = []
        values: list[Value] = []
        for number, times, lines in self._cues():
            if self.times and times[0] < self.times[-1][0]:
                problem = f"begins before the cue at line {self._lines[-1]}"
                raise InputError(self._source.location(number), problem, "sort the cues by their start")
            self.times.append(times)
            self._lines.append(number)
            values.append(self._value(times, lines))
            if len(values) == _BLOCK and self.field != "film":
                yield values
                values = []
        if values:
            yield ["\n\n".join(map(str, values))] if self.field == "film" else values

    def _value(self, times: tuple[Microseconds, Microseconds], lines: Sequence[str]) -> str:
        if self.field in ("timed", "film"):
            return "\n".join([" --> ".join(map(write_time, times)), *lines])
        text = " eol ".join(lines) if self.field in ("lines", "breaks") else " ".join(lines)
        return f"{text} eob" if self.field == "breaks" and text else text

    def _cues(self) -> Iterator[Cue]:
        is_vtt = self.needs_header
        is_first = True
        for lines in self._paragraphs():
            number, line = lines[0]
            if is_first and _HEADER.match(line):
                is_vtt = True
            elif is_first and is_vtt:
                fix = 'add the line "WEBVTT", or set its format with ', Argument("format", "srt")
                raise InputError(self._source.location(number), "does not begin with WEBVTT", fix)
            elif is_vtt and _SKIPPED.match(line):
                pass
            elif is_vtt or len(lines) > 1 or not line.isdecimal():
                yield from self._cues_of(lines, is_vtt=is_vtt)
            is_first = False
        if not is_first and not self._lines and not is_vtt:
            raise self._not_a_time(number, line)

    def _paragraphs(self) -> Iterator[list[tuple[int, str]]]:
        """Yield lines without empty lines between them, and their numbers."""
        lines: list[tuple[int, str]] = []
        for number, line in self._source.numbered_lines():
            if stripped := line.strip():
                lines.append((number, stripped))
            elif lines:
                yield lines
                lines = []
        if lines:
            yield lines

    def _cues_of(self, lines: Sequence[tuple[int, str]], *, is_vtt: bool) -> Iterator[Cue]:
        """Yield the cues of a paragraph, which are usually one."""
        times = {at: times for at, (number, line) in enumerate(lines) if (times := self._times(number, line))}
        first = min(times, default=None)
        if first is None or first > 1 or (first == 1 and not (is_vtt or lines[0][1].isdecimal())):
            number, line = lines[0]
            if is_vtt or line.isdecimal():
                raise self._not_a_time(*lines[min(1, len(lines) - 1)])
            problem = "is neither a number nor the time of a cue"
            fix = f"remove the empty line before it if it is text of a cue; otherwise {_TIME_FIX}"
            raise InputError(self._source.location(number), problem, fix)
        for at, end in zip(times, [*[*times][1:], len(lines) + 1], strict=True):
            text = lines[at + 1 : end]
            if end < len(lines) and text and text[-1][1].isdecimal():  # the number of the next cue
                text = text[:-1]
            cleaned = (self._text(line, is_vtt=is_vtt) for _, line in text)
            yield lines[at][0], times[at], [line for line in cleaned if line]

    def _not_a_time(self, number: int, line: str) -> InputError:
        return InputError(self._source.location(number), f"is not the time of a cue: {line[:40]!r}", _TIME_FIX)

    def _times(self, number: int, line: str) -> tuple[Microseconds, Microseconds] | None:
        """Return the times of a line, or None if it is text with an arrow."""
        times = read_times(line)
        if times is None:
            if re.match(r"\s*[\d:.,]+\s*-+>", line):
                raise self._not_a_time(number, line)
            return None
        start, end = times
        if end < start:
            problem = f"ends at {write_time(end)}, before its start at {write_time(start)}"
            raise InputError(self._source.location(number), problem, "swap the times, or remove the cue")
        return start, end

    @staticmethod
    def _text(line: str, *, is_vtt: bool) -> str:
        line = remove_tags(line)
        if is_vtt and "&" in line:
            line = html.unescape(line).translate(_MARKS)
        return " ".join(line.split())

    def location(self, index: int) -> Location:
        return Location(file=self.file, line=self._lines[index] if index < len(self._lines) else None, field=self.field)


class SRTReader(SubtitleReader):
    pass


class VTTReader(SubtitleReader):
    needs_header = True
