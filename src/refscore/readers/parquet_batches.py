"""Columns of Parquet files, batch by batch: the fastest way from many segments to their scores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from refscore.errors import InputError, Location, SettingError
from refscore.metrics.core.arrow_columns import Beside
from refscore.metrics.core.settings import whole_number
from refscore.readers.parquet import check_column, open_parquet, parquet_errors

_MOST_ROWS = 1 << 31


def parquet_batches(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    hypotheses: str,
    references: str | Sequence[str],
    *,
    rows: int = 16_384,
    part: tuple[int, int] = (0, 1),
) -> Iterator[tuple[Any, Any]]:
    """Yield hypotheses and references of Parquet files, as Arrow columns that metrics read without a copy.

    One batch is in memory at a time, for files and row groups of any size.

    Args:
        files: A file, or several that follow each other.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, texts or lists of texts; or several names.
        rows: How many segments a batch has at most.
        part: (k, n) for the k-th (from 0) of n shares of all row groups, so n processes can share the files.

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
    share, shares = part
    if not 0 <= whole_number("part", share, 0, _MOST_ROWS) < whole_number("part", shares, 1, _MOST_ROWS):
        raise SettingError(f"part must be (k, n) with k from 0 to n - 1, not {part!r}")
    return _batches(paths, [hypotheses, *names], rows, share, shares)


def _batches(
    paths: list[str | os.PathLike[str]], names: list[str], rows: int, share: int, shares: int
) -> Iterator[tuple[Any, Any]]:
    groups_before = 0  # the number of row groups in the files before
    for path in paths:
        location = Location(file=str(path))
        if not os.path.isfile(path):
            raise InputError(location, "cannot be read as Parquet: there is no such file")
        with parquet_errors(str(path)), open_parquet(os.fspath(path)) as file:
            for name in names:
                check_column(location, file.schema_arrow.names, name)
            groups = [group for group in range(file.num_row_groups) if (groups_before + group) % shares == share]
            groups_before += file.num_row_groups
            columns = list(dict.fromkeys(names))
            for batch in file.iter_batches(rows, row_groups=groups, columns=columns, use_threads=False):
                hypotheses, *references = (batch.column(name) for name in names)
                yield hypotheses, references[0] if len(references) == 1 else Beside(references)
