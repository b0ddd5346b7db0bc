"""Read scores that a different program computed."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path, PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.errors import Argument, InputError, Location
from refscore.evaluation import Evaluation
from refscore.metrics import Given, Rows
from refscore.readers.formats import format_by_name, split_spec
from refscore.readers.json_lines import all_located_values, json_error
from refscore.readers.reader import CSVRows, TSVRows, unknown_field
from refscore.readers.source import Source
from refscore.text_display import counted, visible

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
    """Return a number from a file, or NaN if it is missing.

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
    """Return a file's records. Lines in plain text have the field "score"."""
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


def _read_table(source: Source, rows_type: type[TSVRows] = TSVRows) -> Records:
    rows = rows_type(source)
    numbered = enumerate(chain.from_iterable(rows))
    header = next(numbered, (0, list[str]()))[1]
    for name in header:
        if header.count(name) > 1:
            raise InputError(source.location(1), f"has two columns {name!r}", "rename one of them")
    return {
        None: [
            Record(Location(file=source.name, line=rows.line(row)), dict(zip(header, cells, strict=True)))
            for row, cells in numbered
        ]
    }


def _read_objects(source: Source) -> Records:
    values = all_located_values(source.name, source.numbered_lines())
    return {None: [_record(location, item) for location, item in values]}


def _record(location: Location, item: Any) -> Record:
    if isinstance(item, dict):
        return Record(location, item)
    if isinstance(item, (int, float, type(None))):
        return Record(location, {"score": item})
    raise InputError(location, "is neither an object nor a number", "write one object or one number per segment")


def _read_json(source: Source) -> Records:
    """Read an array, JSON lines, or an object with each system's list."""
    text = source.read_text()
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        if getattr(error, "msg", "") != "Extra data":
            raise json_error(source, error) from None
        lines = enumerate(text.removesuffix("\n").split("\n"), 1)
        values = all_located_values(source.name, lines)
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
    "csv": partial(_read_table, rows_type=CSVRows),
    "jsonl": _read_objects,
    "json": _read_json,
}


def score_field(records: Sequence[Record], field: str | None, names: Sequence[str], spec: str) -> str:
    """Return the field with the scores.

    It is the given field, or else the first name that exists in any case, or the only field with numbers.
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


# The columns of a table with one row per system and segment.
SYSTEM = "system"
# The names of the column with segment numbers, the usual one first. WMT's files of ratings have the others.
SEGMENTS = ("segment", "seg", "seg_id", "segment_id", "id")


@dataclass(frozen=True)
class System:
    """A system's name and its file. Runs share a name. `record` is its evaluation if the file is a record."""

    name: str
    file: str
    record: Evaluation | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class ScoreColumn:
    """One system's scores.

    Attributes:
        file: The file that they were read from.
        values: One score per segment, NaN for a missing one.
        locations: Where each score is in the file.
        weights: The weight of each score in the sum, by default 1. The corpus score is the sum divided by the weights.
    """

    file: str
    values: NDArray[np.float64]
    locations: Sequence[Location]
    weights: NDArray[np.float64] | None = None

    def check(self, system: str, segments: int) -> None:
        count = len(self.values)
        if count != segments:
            rest = f"of the system {system!r}, but the input has {counted(segments, 'segment')}"
            problem = f"has scores for {counted(count, 'segment')} {rest}"
            fix = "give every segment a score; an empty one is missing"
            raise InputError(Location(file=self.file), problem, fix)

    def missing(self) -> NDArray[np.bool_]:
        return np.asarray(np.isnan(self.values))


class HumanScores:
    def __init__(self, spec: str, systems: Sequence[System]) -> None:
        columns = read_system_scores(spec, systems, "human")
        self._columns = {system.name: column for system, column in zip(systems, columns, strict=True)}
        self.files = [*dict.fromkeys(column.file for column in columns)]

    def values(self, segments: int) -> dict[str, NDArray[np.float64]]:
        """Return the scores by system, NaN for a missing one. There must be one per segment."""
        for system, column in self._columns.items():
            column.check(system, segments)
        return {system: column.values for system, column in self._columns.items()}


@dataclass(frozen=True)
class GivenScores:
    """The metrics for given scores by label, and each system's scores.

    `note` is called with a line if segments are left out.
    """

    metrics: Mapping[str, Given]
    columns: Mapping[str, Sequence[ScoreColumn]]
    systems: Sequence[System]
    note: Callable[[str], object]

    @classmethod
    def read(
        cls,
        metrics: Mapping[str, Given],
        paths: Mapping[str, str],
        systems: Sequence[System],
        note: Callable[[str], object] = lambda _: None,
    ) -> GivenScores:
        """Read all files. Missing scores are an error for metrics that reject them."""
        columns = {label: read_system_scores(path, systems, label) for label, path in paths.items()}
        for label, metric in metrics.items():
            for system, column in zip(systems, columns[label], strict=True):
                missing = column.missing()
                if missing.any() and metric.missing == "error":
                    problem = f"has no {label} score of the system {system.name!r}"
                    fix = (
                        "add it, or leave the segment out for all systems with ",
                        Argument("missing", "skip", metric=label),
                    )
                    raise InputError(column.locations[int(np.argmax(missing))], problem, fix)
        return cls(metrics, columns, systems, note)

    @property
    def files(self) -> list[str]:
        return [*dict.fromkeys(column.file for columns in self.columns.values() for column in columns)]

    def rows(self, segments: int) -> dict[str, dict[str, list[Rows]]]:
        """Return each run's rows by label and system. There must be one score per segment.

        If missing scores are skipped, a segment counts for no system unless all have a score.
        """
        rows: dict[str, dict[str, list[Rows]]] = {}
        for label, metric in self.metrics.items():
            columns = self.columns[label]
            for system, column in zip(self.systems, columns, strict=True):
                column.check(system.name, segments)
            left_out = np.logical_or.reduce([column.missing() for column in columns])
            if left_out.all():
                files = Location(file=", ".join(dict.fromkeys(column.file for column in columns)))
                raise InputError(files, f"leaves no segment with a score of {label} for every system", "add scores")
            if left_out.any():
                reason = "a system has no score for them" if len(self.systems) > 1 else "they have no score"
                self.note(f"{label} leaves out {left_out.sum():,} of {len(left_out):,} segments: {reason}")
            for system, column in zip(self.systems, columns, strict=True):
                table = metric.stats(np.where(left_out, np.nan, column.values))
                if column.weights is not None:
                    table[:, 1] = column.weights
                rows.setdefault(label, {}).setdefault(system.name, []).append(table)
        return rows


def read_system_scores(spec: str, systems: Sequence[System], name: str) -> list[ScoreColumn]:
    r"""Return each system's scores.

    Args:
        spec: `path` or `path:field`. `{system}` in it is replaced by each system's name, `{file}` by its file's name.
            Without them, one file has all scores: a table with a column per system, a table with the columns `system`
            and `segment`, or JSON from `comet-score --to_json`.
        systems: The systems.
        name: The scores' name. If several fields have numbers, the field with this name is read.

    Example:
        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "scores.tsv")
        ...     _ = file.write_text("old\tnew\n0.5\t0.75\n0.25\t0.5\n")
        ...     columns = read_system_scores(str(file), [System("old", "a.txt"), System("new", "b.txt")], "comet")
        ...     [column.values.tolist() for column in columns]
        [[0.5, 0.25], [0.75, 0.5]]
    """
    if "{system}" in spec or "{file}" in spec:
        return _read_separate(spec, systems, name)
    path, field = split_spec(spec)
    if path is None:
        raise InputError(Location(file=spec), "cannot be read from standard input", "name a file")
    file = str(path)
    records = read_records(file, format_by_name(file))
    if None not in records:
        by_name: Mapping[str, Sequence[Record]] = {str(key): value for key, value in records.items() if value}
    elif (field_of_segments := _field_of_segments(records[None], systems)) is not None:
        by_name = _group_by_system(records[None], field_of_segments)
    else:
        return _read_columns(file, field, records[None], systems, name)
    keys = _match_systems(file, list(by_name), systems)
    return [_column(file, by_name[key], score_field(by_name[key], field, [name, "score"], file)) for key in keys]


def _read_separate(spec: str, systems: Sequence[System], name: str) -> list[ScoreColumn]:
    columns = []
    used: set[str] = set()
    for system in systems:
        own = spec.replace("{system}", system.name).replace("{file}", os.path.basename(system.file))
        if own in used:
            raise _shared(own, system.name)
        used.add(own)
        path, field = split_spec(own)
        if path is None:
            raise InputError(Location(file=spec), "cannot be read from standard input", "name a file")
        records = read_records(path, format_by_name(path))
        # A file of comet-score may have a single system, under the name of its file.
        own_records = next(iter(records.values()))
        if len(records) > 1:
            raise InputError(Location(file=str(path)), "has the scores of several systems", "leave out {system}")
        columns.append(_column(str(path), own_records, score_field(own_records, field, [name, "score"], str(path))))
    return columns


def _read_columns(
    file: str, field: str | None, records: Sequence[Record], systems: Sequence[System], name: str
) -> list[ScoreColumn]:
    """Read a table with one column per system. A single system's column may have any name."""
    if len(systems) == 1 and (field is not None or systems[0].name not in records[0].fields):
        return [_column(file, records, score_field(records, field, [name, "score"], file))]
    if field is not None or format_by_name(file) == "text":
        fix = "put {system} in its name and write one file per system, or write a table with one column per system"
        raise InputError(Location(file=file), f"has one column of scores for {len(systems)} systems", fix)
    return [_column(file, records, key) for key in _match_systems(file, list(records[0].fields), systems)]


def _column(file: str, records: Sequence[Record], field: str) -> ScoreColumn:
    values = np.array(numbers(records, field), dtype=np.float64)
    return ScoreColumn(file, values, [record.location for record in records])


def _field_of_segments(records: Sequence[Record], systems: Sequence[System]) -> str | None:
    """Return the field with segment numbers, or None for a file without a field of systems."""
    fields = {name for record in records for name in record.fields}
    if SYSTEM not in fields:
        return None
    for name in SEGMENTS:
        if name in fields:
            return name
    named = {str(record.fields.get(SYSTEM)) for record in records}
    if len(named) > 1 and SYSTEM not in [system.name for system in systems]:
        fix = f"add the field {SEGMENTS[0]} with the number of each segment"
        raise InputError(Location(file=records[0].location.file), "has rows of several systems without segments", fix)
    return None


def _group_by_system(records: Sequence[Record], field: str) -> dict[str, list[Record]]:
    """Return each system's records by segment, with empty records for missing segments. `field` has the numbers.

    Segments are numbered from 0 if the file has a segment 0, and otherwise from 1.
    """
    segments = [_segment_number(record, field) for record in records]
    first, last = min(segments), max(segments)
    if first > 1:
        problem = f"has {first} as its smallest segment"
        raise InputError(Location(file=records[0].location.file), problem, "number segments from 0 or from 1")
    if last - first >= 10 * len(records) + 1000:
        problem = f"has a segment {last} but only {len(records)} rows"
        raise InputError(Location(file=records[0].location.file), problem, "number segments without gaps")
    by_system: dict[str, dict[int, Record]] = {}
    for number, record in zip(segments, records, strict=True):
        if SYSTEM not in record.fields:
            raise unknown_field(record.location, SYSTEM, record.fields)
        of_system = by_system.setdefault(str(record.fields[SYSTEM]), {})
        if number in of_system:
            problem = f"has the segment {number} of the system {record.fields[SYSTEM]!r} again"
            raise InputError(record.location, problem, f"it is also on line {of_system[number].location.line}")
        of_system[number] = record
    whole = range(first, last + 1)
    return {system: _without_gaps(system, of_system, whole) for system, of_system in by_system.items()}


def _without_gaps(system: str, records: Mapping[int, Record], whole: range) -> list[Record]:
    any_record = next(iter(records.values()))
    file, empty = any_record.location.file, dict.fromkeys(any_record.fields)

    def absent(number: int) -> Record:
        return Record(Location(file=file, field=f"segment {number} of {system!r}"), empty)

    return [records[number] if number in records else absent(number) for number in whole]


def _segment_number(record: Record, field: str) -> int:
    value = record.fields.get(field)
    number = record.number(field)
    if math.isnan(number) or number != int(number) or number < 0:
        raise InputError(record.location, f"has the segment {value!r}", "number segments from 0 or from 1")
    return int(number)


def _match_systems(file: str, known: list[str], systems: Sequence[System]) -> list[str]:
    """Return each system's key in a file: its name, or the path, the name or a part of the name of its file.

    Runs share a name, so only their files identify them.
    """
    names = [system.name for system in systems]
    keys: list[str] = []
    for name, hypotheses in ((system.name, system.file) for system in systems):
        key = _find(known, name, hypotheses, by_name=names.count(name) == 1)
        if key is None:
            if SYSTEM in known:
                fix = f"add one, such as {SEGMENTS[0]}, with a score for each system and segment"
                raise InputError(Location(file=file), f"has a column {SYSTEM!r} but none with numbers of segments", fix)
            listed = ", ".join(map(visible, known[:20]))
            fix = f"name its scores like the system or its file, {hypotheses} (there are: {listed})"
            raise InputError(Location(file=file), f"has no scores of the system {name!r}", fix)
        if key in keys:
            raise _shared(file, name)
        keys.append(key)
    return keys


def _find(known: Sequence[str], name: str, file: str, *, by_name: bool) -> str | None:
    base = os.path.basename(file)
    for wanted in ([name] if by_name else []) + [file, base, PurePath(base).stem]:
        if wanted in known:
            return wanted
    same = [key for key in known if os.path.basename(key) == base]
    same = same or [key for key in known if f".{key}." in f".{base}."]  # WMT's names, such as newstest.SYSTEM.en-de
    return same[0] if len(same) == 1 else None


def _shared(file: str, name: str) -> InputError:
    fix = "put {file} in the path, or name the columns of a table like the files of hypotheses"
    return InputError(Location(file=file), f"would give two systems or runs, such as {name!r}, the same scores", fix)
