from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any, BinaryIO

from refscore.errors import Argument, InputError, Location, look_up
from refscore.readers.json_lines import JSONLinesReader, JSONReader
from refscore.readers.m2 import M2Reader
from refscore.readers.nist import CTMReader, STMReader, TRNReader
from refscore.readers.pages import PageFolder, PageReader, is_page
from refscore.readers.parquet import ParquetReader
from refscore.readers.reader import CSVReader, Reader, TextReader, TSVReader
from refscore.readers.source import ENDINGS, Source
from refscore.readers.subtitles import SRTReader, SubtitleReader, VTTReader
from refscore.readers.wmt import SGMLReader, XMLReader

FORMATS: dict[str, type[Reader]] = {
    "text": TextReader,
    "tsv": TSVReader,
    "csv": CSVReader,
    "jsonl": JSONLinesReader,
    "json": JSONReader,
    "parquet": ParquetReader,
    "xml": XMLReader,
    "sgml": SGMLReader,
    "m2": M2Reader,
    "srt": SRTReader,
    "vtt": VTTReader,
    "trn": TRNReader,
    "stm": STMReader,
    "ctm": CTMReader,
    "page": PageReader,
    "alto": PageReader,
}
# File endings that differ from the name of their format.
_OTHER_ENDINGS = {"ndjson": "jsonl", "sgm": "sgml"}
# The ending of files with turns of speakers without words.
_TURNS = ".rttm"
_AS_TEXT = Argument("format", "text")


def open_segments(
    spec: str | Path,
    *,
    format: str | Mapping[str, str] | None = None,
    stdin: BinaryIO | None = None,
    labels: bool = False,
    may_be_empty: bool = False,
    segments: str | Path | None = None,
    timed: bool = False,
) -> Reader:
    r"""Open an input: a file, one of its fields, or standard input.

    Args:
        spec: `path`, `path:field`, `-` (standard input) or `-:field`. If a file with exactly that name exists, it is
            used. Otherwise the field begins after the last colon that follows a file's name. A `Path` is never
            split.
        format: A name in `FORMATS`, such as "tsv". By default, the ending of the file's name (before a compression's)
            decides. An unknown ending means text, and a field of standard input JSON lines. A dictionary has the
            formats of paths (`-` for standard input), and under "" the format of all others.
        stdin: The stream to read as standard input, by default the process's.
        labels: Also accept whole numbers and return them as strings, for fields that name documents.
        may_be_empty: Accept an input without segments.
        segments: The STM file with the segments of a CTM file's words.
        timed: Read the field `timed` of subtitles, unless a field is chosen.

    Returns:
        The reader. Its file is open and its first block has been read.

    Example:
        >>> import tempfile, pathlib
        >>> from refscore.readers import open_segments
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "refs.jsonl")
        ...     _ = file.write_text('{"ref": ["a cat", "the cat"]}\n{"ref": "a dog"}\n')
        ...     with open_segments(f"{file}:ref") as reader:
        ...         list(reader)
        [[['a cat', 'the cat'], 'a dog']]
    """
    is_guessed = format is None
    path, field, format = parse_spec(spec, format)
    reader_class = FORMATS[format]
    is_folder = path is not None and os.path.isdir(path)
    if is_folder and is_guessed:
        reader_class = PageReader
    if timed and field is None and issubclass(reader_class, SubtitleReader):
        field = "timed"
    if field is not None and not reader_class.takes_field:
        others = ", ".join(name for name, other in FORMATS.items() if other.takes_field)
        problem = "is read as plain text, which has no fields"
        fix = f"set its format ({others}) with ", Argument("format")
        raise InputError(Location(file=str(spec)), problem, fix)
    if is_guessed and PurePath(path or "").suffix.lower() == _TURNS:
        fix = "score it with refscore meeting, or, if it has one segment per line, set its format: ", _AS_TEXT
        raise InputError(Location(file=str(spec)), "has the turns of a meeting instead of segments", fix)
    source = PageFolder(str(path)) if is_folder and reader_class is PageReader else Source(path, stdin)
    try:
        if is_guessed and format == "xml" and not is_folder and is_page(source):
            reader_class = PageReader
        options: dict[str, Any] = {"segments": segments} if reader_class is CTMReader else {}
        return reader_class(source, field, labels=labels, may_be_empty=may_be_empty, **options)
    except BaseException:
        source.close()
        raise


def parse_spec(
    spec: str | Path, format: str | Mapping[str, str] | None = None
) -> tuple[str | Path | None, str | None, str]:
    """Return the path (None for standard input), the field, and the format's name."""
    path, field = split_spec(spec)
    return path, field, choose_format(path, field, format)


def choose_format(path: str | Path | None, field: str | None, format: str | Mapping[str, str] | None) -> str:
    """Return the format's name for a path (None for standard input). Takes the same `format` as `open_segments`."""
    if isinstance(format, Mapping):
        format = format.get("-" if path is None else str(path), format.get(""))
    if format is None:
        return format_by_name(path) if path is not None else "text" if field is None else "jsonl"
    look_up("format", format, FORMATS)
    return format


def split_spec(spec: str | Path) -> tuple[str | Path | None, str | None]:
    """Return the path (None for standard input) and the field."""
    if isinstance(spec, PurePath):
        return spec, None
    if spec == "-":
        return None, None
    if os.path.exists(spec):
        return spec, None
    path, colon, field = spec.rpartition(":")
    while colon and path != "-" and not os.path.exists(path):
        path, colon, _ = path.rpartition(":")
        field = spec[len(path) + 1 :]
    if not colon:
        return spec, None  # opening it will raise the error for a missing file
    if not field:
        raise InputError(Location(file=spec), "ends in a colon", "add the name of a field, or remove the colon")
    return None if path == "-" else path, field


def format_by_name(path: str | Path) -> str:
    name = PurePath(path).name.lower()
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    ending = PurePath(name).suffix.removeprefix(".")
    format = _OTHER_ENDINGS.get(ending, ending)
    return format if format in FORMATS else "text"
