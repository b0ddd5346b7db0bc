"""TSV and CSV: one column of a table in text."""

from __future__ import annotations

import csv
import io
from abc import abstractmethod
from collections.abc import Iterator
from itertools import chain
from typing import Any

from refscore.errors import InputError
from refscore.readers.base import Reader, Value, counted, unknown_field
from refscore.readers.source import LONGEST_LINE
from refscore.text_display import visible


class _TableReader(Reader):
    """A column of a table. A field that is a number counts columns from 1, and then the first line is no header."""

    def _blocks(self) -> Iterator[list[Value]]:
        tables = self._tables()
        rows = next(tables, None)
        if rows is None:
            return
        first = rows[0]
        column = self._column(first)
        self._header = 0 if self._numbered else 1
        before = self._header
        for table in chain([rows[self._header :]], tables):
            block: list[Value] = []
            for row in table:
                if len(row) != len(first):
                    where = self._where(before + len(block))
                    raise InputError(
                        None, f"{where} has {counted(len(row), 'column')}, but the first line has {len(first)}"
                    )
                block.append(row[column])
            before += len(block)
            if block:
                yield block

    @abstractmethod
    def _tables(self) -> Iterator[list[list[str]]]:
        """The rows in blocks."""

    @abstractmethod
    def _where(self, row: int) -> str:
        """Where a row stands, counted from 0 with the header."""

    def place(self, index: int) -> str:
        """The file, the line or row, and the column."""
        return f"{self._where(index + self._header)}, field {self.field}"

    @property
    def _numbered(self) -> bool:
        return self.field is not None and self.field.isascii() and self.field.isdigit()

    def _column(self, first: list[str]) -> int:
        """The index of the column."""
        if self.field is None:
            names = ", ".join(map(visible, first[:20]))
            raise InputError(
                None,
                f"{self.file} has {counted(len(first), 'column')}: name one of them, "
                f"as in {self._source.spec}:1 (the first), or by what its header says ({names})",
            )
        if self._numbered:
            number = int(self.field) if len(self.field) < 10 else 0
            if not 1 <= number <= len(first):
                raise InputError(None, f"{self.file} has no column {self.field}: its first line has {len(first)}")
            return number - 1
        if first.count(self.field) > 1:
            raise InputError(None, f"{self.file}, line 1 has two columns {self.field!r}: say its number")
        if self.field not in first:
            error = unknown_field(f"{self.file}, line 1", self.field, first)
            raise InputError(None, f"{error}; without a header columns are numbers, as in {self._source.spec}:1")
        return first.index(self.field)


class TSVReader(_TableReader):
    """A column of tab-separated values without quotes, as in the files of WMT."""

    unit = "row"

    def _tables(self) -> Iterator[list[list[str]]]:
        return ([line.split("\t") for line in lines] for lines in self._source.lines())

    def _where(self, row: int) -> str:
        return f"{self.file}, line {row + 1}"


class CSVReader(_TableReader):
    """A column of comma-separated values, which may be quoted and then hold commas and line ends."""

    unit = "row"

    def _tables(self) -> Iterator[list[list[str]]]:
        self._begun = 0
        rows = csv.reader(self._lines(), strict=True)
        while table := self._table(rows):
            yield table

    def _lines(self) -> Iterator[str]:
        for text in self._source.texts():
            self._begun += 1
            yield from io.StringIO(text, newline="\n")

    def _table(self, rows: Any) -> list[list[str]]:
        """The next rows, up to the first that ends in another block of the file."""
        table = []
        begun = self._begun
        # The module's limit is one for the whole process, and 128 KiB would be too small for a document.
        limit = csv.field_size_limit(LONGEST_LINE)
        try:
            for row in rows:
                table.append(row or [""])
                if self._begun != begun:
                    break
        except csv.Error as error:
            raise InputError(None, f"{self.file}, line {rows.line_num} is not CSV: {error}") from None
        finally:
            csv.field_size_limit(limit)
        return table

    def _where(self, row: int) -> str:
        # A row may take several lines, so it has no line number of its own.
        return f"{self.file}, row {row + 1 - self._header}" if row >= self._header else f"{self.file}, line 1"
