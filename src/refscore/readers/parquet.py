"""Parquet: one column of strings or of lists of strings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from refscore.errors import InputError, Location, NotInstalledError
from refscore.readers.reader import Reader, Value, unknown_field
from refscore.text_display import visible

# How much of each column is read from the disk at a time; without it, that is a whole row group.
BUFFER = 1 << 20

_ROWS = 8192


class ParquetReader(Reader):
    """A column of a Parquet file; dots lead into the fields of structs.

    A pipe or a compressed file is read whole first, since Parquet begins at its end.
    """

    unit = "row"

    def _blocks(self) -> Iterator[list[Value]]:
        self._rows_read = 0
        self._row_count: int | None = None
        with parquet_errors(self.file):
            file = open_parquet(self._source.seekable())
            self._row_count = file.metadata.num_rows
            path = self._column_path(file.schema_arrow)
            batches = file.iter_batches(_ROWS, columns=[".".join(path)], use_threads=False)
        while True:
            with parquet_errors(self.file):
                batch = next(batches, None)
                block = None if batch is None else self._values(batch, path)
            if block is None:
                return
            self._rows_read += len(block)
            if block:
                yield block

    @property
    def fraction(self) -> float | None:
        """How many of the rows have been read, from 0 to 1."""
        return self._rows_read / self._row_count if self._row_count else None

    def _column_path(self, schema: Any) -> list[str]:
        """Return the names that lead to the column, and check its type."""
        location, field = self._source.location(), self.field
        if field is None:
            if len(schema.names) != 1:
                names = ", ".join(map(visible, schema.names[:20]))
                fix = f"name one, as in {self._source.spec}:FIELD ({names})"
                raise InputError(location, "has several columns", fix)
            field = schema.names[0]
        path = [field] if field in schema.names else field.split(".")
        known: list[str] = schema.names
        column_type = None
        for depth, name in enumerate(path):
            check_column(location, known, name, ".".join(path[:depth]), field)
            column_type = (schema if column_type is None else column_type).field(name).type
            known = _field_names(column_type)
        if not _is_readable(column_type, self._labels):
            fix = f"name one of its fields, as in {self._source.spec}:{field}.{known[0]}" if known else ""
            problem = f"is of type {column_type}, not of strings or lists of strings"
            raise InputError(Location(file=self.file, field=field), problem, fix)
        return path

    def _values(self, batch: Any, path: list[str]) -> list[Value]:
        import pyarrow.compute

        column = batch.column(0)
        if len(path) > 1:
            column = pyarrow.compute.struct_field(column, path[1:])
        try:
            values: list[Any] = column.to_pylist()
        except UnicodeDecodeError:
            row = self._rows_read + _first_broken(column)
            raise InputError(self.location(row), "is not UTF-8", "convert the file first") from None
        return [str(value) if isinstance(value, int) else value for value in values] if self._labels else values


@contextmanager
def parquet_errors(file: str) -> Iterator[None]:
    """Turn errors of pyarrow, and its absence, into errors that name the file."""
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise NotInstalledError(f"{file} is Parquet, which needs a package: pip install 'refscore[arrow]'") from None
    try:
        yield
    except InputError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or visible(str(error).strip().partition("\n")[0])
        raise InputError(Location(file=file), f"cannot be read as Parquet: {reason}") from None


def open_parquet(file: Any) -> Any:
    """Open a Parquet file so that its columns are read in small pieces."""
    import pyarrow.parquet

    return pyarrow.parquet.ParquetFile(file, buffer_size=BUFFER, pre_buffer=False)


def check_column(location: Location, names: list[str], name: str, prefix: str = "", field: str = "") -> None:
    """Raise an InputError unless exactly one column has this name.

    Args:
        location: The file.
        names: The names of all columns.
        name: The name of the column.
        prefix: The struct that the columns are in, if any.
        field: The whole field that the user asked for, if it is longer than the name.
    """
    if name not in names:
        raise unknown_field(location, field or name, [f"{prefix}.{other}" if prefix else other for other in names])
    if names.count(name) > 1:
        raise InputError(location, f"has two columns {name!r}", "rename one of them")


def _field_names(column_type: Any) -> list[str]:
    import pyarrow

    if not pyarrow.types.is_struct(column_type):
        return []
    return [column_type.field(index).name for index in range(column_type.num_fields)]


def _is_readable(column_type: Any, labels: bool) -> bool:
    """Return whether a column holds texts, lists of texts, or whole numbers as labels."""
    from pyarrow import types

    if types.is_list(column_type) or types.is_large_list(column_type) or types.is_fixed_size_list(column_type):
        column_type = column_type.value_type
    elif labels and types.is_integer(column_type):
        return True
    if types.is_dictionary(column_type):
        column_type = column_type.value_type
    return str(column_type) in ("string", "large_string", "string_view", "null")


def _first_broken(column: Any) -> int:
    """Return the index of the first value that is not UTF-8."""
    for index, scalar in enumerate(column):
        try:
            scalar.as_py()
        except UnicodeDecodeError:
            return index
    return 0
