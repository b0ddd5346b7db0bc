from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path, PurePath
from typing import Any

from refscore.errors import InputError, Location, look_up
from refscore.meetings.utterances import Side, Utterance, parse_times, parse_utterance
from refscore.readers.json_lines import located_values, read_array
from refscore.readers.source import ENDINGS, Source

Located = tuple[Utterance, Location]

STANDARD_INPUT = "-"


def _lines(source: Source, comment: str) -> Iterator[tuple[int, str]]:
    for number, line in source.numbered_lines():
        stripped = line.strip()
        if stripped and not stripped.startswith(comment):
            yield number, stripped


def _times(start: str, end: str, location: Location) -> tuple[Any, Any]:
    numbers = []
    for text in (start, end):
        try:
            numbers.append(Decimal(text))
        except InvalidOperation:
            raise InputError(location, f"has {text!r} where a time is expected") from None
    return numbers[0], numbers[1]


def _read_stm(source: Source, stem: str) -> Iterator[Located]:
    """Read session, channel, speaker, start, end and words from each line. Ignore the channel."""
    for number, line in _lines(source, ";"):
        location, fields = source.location(number), line.split(maxsplit=5)
        if len(fields) < 5:
            fix = "STM needs session, channel, speaker, start, end and words"
            raise InputError(location, f"has {len(fields)} fields", fix)
        start, end = parse_times(*_times(fields[3], fields[4], location), location)
        yield Utterance(fields[0], fields[2], fields[5] if len(fields) > 5 else "", start, end), location


def _read_ctm(source: Source, stem: str) -> Iterator[Located]:
    """Read session, channel, start, duration, word and maybe a confidence. The file is the speaker."""
    for number, line in _lines(source, ";;"):
        location, fields = source.location(number), line.split()
        if len(fields) not in (5, 6):
            fix = "CTM needs session, channel, start, duration and word"
            raise InputError(location, f"has {len(fields)} fields", fix)
        start, duration = _times(fields[2], fields[3], location)
        yield Utterance(fields[0], stem, fields[4], *_after(start, duration, location)), location


def _read_rttm(source: Source, stem: str) -> Iterator[Located]:
    """Read type, session, channel, start, duration, text, kind and speaker. Ignore other types."""
    for number, line in _lines(source, ";"):
        location, fields = source.location(number), line.split()
        if fields[0] != "SPEAKER":
            continue
        if len(fields) < 8:
            fix = "RTTM needs at least 8 fields, and the eighth is the speaker"
            raise InputError(location, f"has {len(fields)} fields", fix)
        start, duration = _times(fields[3], fields[4], location)
        yield Utterance(fields[1], fields[7], "", *_after(start, duration, location)), location


def _after(start: Decimal, duration: Decimal, location: Location) -> tuple[Any, Any]:
    start, duration = parse_times(start, start, location)[0], parse_times(duration, duration, location)[0]  # type: ignore[assignment]
    if duration < 0:
        raise InputError(location, f"has a negative duration ({duration})")
    return start, start + duration


def _read_json(source: Source, stem: str) -> Iterator[Located]:
    """Read objects with session_id, speaker, words, start_time and end_time: an array as in SegLST, or JSON lines."""
    options = {"parse_float": Decimal, "parse_int": _whole_number}
    items = read_array(source, **options)
    located: Iterable[tuple[Location, Any]]
    if items is None:
        located = located_values(source.name, _lines(source, "//"), **options)
    else:
        name = source.name
        located = ((Location(file=name, field=f"segment {number}"), item) for number, item in enumerate(items, 1))
    for location, segment in located:
        yield _from_json(segment, location), location


def _whole_number(digits: str) -> int | str:
    # Python refuses to convert very long integers. As text, they become decimal numbers.
    return int(digits) if len(digits) < 100 else digits


def _from_json(segment: Any, location: Location) -> Utterance:
    if not isinstance(segment, Mapping):
        raise InputError(location, f"is of type {type(segment).__name__}", "pass an object with session_id and words")
    times = {name: segment.get(name) for name in ("start_time", "end_time")}
    # Whole numbers must be decimal too, because their sums with collars and their quotients are.
    decimal = {name: Decimal(time) if type(time) is int else time for name, time in times.items()}
    return parse_utterance({**segment, **decimal}, location)


FORMATS: Mapping[str, Callable[[Source, str], Iterator[Located]]] = {
    "stm": _read_stm,
    "ctm": _read_ctm,
    "seglst": _read_json,
    "jsonl": _read_json,
    "rttm": _read_rttm,
}
_BY_ENDING = {
    ".stm": "stm",
    ".ctm": "ctm",
    ".json": "seglst",
    ".seglst": "seglst",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".rttm": "rttm",
}


def read_side(
    name: str, paths: Sequence[str | Path], file_format: str | None = None, *, needs_words: bool = True
) -> Side:
    """Return all utterances in the files. RTTM files are refused if utterances need words."""
    located: list[Located] = []
    for path in paths:
        if needs_words and _format_of(path, file_format) == "rttm":
            fix = "choose der or jer, or pass a file with words and --turns for its speakers"
            raise InputError(Location(file=str(path)), "has speaker turns without words", fix)
        located += _read(path, file_format)
    return Side(name, [utterance for utterance, _ in located], [location for _, location in located].__getitem__)


def read_utterances(*paths: str | Path, format: str | None = None) -> list[Utterance]:
    r"""Return the utterances of one or more files.

    The format follows from the ending: `.stm`, `.ctm`, `.json` or `.seglst` (SegLST: a JSON array of objects) or
    `.jsonl` (one such object per line). Compressed files are decompressed, and `-` is standard input. A CTM file has
    the words of one speaker, and its name without the ending is the speaker. Times are decimal numbers, as they are
    written in the file.

    Args:
        *paths: The files.
        format: The format of all files: "stm", "ctm", "seglst" or "jsonl".

    Example:
        >>> import tempfile, pathlib
        >>> from refscore import meetings
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "reference.stm")
        ...     _ = file.write_text("monday 1 Ann 0.5 1.5 good morning\n")
        ...     meetings.read_utterances(file)[0].words
        'good morning'
    """
    return [*read_side("utterances", paths, format).utterances]


def read_turns(*paths: str | Path, format: str | None = None) -> list[Utterance]:
    r"""Return the speaker turns of RTTM files: utterances with speakers and times, but without words.

    Other formats are allowed too. Their words are ignored.

    Args:
        *paths: The files.
        format: The format of all files: "rttm", or one of `read_utterances`.

    Example:
        >>> import tempfile, pathlib
        >>> from refscore import meetings
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "turns.rttm")
        ...     _ = file.write_text("SPEAKER monday 1 0.5 1.0 <NA> <NA> Ann <NA> <NA>\n")
        ...     turn = meetings.read_turns(file)[0]
        >>> turn.speaker, str(turn.end_time)
        ('Ann', '1.5')
    """
    turns = []
    for path in paths:
        for turn, location in _read(path, format):
            if turn.start_time is None:
                raise InputError(location, "has no times", "a speaker turn needs them")
            turns.append(Utterance(turn.session_id, turn.speaker, "", turn.start_time, turn.end_time))
    return turns


def _read(path: str | Path, file_format: str | None) -> list[Located]:
    read = look_up("format", _format_of(path, file_format), FORMATS)
    with Source(None if str(path) == STANDARD_INPUT else path) as source:
        return [*read(source, _plain_name(path).stem)]


def _plain_name(path: str | Path) -> PurePath:
    name = PurePath(path)
    return name.with_suffix("") if name.suffix.lower() in ENDINGS else name


def _format_of(path: str | Path, file_format: str | None) -> str:
    if file_format is not None:
        return file_format
    found = _BY_ENDING.get(_plain_name(path).suffix.lower())
    if found is None:
        endings = ", ".join(_BY_ENDING)
        raise InputError(Location(file=str(path)), "has an unknown format", f"name a file in {endings}, or the format")
    return found
