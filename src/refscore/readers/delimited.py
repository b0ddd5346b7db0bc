"""TSV and CSV: one column of a table in text."""

from __future__ import annotations

import csv
from abc import abstractmethod
from collections.abc import Iterator
from itertools import chain
from typing import Any

from refscore.errors import InputError
from refscore.readers.base import Reader, Value, counted, unknown_field
from refscore.readers.source import BLOCK, LONGEST_LINE
from refscore.steps.visible import visible


class _TableReader(Reader):
    """A column of a table. A field that is a number counts columns from 1, and then the first line is no header."""

    def _blocks(self) -> Iterator[list[Value]]:
        tables = self._tables()
        rows = next(tables, None)
        if rows is None:
            return
        _, first = rows[0]
        column = self._column(first)
        self._header = 0 if self._numbered else 1
        for table in chain([rows[self._header :]], tables):
            block: list[Value] = []
            for line, row in table:
                if len(row) != len(first):
                    raise InputError(
                        f"{self.file}, line {line} has {counted(len(row), 'column')}, "
                        f"but the first line has {len(first)}"
                    )
                block.append(row[column])
            if block:
                yield block

    @abstractmethod
    def _tables(self) -> Iterator[list[tuple[int, list[str]]]]:
        """The rows in blocks, each with the number of its line."""

    @property
    def _numbered(self) -> bool:
        return self.field is not None and self.field.isascii() and self.field.isdigit()

    def _column(self, first: list[str]) -> int:
        """The index of the column."""
        if self.field is None:
            raise InputError(
                f"{self.file} has {counted(len(first), 'column')}: name one of them, as in {self.file}:1 (the first), "
                f"or by what its header says ({', '.join(map(visible, first[:20]))})"
            )
        if self._numbered:
            number = int(self.field) if len(self.field) < 10 else 0
            if not 1 <= number <= len(first):
                raise InputError(f"{self.file} has no column {self.field}: its first line has {len(first)}")
            return number - 1
        if first.count(self.field) > 1:
            raise InputError(f"{self.file}, line 1 has two columns {self.field!r}: say its number")
        if self.field not in first:
            error = unknown_field(f"{self.file}, line 1", self.field, first)
            raise InputError(f"{error}; without a header columns are numbers, as in {self.file}:1")
        return first.index(self.field)


class TSVReader(_TableReader):
    """A column of tab-separated values without quotes, as in the files of WMT."""

    unit = "row"

    def _tables(self) -> Iterator[list[tuple[int, list[str]]]]:
        before = 1
        for lines in self._source.lines():
            yield [(number, line.split("\t")) for number, line in enumerate(lines, before)]
            before += len(lines)

    def place(self, index: int) -> str:
        """The file, the line and the column."""
        return f"{self.file}, line {index + 1 + self._header}, field {self.field}"


class CSVReader(_TableReader):
    """A column of comma-separated values, which may be quoted and then hold commas and line ends."""

    unit = "row"

    def _tables(self) -> Iterator[list[tuple[int, list[str]]]]:
        lines = (line for text in self._source.texts() for line in _with_ends(text))
        rows = csv.reader(lines, strict=True)
        while table := self._table(rows):
            yield table

    def _table(self, rows: Any) -> list[tuple[int, list[str]]]:
        """The next rows, about a block of them."""
        table = []
        size = 0
        # The module's limit is one for the whole process, and 128 KiB would be too small for a document.
        limit = csv.field_size_limit(LONGEST_LINE)
        try:
            for row in rows:
                table.append((rows.line_num, row or [""]))
                size += sum(map(len, row)) + len(row)
                if size > BLOCK:
                    break
        except csv.Error as error:
            raise InputError(f"{self.file}, line {rows.line_num} is not CSV: {error}") from None
        finally:
            csv.field_size_limit(limit)
        return table

    def place(self, index: int) -> str:
        """The file, the row and the column; a row may take several lines, so it is no line number."""
        return f"{self.file}, row {index + 1}, field {self.field}"


def _with_ends(text: str) -> list[str]:
    r"""The lines with their ends, at "\n" only: str.splitlines knows more of them."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
