"""JSON lines: one field of each object."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from refscore.errors import InputError
from refscore.readers.base import Reader, Value, unknown_field
from refscore.steps.visible import visible

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
        try:
            item = json.loads(line)
        except json.JSONDecodeError as error:
            raise self._no_json(line, number, error) from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self.file}, line {number} cannot be read: {error}") from None
        value = item if self.field is None else self._at_field(item, number)
        if isinstance(value, str) or value is None:
            return value
        if isinstance(value, list) and all(isinstance(entry, str) or entry is None for entry in value):
            return value
        if self._labels and isinstance(value, int):
            return str(value)
        raise self._wrong_kind(value, number)

    def _at_field(self, item: Any, number: int) -> Any:
        assert self.field is not None
        if isinstance(item, dict) and self.field in item:
            return item[self.field]
        value = item
        path = self.field.split(".")
        for depth, key in enumerate(path):
            if not isinstance(value, dict):
                where = f"{self.file}, line {number}" + (f", field {'.'.join(path[:depth])!r}" if depth else "")
                raise InputError(f"{where} is {_kind(value)}: an object with a field {key!r} was expected")
            if key not in value:
                known = [".".join([*path[:depth], name]) for name in value]
                raise unknown_field(f"{self.file}, line {number}", self.field, known)
            value = value[key]
        return value

    def _no_json(self, line: str, number: int, error: json.JSONDecodeError) -> InputError:
        if not line.strip():
            return InputError(f"{self.file}, line {number} is empty: every line has to be JSON")
        if number == 1 and line.strip() in ("[", "{"):
            return InputError(f"{self.file} is JSON over several lines: write one object a line")
        return InputError(f"{self.file}, line {number}, column {error.colno} is not JSON: {error.msg}")

    def _wrong_kind(self, value: Any, number: int) -> InputError:
        place = self.place(number - 1)
        if isinstance(value, dict):
            prefix = "" if self.field is None else f"{self.field}."
            known = ", ".join(visible(f"{prefix}{name}") for name in list(value)[:20])
            return InputError(
                f"{place} is an object: name one of its fields, as in {self._source.spec}:FIELD ({known})"
            )
        if isinstance(value, list):
            entry = next(entry for entry in value if not isinstance(entry, str) and entry is not None)
            return InputError(f"{place} is a list with {_kind(entry)} in it: only strings and null can be scored")
        return InputError(f"{place} is {_kind(value)}: a string or a list of strings was expected")


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "a number")
