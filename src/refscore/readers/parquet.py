"""Parquet: one column of strings or of lists of strings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from refscore.errors import InputError, NotInstalledError
from refscore.readers.base import Reader, Value, unknown_field
from refscore.readers.parquet_batches import BUFFER
from refscore.text_display import visible

_ROWS = 8192


class ParquetReader(Reader):
    """A column of a Parquet file; dots lead into the fields of structs.

    A pipe or a compressed file is read whole first, since Parquet begins at its end.
    """

    unit = "row"

    def _blocks(self) -> Iterator[list[Value]]:
        try:
            import pyarrow.parquet
        except ModuleNotFoundError:
            raise NotInstalledError(
                f"{self.file} is Parquet, which needs a package: pip install 'refscore[arrow]'"
            ) from None
        self._read = 0
        self._rows: int | None = None
        with self._named_errors():
            file = pyarrow.parquet.ParquetFile(self._source.seekable(), buffer_size=BUFFER, pre_buffer=False)
            self._rows = file.metadata.num_rows
            path = self._path(file.schema_arrow)
            batches = file.iter_batches(_ROWS, columns=[".".join(path)], use_threads=False)
        while True:
            with self._named_errors():
                batch = next(batches, None)
                block = None if batch is None else self._values(batch, path)
            if block is None:
                return
            self._read += len(block)
            if block:
                yield block

    def place(self, index: int) -> str:
        """The file, the row and the column."""
        where = f"{self.file}, row {index + 1}"
        return where if self.field is None else f"{where}, field {self.field!r}"

    @property
    def fraction(self) -> float | None:
        """How many of the rows have been read, from 0 to 1."""
        return self._read / self._rows if self._rows else None

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        import pyarrow

        try:
            yield
        except InputError:
            raise
        except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
            said = visible(str(error).strip().partition("\n")[0])
            raise InputError(None, f"{self.file} cannot be read as Parquet: {said}") from None

    def _path(self, schema: Any) -> list[str]:
        """The names that lead to the column, whose type has been checked."""
        field = self.field
        if field is None:
            if len(schema.names) != 1:
                names = ", ".join(map(visible, schema.names[:20]))
                raise InputError(
                    None, f"{self.file} has several columns: name one, as in {self._source.spec}:FIELD ({names})"
                )
            field = schema.names[0]
        path = [field] if field in schema.names else field.split(".")
        known: list[str] = list(schema.names)
        kind = None
        for depth, name in enumerate(path):
            if name not in known:
                raise unknown_field(self.file, field, [".".join([*path[:depth], other]) for other in known])
            if known.count(name) > 1:
                raise InputError(None, f"{self.file} has two columns {name!r}: rename one of them")
            kind = schema.field(name).type if kind is None else kind.field(name).type
            known = _children(kind)
        if not (_is_text(kind) or _is_texts(kind) or (self._labels and _is_label(kind))):
            hint = f": name one of its fields, as in {self._source.spec}:{field}.{known[0]}" if known else ""
            raise InputError(
                None, f"{self.file}, field {field!r} is of type {kind}, not of strings or lists of strings{hint}"
            )
        return path

    def _values(self, batch: Any, path: list[str]) -> list[Value]:
        import pyarrow.compute

        column = batch.column(0)
        if len(path) > 1:
            column = pyarrow.compute.struct_field(column, path[1:])
        try:
            values: list[Any] = column.to_pylist()
        except UnicodeDecodeError:
            index = next(index for index in range(len(column)) if not _is_utf8(column[index]))
            raise InputError(None, f"{self.place(self._read + index)} is not UTF-8: convert the file first") from None
        return [str(value) if isinstance(value, int) else value for value in values] if self._labels else values


def _children(kind: Any) -> list[str]:
    import pyarrow

    return [kind.field(index).name for index in range(kind.num_fields)] if pyarrow.types.is_struct(kind) else []


def _is_text(kind: Any) -> bool:
    import pyarrow

    types = pyarrow.types
    if types.is_dictionary(kind):
        kind = kind.value_type
    return (
        bool(types.is_string(kind) or types.is_large_string(kind) or types.is_null(kind)) or str(kind) == "string_view"
    )


def _is_texts(kind: Any) -> bool:
    import pyarrow

    types = pyarrow.types
    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    return is_list and _is_text(kind.value_type)


def _is_label(kind: Any) -> bool:
    import pyarrow

    return bool(pyarrow.types.is_integer(kind))


def _is_utf8(scalar: Any) -> bool:
    try:
        scalar.as_py()
    except UnicodeDecodeError:
        return False
    return True
