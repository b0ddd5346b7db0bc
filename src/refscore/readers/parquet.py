from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from refscore.errors import InputError, Location, SettingError, requires
from refscore.inputs import Beside
from refscore.readers.reader import Reader, Value, unknown_field
from refscore.settings import whole_number
from refscore.text_display import visible

_ROWS = 8192
_MOST_ROWS = 1 << 31


class ParquetReader(Reader):
    """Read a column from a Parquet file. Dots separate the names of nested fields.

    A pipe or a compressed file is read into memory first, because Parquet's index is at its end.
    """

    unit = "row"

    def _blocks(self) -> Iterator[list[Value]]:
        self._rows_read = 0
        self._row_count: int | None = None
        with _parquet_errors(self.file):
            file = _open_parquet(self._source.seekable())
            self._row_count = file.metadata.num_rows
            path = self._column_path(file.schema_arrow)
            batches = file.iter_batches(_ROWS, columns=[".".join(path)], use_threads=False)
        while True:
            with _parquet_errors(self.file):
                batch = next(batches, None)
                block = None if batch is None else self._values(batch, path)
            if block is None:
                return
            self._rows_read += len(block)
            if block:
                yield block

    @property
    def fraction(self) -> float | None:
        return self._rows_read / self._row_count if self._row_count else None

    def _column_path(self, schema: Any) -> list[str]:
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
            _check_column(location, known, name, ".".join(path[:depth]), field)
            column_type = (schema if column_type is None else column_type).field(name).type
            known = _field_names(column_type)
        if not _is_readable(column_type, self._labels):
            fix = f"name one of its fields, as in {self._source.spec}:{field}.{known[0]}" if known else ""
            problem = f"has the type {column_type} instead of strings or lists of strings"
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
            raise InputError(self.location(row), "is not UTF-8", "convert the file to UTF-8 first") from None
        return [str(value) if isinstance(value, int) else value for value in values] if self._labels else values


def parquet_batches(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    hypotheses: str,
    references: str | Sequence[str],
    *,
    rows: int = 16_384,
    part: tuple[int, int] = (0, 1),
) -> Iterator[tuple[Any, Any]]:
    """Yield hypotheses and references from Parquet files, as Arrow columns that metrics read without a copy.

    Only one batch is in memory at a time, even if files and row groups are larger.

    Args:
        files: A file, or several files to read in order.
        hypotheses: The column name for hypotheses.
        references: The column name for references (texts or lists of texts), or several names.
        rows: The most segments in a batch.
        part: (k, n) to read every n-th row group from the k-th on, counted from 0. So n processes can share the files.

    Returns:
        Pairs of hypotheses and references, as `Evaluation.consume` takes them.

    Example:
        >>> import pyarrow, pyarrow.parquet, refscore, tempfile
        >>> from refscore.readers import parquet_batches
        >>> folder = tempfile.TemporaryDirectory()
        >>> table = pyarrow.table({"mt": ["a cat sat", "it rained"], "ref": ["a cat sat", "it rained"]})
        >>> pyarrow.parquet.write_table(table, f"{folder.name}/a.parquet")
        >>> evaluation = refscore.Evaluation("chrf")
        >>> evaluation.consume(parquet_batches(f"{folder.name}/a.parquet", "mt", "ref"))
        >>> evaluation.segments, evaluation.score().percent
        (2, 100.0)
        >>> folder.cleanup()
    """
    paths = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    names = [references] if isinstance(references, str) else list(references)
    if not paths or not names:
        raise SettingError("files and references must not be empty: name a file and a column of references")
    whole_number("rows", rows, 1, _MOST_ROWS)
    share, shares = part
    if not 0 <= whole_number("part", share, 0, _MOST_ROWS) < whole_number("part", shares, 1, _MOST_ROWS):
        raise SettingError(f"part must be (k, n) with k from 0 to n - 1, not {part!r}")
    return _batches(paths, [hypotheses, *names], rows, share, shares)


def column_names(path: str | os.PathLike[str]) -> list[str]:
    """Return the names of a Parquet file's columns."""
    with _parquet_errors(str(path)), _open_parquet(os.fspath(path)) as file:
        return [*file.schema_arrow.names]


def read_rows(path: str | os.PathLike[str]) -> Iterator[tuple[Location, dict[str, Any]]]:
    """Yield each row of a Parquet file as a dictionary, with its location."""
    number = 0
    with _parquet_errors(str(path)), _open_parquet(os.fspath(path)) as file:
        for batch in file.iter_batches(_ROWS, use_threads=False):
            for row in batch.to_pylist():
                number += 1
                yield Location(file=str(path), field=f"row {number}"), row


def _batches(
    paths: list[str | os.PathLike[str]], names: list[str], rows: int, share: int, shares: int
) -> Iterator[tuple[Any, Any]]:
    groups_before = 0  # the number of row groups in earlier files
    for path in paths:
        location = Location(file=str(path))
        if not os.path.isfile(path):
            raise InputError(location, "does not exist", "check the name of the file")
        with _parquet_errors(str(path)), _open_parquet(os.fspath(path)) as file:
            for name in names:
                _check_column(location, file.schema_arrow.names, name)
            groups = [group for group in range(file.num_row_groups) if (groups_before + group) % shares == share]
            groups_before += file.num_row_groups
            columns = list(dict.fromkeys(names))
            for batch in file.iter_batches(rows, row_groups=groups, columns=columns, use_threads=False):
                hypotheses, *references = (batch.column(name) for name in names)
                yield hypotheses, references[0] if len(references) == 1 else Beside(references)


@contextmanager
def _parquet_errors(file: str) -> Iterator[None]:
    with requires(f"{file}, which is Parquet,", "arrow"):
        import pyarrow
    try:
        yield
    except InputError:
        raise
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or visible(str(error).strip().partition("\n")[0])
        raise InputError(Location(file=file), f"cannot be read as Parquet: {reason}") from None


def _open_parquet(file: Any) -> Any:
    """Open a Parquet file that reads 1 MiB at a time, not whole row groups."""
    import pyarrow.parquet

    return pyarrow.parquet.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False)


def _check_column(location: Location, names: list[str], name: str, prefix: str = "", field: str = "") -> None:
    """Raise an InputError unless exactly one column has this name. `field` is the user's text if it is longer."""
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
    """Return whether a column has texts, lists of texts or, with `labels`, whole numbers."""
    from pyarrow import types

    if types.is_list(column_type) or types.is_large_list(column_type) or types.is_fixed_size_list(column_type):
        column_type = column_type.value_type
    elif labels and types.is_integer(column_type):
        return True
    if types.is_dictionary(column_type):
        column_type = column_type.value_type
    return str(column_type) in ("string", "large_string", "string_view", "null")


def _first_broken(column: Any) -> int:
    for index, scalar in enumerate(column):
        try:
            scalar.as_py()
        except UnicodeDecodeError:
            return index
    return 0
