from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refscore.errors import InputError, Location
from refscore.readers.json_lines import json_error, located_values
from refscore.readers.reader import unknown_field
from refscore.readers.source import Source
from refscore.text_display import counted

_MISSING = ("", "na", "n/a", "nan", "none", "null")


@dataclass(frozen=True)
class Record:
    location: Location
    fields: Mapping[str, Any]

    def number(self, field: str) -> float:
        place = Location(file=self.location.file, line=self.location.line, field=self.field_name(field))
        return parse_number(self.fields.get(field), place)

    def field_name(self, field: str) -> str:
        return field if self.location.field is None else f"{field} of {self.location.field}"


# The records of each system by its name in the file; under None if the file does not separate systems.
Records = Mapping[str | None, Sequence[Record]]


def parse_number(value: Any, location: Location) -> float:
    """Return a number from a file; NaN if it is missing.

    >>> parse_number("0.5", Location()), parse_number("NA", Location()), parse_number(None, Location())
    (0.5, nan, nan)
    """
    if value is None or (isinstance(value, str) and value.strip().lower() in _MISSING):
        return math.nan
    try:
        if not isinstance(value, (str, int, float)) or isinstance(value, bool) or "_" in str(value):
            raise ValueError(value)  # Python would read 1_000 as a number
        number = float(value)
    except (ValueError, OverflowError):
        raise InputError(location, f"is {_short(value)}, not a number", "write one score per segment") from None
    if math.isinf(number):
        raise InputError(location, f"is {value}", "scores must be finite")
    return number


def numbers(records: Sequence[Record], field: str) -> list[float]:
    return [record.number(field) for record in records]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def read_records(path: str | Path, file_format: str) -> Records:
    """Return the records of a file. A plain text file has records with the field "score"."""
    if file_format not in _READERS:
        fix = f"convert the scores to {', '.join(list(_READERS)[:-1])} or json"
        raise InputError(Location(file=str(path)), f"has the format {file_format}, which cannot hold scores", fix)
    with Source(path) as source:
        records = _READERS[file_format](source)
    if not any(records.values()):
        raise InputError(Location(file=str(path)), "is empty", "it must have one score per segment")
    return records


def _read_lines(source: Source) -> Records:
    name = source.name
    return {None: [Record(Location(file=name, line=n), {"score": line}) for n, line in source.numbered_lines()]}


def _read_table(source: Source) -> Records:
    return _table(source, ((number, line.split("\t")) for number, line in source.numbered_lines()))


def _read_csv(source: Source) -> Records:
    return _table(source, _csv_rows(source))


def _table(source: Source, rows: Iterator[tuple[int, list[str]]]) -> Records:
    header = next(rows, (0, list[str]()))[1]
    for name in header:
        if header.count(name) > 1:
            raise InputError(source.location(1), f"has two columns {name!r}", "rename one of them")
    records = []
    for line, cells in rows:
        if len(cells) != len(header):
            problem = f"has {counted(len(cells), 'column')}, but the first line has {len(header)}"
            raise InputError(source.location(line), problem)
        records.append(Record(Location(file=source.name, line=line), dict(zip(header, cells, strict=True))))
    return {None: records}


def _csv_rows(source: Source) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(source.read_text(), newline=""), strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, cells or [""]
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(source.location(reader.line_num), f"is not CSV: {error}") from None


def _read_objects(source: Source) -> Records:
    return {None: [_record(location, item) for location, item in located_values(source.name, source.numbered_lines())]}


def _record(location: Location, item: Any) -> Record:
    if isinstance(item, dict):
        return Record(location, item)
    if isinstance(item, (int, float, type(None))):
        return Record(location, {"score": item})
    raise InputError(location, "is neither an object nor a number", "write one object or one number per segment")


def _read_json(source: Source) -> Records:
    """Read an array, JSON lines, or an object with a list of segments for each system."""
    text = source.read_text()
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        if getattr(error, "msg", "") != "Extra data":
            raise json_error(source, error) from None
        lines = enumerate(text.removesuffix("\n").split("\n"), 1)
        values = located_values(source.name, lines)
        return {None: [_record(location, item) for location, item in values]}
    if isinstance(content, list):
        return {None: _items(source, content, "")}
    if isinstance(content, dict) and all(isinstance(value, list) for value in content.values()):
        return {name: _items(source, items, f" of {name}") for name, items in content.items()}
    fix = "write an array, or an object with a list of segments for each system, as comet-score --to_json does"
    raise InputError(source.location(), "has no list of segments", fix)


def _items(source: Source, items: Sequence[Any], of_system: str) -> list[Record]:
    return [
        _record(Location(file=source.name, field=f"item {index}{of_system}"), item)
        for index, item in enumerate(items, 1)
    ]


_READERS: Mapping[str, Callable[[Source], Records]] = {
    "text": _read_lines,
    "tsv": _read_table,
    "csv": _read_csv,
    "jsonl": _read_objects,
    "json": _read_json,
}


def score_field(records: Sequence[Record], field: str | None, names: Sequence[str], spec: str) -> str:
    """Return the name of the field with the scores.

    It is the given field, or else the first of `names` that exists in any case, or the only field with numbers.
    """
    known = list(records[0].fields)
    if field is not None:
        if field not in known:
            raise unknown_field(records[0].location, field, known)
        return field
    for name in names:
        for other in known:
            if other.lower() == name.lower():
                return other
    numeric = [name for name in known if _has_numbers(records, name)]
    # In JSON, a text may look like a number. A field with real numbers is then the score.
    without_texts = [name for name in numeric if not any(isinstance(each.fields.get(name), str) for each in records)]
    numeric = without_texts or numeric
    if len(numeric) == 1:
        return numeric[0]
    problem = "has several fields with numbers" if numeric else "has no field with numbers"
    listed = ", ".join(numeric or known)
    raise InputError(records[0].location, problem, f"name the scores, as in {spec}:FIELD (there are: {listed})")


def _has_numbers(records: Sequence[Record], field: str) -> bool:
    try:
        return not all(map(math.isnan, numbers(records, field)))
    except InputError:
        return False
