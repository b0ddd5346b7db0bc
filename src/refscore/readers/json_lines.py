"""JSON lines: one field of each object, or the objects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from refscore.errors import InputError
from refscore.readers.base import Reader, Value, unknown_field
from refscore.readers.source import Source
from refscore.text_display import visible

_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "a truth value", type(None): "null"}


class JSONLinesReader(Reader):
    """A field of each line, which is an object; or the lines themselves where they are strings or lists of them.

    A field is a key, or keys joined by dots that lead into objects within; a key that has dots itself goes first.
    """

    unit = "line"

    def _blocks(self) -> Iterator[list[Value]]:
        before = 1
        for lines in self._source.lines():
            yield [self._value(line, number) for number, line in enumerate(lines, before)]
            before += len(lines)

    def place(self, index: int) -> str:
        """The file, the line and the field."""
        where = f"{self.file}, line {index + 1}"
        return where if self.field is None else f"{where}, field {self.field!r}"

    def _value(self, line: str, number: int) -> Value:
        item = read_line(self.file, line, number)
        value = item if self.field is None else value_at(item, self.field, f"{self.file}, line {number}")
        if isinstance(value, str) or value is None:
            return value
        if isinstance(value, list) and all(isinstance(entry, str) or entry is None for entry in value):
            return value
        if self._labels and isinstance(value, int):
            return str(value)
        raise self._wrong_kind(value, number)

    def _wrong_kind(self, value: Any, number: int) -> InputError:
        place = self.place(number - 1)
        if isinstance(value, dict):
            prefix = "" if self.field is None else f"{self.field}."
            known = ", ".join(visible(f"{prefix}{name}") for name in list(value)[:20])
            return InputError(
                None, f"{place} is an object: name one of its fields, as in {self._source.spec}:FIELD ({known})"
            )
        if isinstance(value, list):
            entry = next(entry for entry in value if not isinstance(entry, str) and entry is not None)
            return InputError(None, f"{place} is a list with {_kind(entry)} in it: only strings and null can be scored")
        return InputError(None, f"{place} is {_kind(value)}: a string or a list of strings was expected")


class JSONObjects:
    r"""The objects of JSON lines, whole, each with the place of its line; a context manager, to be read once.

    Args:
        path: The file, or - for standard input.

    Example:
        >>> import tempfile, pathlib
        >>> from refscore.readers import JSONObjects
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "data.jsonl")
        ...     _ = file.write_text('{"id": 1}\n{"id": 2}\n')
        ...     with JSONObjects(file) as objects:
        ...         [item for _, item in objects]
        [{'id': 1}, {'id': 2}]
    """

    def __init__(self, path: str | Path) -> None:
        self._source = Source(None if path == "-" else path)

    @property
    def fraction(self) -> float | None:
        """How much of the file has been read, from 0 to 1; None for what has no size."""
        return self._source.fraction

    def __enter__(self) -> JSONObjects:
        return self

    def __exit__(self, *error: object) -> None:
        self._source.close()

    def __iter__(self) -> Iterator[tuple[str, dict[str, Any]]]:
        number = 0
        for lines in self._source.lines():
            for line in lines:
                number += 1
                item = read_line(self._source.name, line, number)
                place = f"{self._source.name}, line {number}"
                if not isinstance(item, dict):
                    raise InputError(None, f"{place} is {_kind(item)}: an object was expected")
                yield place, item
        if number == 0:
            raise InputError(None, f"{self._source.name} is empty")


def read_line(file: str, line: str, number: int) -> Any:
    """What a line says, or the error that names its place.

    >>> read_line("data.jsonl", '{"id": 1}', 1)
    {'id': 1}
    """
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise _no_json(file, line, number, error) from None
    except (ValueError, RecursionError) as error:
        raise InputError(None, f"{file}, line {number} cannot be read: {error}") from None


def value_at(item: Any, field: str, place: str, *, in_lists: bool = False) -> Any:
    """The value of a field: a key, or keys joined by dots that lead into objects within.

    Args:
        item: The object; a key of it that has dots itself goes first.
        field: The field.
        place: What messages call the object.
        in_lists: Whether the rest of a field is looked up in each entry of a list on the way.

    Example:
        >>> value_at({"samples": [{"text": "a"}, {"text": "b"}]}, "samples.text", "line 1", in_lists=True)
        ['a', 'b']
    """
    if isinstance(item, dict) and field in item:
        return item[field]
    return _along(item, field.split("."), 0, place, in_lists)


def _along(value: Any, path: list[str], depth: int, place: str, in_lists: bool) -> Any:
    for at in range(depth, len(path)):
        if in_lists and isinstance(value, list):
            return [_along(entry, path, at, place, in_lists) for entry in value]
        if not isinstance(value, dict):
            where = place + (f", field {'.'.join(path[:at])!r}" if at else "")
            raise InputError(None, f"{where} is {_kind(value)}: an object with a field {path[at]!r} was expected")
        if path[at] not in value:
            known = [".".join([*path[:at], name]) for name in value]
            raise unknown_field(place, ".".join(path), known)
        value = value[path[at]]
    return value


def _no_json(file: str, line: str, number: int, error: json.JSONDecodeError) -> InputError:
    if not line.strip():
        return InputError(None, f"{file}, line {number} is empty: every line has to be JSON")
    if number == 1 and line.strip() in ("[", "{"):
        return InputError(None, f"{file} is JSON over several lines: write one object a line")
    return InputError(None, f"{file}, line {number}, column {error.colno} is not JSON: {error.msg}")


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "a number")
