"""Columns of Parquet files as they are, batch by batch: the quickest way from many segments to their scores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from refscore.errors import InputError, NotInstalledError, SettingError
from refscore.metrics.core.arrow_columns import Beside
from refscore.metrics.core.settings import whole_number
from refscore.readers.base import unknown_field
from refscore.text_display import visible

# How much of each column is read from the disk at a time; without it, that is a whole row group.
BUFFER = 1 << 20

_MOST_ROWS = 1 << 31


def parquet_batches(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    hypotheses: str,
    references: str | Sequence[str],
    *,
    rows: int = 16_384,
    part: tuple[int, int] = (0, 1),
) -> Iterator[tuple[Any, Any]]:
    """Hypotheses and references of Parquet files, as Arrow columns that metrics read without a copy.

    A batch is in memory at a time, whatever the size of the files and of their row groups.

    Args:
        files: A file, or several that follow each other.
        hypotheses: The name of the column.
        references: That of the column of references, texts or lists of texts; or several names.
        rows: How many segments a batch has at most.
        part: (k, n) for the k-th (from 0) of n shares of all row groups, so that n processes share the files.

    Returns:
        An iterator over pairs, for `Accumulator.consume`, `Metric.stats` and the like.

    Example:
        >>> import pyarrow, pyarrow.parquet, refscore, tempfile
        >>> from refscore.readers import parquet_batches
        >>> folder = tempfile.TemporaryDirectory()
        >>> table = pyarrow.table({"mt": ["a cat sat", "it rained"], "ref": ["a cat sat", "it rained"]})
        >>> pyarrow.parquet.write_table(table, f"{folder.name}/a.parquet")
        >>> accumulator = refscore.Accumulator("chrf")
        >>> accumulator.consume(parquet_batches(f"{folder.name}/a.parquet", "mt", "ref"))
        >>> accumulator.segments, accumulator.score().percent
        (2, 100.0)
        >>> folder.cleanup()
    """
    paths = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    names = [references] if isinstance(references, str) else list(references)
    if not paths or not names:
        raise SettingError("there must be at least one file, and one column of references")
    whole_number("rows", rows, 1, _MOST_ROWS)
    which, of = part
    if not 0 <= whole_number("part", which, 0, _MOST_ROWS) < whole_number("part", of, 1, _MOST_ROWS):
        raise SettingError(f"part must be (k, n) with k from 0 to n - 1, not {part!r}")
    return _batches(paths, [hypotheses, *names], rows, which, of)


def _batches(
    paths: list[str | os.PathLike[str]], names: list[str], rows: int, which: int, of: int
) -> Iterator[tuple[Any, Any]]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise NotInstalledError("Parquet needs a package: pip install 'refscore[arrow]'") from None
    before = 0  # the number of row groups in the files before
    for path in paths:
        if not os.path.isfile(path):
            raise InputError(None, f"{path} cannot be read as Parquet: there is no such file")
        try:
            with pyarrow.parquet.ParquetFile(os.fspath(path), buffer_size=BUFFER, pre_buffer=False) as file:
                _check(file.schema_arrow.names, names, path)
                groups = [group for group in range(file.num_row_groups) if (before + group) % of == which]
                before += file.num_row_groups
                columns = list(dict.fromkeys(names))
                for batch in file.iter_batches(rows, row_groups=groups, columns=columns, use_threads=False):
                    hypotheses, *references = (batch.column(name) for name in names)
                    yield hypotheses, references[0] if len(references) == 1 else Beside(references)
        except (pyarrow.ArrowException, OSError) as error:
            said = getattr(error, "strerror", None) or visible(str(error).strip().partition("\n")[0])
            raise InputError(None, f"{path} cannot be read as Parquet: {said}") from None


def _check(there: list[str], names: list[str], path: Any) -> None:
    for name in names:
        if name not in there:
            raise unknown_field(str(path), name, there)
        if there.count(name) > 1:
            raise InputError(None, f"{path} has two columns {name!r}: rename one of them")
