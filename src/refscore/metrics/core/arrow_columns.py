"""Columns of other libraries, read without a copy through Arrow's C interface."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from refscore import _native
from refscore.errors import InputError, NotInstalledError, RefscoreError
from refscore.segments import Padded

_LISTS = (list, tuple)


class Beside(tuple[Any, ...]):
    """Several columns of references, each with one reference per segment. Null is a missing reference."""

    __slots__ = ()


def columns(hypotheses: Any, references: Any, threads: int) -> tuple[Any, Any]:
    """Return both sides, with columns checked and ready for a kernel. Other input is unchanged."""
    if type(hypotheses) in _LISTS and type(references) in _LISTS:
        return hypotheses, references
    hypotheses = column(hypotheses, "hypotheses", threads)
    if not (isinstance(references, Beside) or is_column(references)):
        return hypotheses, references
    return hypotheses, reference_column(references, threads, of_tokens=_are_tokens(hypotheses))


def column(value: Any, where: str, threads: int) -> Any:
    """Return a column of texts or token sequences, ready for a kernel. Other input is unchanged."""
    if not is_column(value):
        return value
    return _read([value], value, where, are_references=False, of_tokens=False, threads=threads)


def listed(value: Any, where: str, threads: int) -> Any:
    """Return a column as a list of its rows. Other input is unchanged."""
    read = column(value, where, threads)
    return list(read) if isinstance(read, _native.ArrowColumns) else read


def reference_column(value: Any, threads: int, *, of_tokens: bool = False) -> Any:
    """Return a column of references, ready for a kernel. Lists of strings are texts unless `of_tokens` is true."""
    parts = value if isinstance(value, Beside) else [value] if is_column(value) else None
    if parts is None:
        return value
    return _read([*parts], value, "references", are_references=True, of_tokens=of_tokens, threads=threads)


def is_column(value: Any) -> bool:
    """Return whether a value provides Arrow data without a copy, unlike a pandas column of Python objects."""
    if isinstance(value, (list, tuple, str, np.ndarray)):
        return False
    kind = type(value)
    has_arrow = hasattr(kind, "__arrow_c_stream__") or hasattr(kind, "__arrow_c_array__")
    return has_arrow and not isinstance(getattr(value, "dtype", None), np.dtype)


def flat(entry: Iterable[Any]) -> list[Any]:
    """Return the references of a segment from several columns, each with one reference or a list."""
    return [item for value in entry for item in (value if isinstance(value, (list, tuple, np.ndarray)) else [value])]


def _read(parts: list[Any], value: Any, where: str, *, are_references: bool, of_tokens: bool, threads: int) -> Any:
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


def _are_tokens(hypotheses: Any) -> bool:
    if isinstance(hypotheses, _native.ArrowColumns):
        return hypotheses.kind != "text"
    if isinstance(hypotheses, (Padded, np.ndarray)):
        return True
    return isinstance(hypotheses, (list, tuple)) and len(hypotheses) > 0 and not isinstance(hypotheses[0], str)
