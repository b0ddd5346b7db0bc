from __future__ import annotations

import csv
import io
import json
import re
import sys
import warnings
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, cast

from refscore.errors import InputError, Location
from refscore.readers.source import LONGEST_LINE, Source
from refscore.text_display import (
    counted as counted,  # noqa: PLC0414 - the report imports it from here
    visible,
)

Value: TypeAlias = "str | list[str | None] | None"

_MOST_NAMES = 40
# Usual names of columns, as letters. A row of different words with one of them looks like a header.
_HEADER_WORDS = re.compile(
    "audio|doc|docid|file|filename|hyp|hyps|hypotheses|hypothesis|id|label|mt|output|outputs|prediction|"
    "predictions|ref|reference|references|refs|score|seg|segid|segment|segmentid|source|sources|src|system|"
    "target|text|tgt|transcript|transcription|translation"
)


class Reader(ABC):
    r"""Iterate once over an input's values, in blocks. Use it as a context manager.

    A value is a string. In JSON lines and Parquet it may also be a list with strings and None (several references), or
    None (a missing reference). In a WMT file, it is None for a segment that a column lacks.

    Attributes:
        name: The file, and its field if one was chosen, for messages.
        count: How many values have been read.
        unit: The word for a value in this format: line, row or segment.

    Example:
        >>> import io
        >>> from refscore.readers import open_segments
        >>> with open_segments("-", stdin=io.BytesIO(b"a cat\na dog\n")) as reader:
        ...     for block in reader:
        ...         print(block, reader.location(1))
        ['a cat', 'a dog'] line 2 of standard input
    """

    unit: ClassVar[str]
    takes_field: ClassVar[bool] = True

    def __init__(self, source: Source, field: str | None, *, labels: bool = False, may_be_empty: bool = False) -> None:
        self.file = source.name
        self.field = field
        self.name = source.name if field is None else f"{source.name}:{field}"
        self.count = 0
        self._source = source
        self._labels = labels
        self._unread_blocks = self._blocks()
        # The first block shows most mistakes, so read it before any work is done.
        self._first_block = next(self._unread_blocks, None)
        if self._first_block is None and not may_be_empty:
            raise InputError(Location(file=self.file, field=field), "is empty", "it must have at least one segment")

    @abstractmethod
    def _blocks(self) -> Iterator[list[Value]]:
        """Yield non-empty blocks."""

    def location(self, index: int) -> Location:
        return Location(file=self.file, line=index + 1, field=self.field)

    @property
    def fraction(self) -> float | None:
        """The fraction of the input read so far, from 0 to 1, or None if unknown."""
        return self._source.fraction

    def close(self) -> None:
        """Close the file. Standard input stays open."""
        self._source.close()

    def __iter__(self) -> Iterator[list[Value]]:
        return self

    def __next__(self) -> list[Value]:
        block, self._first_block = self._first_block, None
        if block is None:
            block = next(self._unread_blocks)
        self.count += len(block)
        return block

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def unknown_field(location: Location, field: str, known: Iterable[str], hint: str = "") -> InputError:
    """Return the error for a missing field. It suggests the most similar field and lists all if they are few."""
    import difflib  # slow to import, and only needed for mistakes

    names = sorted(map(visible, known))
    if len(names) > _MOST_NAMES:
        fix = f"there are {len(names)}: {', '.join(names[:5])}, …"
    else:
        near = difflib.get_close_matches(field, names, n=1, cutoff=0.5)
        listed = f"there are: {', '.join(names)}" if names else "there are none"
        fix = f"did you mean {near[0]!r}? ({listed})" if near else listed
    return InputError(location, f"has no field {field!r}", fix + hint)


class TextReader(Reader):
    unit = "line"
    takes_field = False

    def __init__(self, source: Source, field: str | None, *, may_be_json: bool = False, **options: bool) -> None:
        self._may_be_json = may_be_json
        super().__init__(source, field, **options)

    def _blocks(self) -> Iterator[list[Value]]:
        blocks = self._source.lines()
        for first in blocks:
            if not self._may_be_json:
                self._check_json(first[:10])
            yield cast("list[Value]", first)
            yield from cast("Iterator[list[Value]]", blocks)

    def _check_json(self, lines: Sequence[str]) -> None:
        """Warn about lines that all are JSON objects with the same keys."""
        if len(lines) == 1 or not all(line.startswith("{") and line.rstrip().endswith("}") for line in lines):
            return
        try:
            values = [json.loads(line) for line in lines]
        except ValueError:
            return
        keys = {tuple(value) for value in values}
        if len(keys) == 1 and (names := keys.pop()):
            fix = f"name a field, as in {self._source.spec}:{visible(names[0])}, if one of them is the text"
            warnings.warn(f"{self.location(0)} is JSON, and is read as plain text: {fix}", stacklevel=2)


def read_lines(path: str | Path) -> list[str]:
    r"""Return the lines in a UTF-8 text file: its segments.

    Lines end with "\n" or "\r\n". Other characters that Python treats as line ends, such as U+2028, are part of a
    segment. The last line may lack its end. Files compressed with gzip, xz, bzip2 or zstd are decompressed.

    Args:
        path: The file.

    Returns:
        The lines without their line ends.

    Example:
        >>> import tempfile, pathlib
        >>> from refscore.readers import read_lines
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "hypotheses.txt")
        ...     _ = file.write_bytes("a cat\nein Hündchen\n".encode())
        ...     read_lines(file)
        ['a cat', 'ein Hündchen']
    """
    with Source(path) as source:
        return cast("list[str]", [line for block in TextReader(source, None, may_be_json=True) for line in block])


class TSVRows:
    """The rows of tab-separated values without quoting, as in WMT's files."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._read = 0  # the rows in earlier blocks

    def __iter__(self) -> Iterator[list[list[str]]]:
        """Yield rows in blocks. All rows have as many cells as the first."""
        width = 0
        for rows in self._blocks():
            width = width or len(rows[0])
            if {*map(len, rows)} != {width}:
                row = next(row for row, cells in enumerate(rows) if len(cells) != width)
                problem = f"has {counted(len(rows[row]), 'column')}, but the first line has {width}"
                raise InputError(self._source.location(self.line(self._read + row)), problem)
            self._read += len(rows)
            yield rows

    def line(self, row: int) -> int:
        """Return a row's first line. Rows are counted from 0, including the header."""
        return row + 1

    def _blocks(self) -> Iterator[list[list[str]]]:
        return ([line.split("\t") for line in lines] for lines in self._source.lines())


class CSVRows(TSVRows):
    """The rows of comma-separated values. Quoted values may contain commas and line breaks."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self._blocks_read = 0
        # For each row that spans several lines: the number of the next row, and the lines to add from there on.
        self._shifts: list[tuple[int, int]] = [(0, 0)]

    def line(self, row: int) -> int:
        return row + 1 + self._shifts[bisect_right(self._shifts, (row, sys.maxsize)) - 1][1]

    def _blocks(self) -> Iterator[list[list[str]]]:
        rows = csv.reader(self._lines(), strict=True)
        while block := self._next_block(rows):
            yield block

    def _lines(self) -> Iterator[str]:
        for text in self._source.texts():
            self._blocks_read += 1
            yield from io.StringIO(text, newline="\n")

    def _next_block(self, rows: Any) -> list[list[str]]:
        """Return the next rows, up to the first that ends in a later block of the file."""
        table = []
        block, line = self._blocks_read, rows.line_num
        # The csv module's field limit is global, and its default of 128 KiB is too small for a document.
        limit = csv.field_size_limit(LONGEST_LINE)
        try:
            for row in rows:
                table.append(row or [""])
                if rows.line_num > line + 1:
                    self._shifts.append((self._read + len(table), rows.line_num - self._read - len(table)))
                line = rows.line_num
                if self._blocks_read != block:
                    break
        except csv.Error as error:
            raise InputError(self._source.location(rows.line_num), f"is not CSV: {error}") from None
        finally:
            csv.field_size_limit(limit)
        return table


def _is_quoted(cell: str) -> bool:
    """Return whether a cell is quoted as in CSV, with a doubled quote inside, which is rare in plain text."""
    inside = cell[1:-1]
    return cell[:1] == cell[-1:] == '"' and '""' in inside and '"' not in inside.replace('""', "")


class TSVReader(Reader):
    """Read one column. A number as the field means that column (from 1) in a table without a header."""

    unit = "row"
    rows_type: ClassVar[type[TSVRows]] = TSVRows
    _is_warned = False

    def _blocks(self) -> Iterator[list[Value]]:
        self._rows = self.rows_type(self._source)
        self._header_rows = 0 if self._is_number else 1
        column, count = None, 0
        for rows in self._rows:
            header_rows = self._header_rows if column is None else 0
            if column is None:
                column = self._column_index(rows[0])
                self._check_header(rows[0])
            block: list[Value] = [cells[column] for cells in rows[header_rows:]]
            if block:
                self._check_quotes(block, count)
                count += len(block)
                yield block

    def location(self, index: int) -> Location:
        field = f"column {self.field}" if self._is_number else self.field
        return Location(file=self.file, line=self._rows.line(index + self._header_rows), field=field)

    def _check_quotes(self, block: Sequence[Value], first: int) -> None:
        """Warn about the first cell that is quoted as in CSV, which pandas writes by default."""
        if self._is_warned:
            return
        for index, cell in enumerate(block, first):
            if isinstance(cell, str) and cell[:1] == '"' and _is_quoted(cell):
                self._is_warned = True
                fix = "write the file without quoting, or as CSV"
                message = f"{self.location(index)} is quoted as in CSV, but TSV keeps the quotes as text: {fix}"
                warnings.warn(message, stacklevel=2)
                return

    def _check_header(self, first: list[str]) -> None:
        """Warn about a header that is read as a row, because the column is given by its number."""
        names = {"".join(filter(str.isalpha, cell)).lower() for cell in first}
        if (
            self._is_number
            and len(names) == len(first)
            and "" not in names
            and any(map(_HEADER_WORDS.fullmatch, names))
        ):
            column = first[self._column_index(first)]
            fix = f"if it is one, name the column, as in {self._source.spec}:{visible(column)}"
            warnings.warn(f"{self.location(0)} is {column!r}, which looks like a header: {fix}", stacklevel=2)

    @property
    def _is_number(self) -> bool:
        return self.field is not None and self.field.isascii() and self.field.isdigit()

    def _column_index(self, first: list[str]) -> int:
        spec, columns = self._source.spec, counted(len(first), "column")
        if self.field is None:
            names = ", ".join(map(visible, first[:20]))
            fix = f"name one, as in {spec}:1 (the first), or by the header ({names})"
            raise InputError(self._source.location(), f"has {columns}", fix)
        if self._is_number:
            number = int(self.field) if len(self.field) < 10 else 0
            if not 1 <= number <= len(first):
                raise InputError(self._source.location(1), f"has no column {self.field}", f"it has {columns}")
            return number - 1
        if first.count(self.field) > 1:
            raise InputError(self._source.location(1), f"has two columns {self.field!r}", "name it by its number")
        if self.field not in first:
            hint = f"; without a header, use the number of the column, as in {spec}:1"
            raise unknown_field(self._source.location(1), self.field, first, hint)
        return first.index(self.field)


class CSVReader(TSVReader):
    rows_type = CSVRows
    _is_warned = True  # quotes are never part of a cell
