from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from refscore.errors import Argument, Fix, InputError, Location
from refscore.readers.reader import Reader, Value, unknown_field
from refscore.readers.source import Source
from refscore.text_display import visible

_ITEMS = 8192  # the items of an array in one block

_ARRAY_FIX = "end the file's name in .json, or set ", Argument("format", "json")
_TYPE_NAMES = {dict: "an object", list: "a list", str: "a string", bool: "a truth value", type(None): "null"}


class JSONLinesReader(Reader):
    """Read a field from the object in each line or, without a field, lines that are strings or lists.

    A field is a key, or the keys to a nested value joined by dots. A key that itself contains dots takes precedence.
    """

    unit = "line"

    def _blocks(self) -> Iterator[list[Value]]:
        line_count = 0
        for lines in self._source.lines():
            block: list[Value] = []
            try:
                block.extend(map(self._value, lines))
            except InputError as error:
                line = line_count + len(block) + 1
                raise error.at(replace(error.location or Location(), file=self.file, line=line)) from None
            line_count += len(block)
            yield block

    def _value(self, line: str) -> Value:
        item = parse_line(line)
        if isinstance(item, list) and any(isinstance(entry, dict) for entry in item):
            raise InputError(Location(), "is a JSON array of objects", _ARRAY_FIX)
        return self._item_value(item)

    def _item_value(self, item: Any) -> Value:
        value = item if self.field is None else value_at(item, self.field, in_lists=True)
        if isinstance(value, str) or value is None:
            return value
        if isinstance(value, list) and all(isinstance(entry, str) or entry is None for entry in value):
            return value
        if self._labels and isinstance(value, int):
            return str(value)
        raise self._wrong_type(value)

    def _wrong_type(self, value: Any) -> InputError:
        location = Location(field=self.field)
        if isinstance(value, dict):
            prefix = "" if self.field is None else f"{self.field}."
            known = ", ".join(visible(f"{prefix}{name}") for name in list(value)[:20])
            fix = f"name one of its fields, as in {self._source.spec}:FIELD ({known})"
            return InputError(location, "is an object", fix)
        if isinstance(value, list):
            entry = next(entry for entry in value if not isinstance(entry, str) and entry is not None)
            problem = f"is a list with {_type_name(entry)} in it"
            return InputError(location, problem, "use strings, or null for a missing text")
        return InputError(location, f"is {_type_name(value)}", "use a string or a list of strings")


class JSONReader(JSONLinesReader):
    """Read a field from each object in an array or, without a field, the items.

    A file that is not an array is read as JSON lines. An array is read into memory completely.
    """

    unit = "item"

    def _blocks(self) -> Iterator[list[Value]]:
        items = read_array(self._source)
        self._is_array = items is not None
        if items is None:
            yield from super()._blocks()
            return
        values: list[Value] = []
        try:
            values.extend(map(self._item_value, items))
        except InputError as error:
            raise error.at(self.location(len(values))) from None
        yield from (values[begin : begin + _ITEMS] for begin in range(0, len(values), _ITEMS))

    def location(self, index: int) -> Location:
        return item_location(self.file, index, self.field) if self._is_array else super().location(index)


class JSONObjects(Source):
    r"""Iterate once over objects in JSON lines or in a JSON array, with their locations. Use it as a context manager.

    Args:
        path: The file, or - for standard input.

    Example:
        >>> import tempfile, pathlib
        >>> from refscore.readers import JSONObjects
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "data.jsonl")
        ...     _ = file.write_text('{"id": 1}\n{"id": 2}\n')
        ...     with JSONObjects(file) as objects:
        ...         [(location.line, item) for location, item in objects]
        [(1, {'id': 1}), (2, {'id': 2})]
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(None if path == "-" else path)

    def __iter__(self) -> Iterator[tuple[Location, dict[str, Any]]]:
        is_empty = True
        for location, item in self._items():
            is_empty = False
            if not isinstance(item, dict):
                raise InputError(location, f"is {_type_name(item)}", "every line must be a JSON object")
            yield location, item
        if is_empty:
            raise InputError(self.location(), "is empty", "it must have at least one object")

    def _items(self) -> Iterator[tuple[Location, Any]]:
        items = read_array(self)
        if items is not None:
            yield from ((item_location(self.name, index), item) for index, item in enumerate(items))
            return
        yield from located_values(self.name, self.numbered_lines())


def read_array(source: Source, **options: Any) -> list[Any] | None:
    """Return the items if the source is a JSON array. Otherwise read nothing and return None.

    `json.loads` takes the `options`.
    """
    if not source.begins_with(b"["):
        return None
    text = source.read_text()
    try:
        items: list[Any] = json.loads(text, **options)
        return items
    except (ValueError, RecursionError) as error:
        raise json_error(source, error) from None


def json_error(source: Source, error: Exception) -> InputError:
    if not isinstance(error, json.JSONDecodeError):
        return InputError(source.location(), f"cannot be read: {error}")
    is_lines = error.msg == "Extra data"
    fix: Fix = ("for JSON lines, end its name in .jsonl or set ", Argument("format", "jsonl")) if is_lines else ""
    return InputError(source.location(error.lineno), f"is not JSON (column {error.colno}: {error.msg})", fix)


def item_location(file: str, index: int, field: str | None = None) -> Location:
    item = f"item {index + 1}"
    return Location(file=file, field=item if field is None else f"{field} of {item}")


def located_values(file: str, lines: Iterable[tuple[int, str]], **options: Any) -> Iterator[tuple[Location, Any]]:
    """Yield each numbered line's location and JSON value. `json.loads` takes the `options`."""
    for number, line in lines:
        location = Location(file=file, line=number)
        try:
            yield location, parse_line(line, **options)
        except InputError as error:
            raise error.at(location) from None


def all_located_values(file: str, lines: Iterable[tuple[int, str]]) -> list[tuple[Location, Any]]:
    """Return all values of `located_values`, for formats that are read as a whole."""
    return list(located_values(file, lines))


def parse_line(line: str, **options: Any) -> Any:
    """Return a line's JSON value. Errors have an empty location."""
    try:
        return json.loads(line, **options)
    except json.JSONDecodeError as error:
        if not line.strip():
            raise InputError(Location(), "is empty", "every line must be JSON; remove empty lines") from None
        if re.fullmatch(r"\s*\[(.*[\[{,])?\s*", line):
            raise InputError(Location(), "begins a JSON array", _ARRAY_FIX) from None
        if line.strip() == "{":
            fix = "write one object per line: jq -c . FILE > NEW.jsonl"
            raise InputError(Location(), "begins JSON that spans several lines", fix) from None
        raise InputError(Location(), f"is not JSON (column {error.colno}: {error.msg})") from None
    except (ValueError, RecursionError) as error:
        raise InputError(Location(), f"cannot be read: {error}") from None


def value_at(item: Any, field: str, *, in_lists: bool = False) -> Any:
    """Return a field's value. A field is a key, or the keys to a nested value joined by dots.

    With `in_lists`, a list on the way gives a list with its entries' values. An error's location has only the field.
    """
    if isinstance(item, dict) and field in item:
        return item[field]
    return _follow(item, field.split("."), 0, in_lists)


def _follow(value: Any, path: list[str], depth: int, in_lists: bool) -> Any:
    for at in range(depth, len(path)):
        if in_lists and isinstance(value, list) and all(isinstance(entry, (dict, list)) for entry in value):
            return [_follow(entry, path, at, in_lists) for entry in value]
        if not isinstance(value, dict):
            location = Location(field=".".join(path[:at]) or None)
            raise InputError(location, f"is {_type_name(value)}", f"it must be an object with a field {path[at]!r}")
        if path[at] not in value:
            raise unknown_field(Location(), ".".join(path), [".".join([*path[:at], name]) for name in value])
        value = value[path[at]]
    return value


def _type_name(value: object) -> str:
    return _TYPE_NAMES.get(type(value), "a number")
