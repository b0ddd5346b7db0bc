"""Reading columns of other libraries without a copy, through Arrow's C interface."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from refscore import _native
from refscore.errors import InputError, NotInstalledError, RefscoreError


class Beside(tuple[Any, ...]):
    """Several columns of references, each with one reference per segment. Null is a missing reference."""

    __slots__ = ()


def is_column(value: Any) -> bool:
    """Return whether a value provides Arrow data without a copy, unlike a pandas column of Python objects."""
    if isinstance(value, (list, tuple, str, np.ndarray)):
        return False
    kind = type(value)
    has_arrow = hasattr(kind, "__arrow_c_stream__") or hasattr(kind, "__arrow_c_array__")
    return has_arrow and not isinstance(getattr(value, "dtype", None), np.dtype)


def read_columns(
    parts: list[Any], where: str, *, are_references: bool, of_tokens: bool, threads: int
) -> _native.ArrowColumns | list[Any]:
    """Return columns for a kernel, or a list of their rows if pandas needs pyarrow, which is not installed."""
    try:
        return _native.ArrowColumns(parts, where, are_references=are_references, of_tokens=of_tokens, threads=threads)
    except (RefscoreError, MemoryError):
        raise
    except ImportError as error:  # pandas needs pyarrow to provide Arrow data
        if not all(hasattr(part, "isna") for part in parts):
            raise NotInstalledError(f"{where} cannot be read without pyarrow: pip install 'refscore[arrow]'") from error
        rows = [_listed_table(part, where) for part in parts]
        return rows[0] if len(rows) == 1 else [flat(entry) for entry in zip(*rows, strict=True)]
    except Exception as error:  # the library of the column may raise anything
        reason = str(error).strip().partition("\n")[0]
        raise InputError(None, f"{where} cannot be read through Arrow: {reason or type(error).__name__}") from error


def flat(entry: Iterable[Any]) -> list[Any]:
    """Return the references of a segment from several columns, each with one reference or a list."""
    return [item for value in entry for item in (value if isinstance(value, (list, tuple, np.ndarray)) else [value])]


def _listed_table(column: Any, where: str) -> list[Any]:
    """Return the values of a pandas column, or of a data frame with one column."""
    if column.ndim == 2:
        if len(column.columns) != 1:
            names = ", ".join(map(str, column.columns))
            raise InputError(
                None, f"{where} is a table of {len(column.columns)} columns ({names}): pass one of its columns"
            )
        column = column.iloc[:, 0]
    return with_none(column)


def with_none(column: Any) -> list[Any]:
    """Return the values of a pandas column, with None for missing values."""
    return [None if missing else value for value, missing in zip(column, column.isna(), strict=True)]
