"""Columns of other libraries, read where they lie: whatever hands its data over by Arrow's capsules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from refscore import _native
from refscore.errors import InputError, NotInstalledError, RefscoreError
from refscore.segments import Padded

_LISTS = (list, tuple)


class Beside(tuple[Any, ...]):
    """Several columns, each with a reference of every segment; null where one is missing."""

    __slots__ = ()


def columns(hypotheses: Any, references: Any, threads: int) -> tuple[Any, Any]:
    """Both sides, with columns checked and ready for a kernel; what is no column stays as it is."""
    if type(hypotheses) in _LISTS and type(references) in _LISTS:
        return hypotheses, references
    hypotheses = column(hypotheses, "hypotheses", threads)
    if not (isinstance(references, Beside) or is_column(references)):
        return hypotheses, references
    return hypotheses, reference_column(references, threads, of_tokens=_are_tokens(hypotheses))


def column(value: Any, where: str, threads: int) -> Any:
    """A column with one text or token sequence per row, ready for a kernel; what is no column stays as it is."""
    if not is_column(value):
        return value
    return _read([value], value, where, are_references=False, of_tokens=False, threads=threads)


def listed(value: Any, where: str, threads: int) -> Any:
    """A column as a list of its rows; what is no column stays as it is."""
    read = column(value, where, threads)
    return list(read) if isinstance(read, _native.ArrowColumns) else read


def reference_column(value: Any, threads: int, *, of_tokens: bool = False) -> Any:
    """The same of references, where lists of strings are texts unless hypotheses are token sequences."""
    parts = value if isinstance(value, Beside) else [value] if is_column(value) else None
    if parts is None:
        return value
    return _read([*parts], value, "references", are_references=True, of_tokens=of_tokens, threads=threads)


def is_column(value: Any) -> bool:
    """Whether a value gives Arrow data. A pandas column of Python objects would have to copy it, and does not."""
    if isinstance(value, (list, tuple, str, np.ndarray)):
        return False
    kind = type(value)
    gives = hasattr(kind, "__arrow_c_stream__") or hasattr(kind, "__arrow_c_array__")
    return gives and not isinstance(getattr(value, "dtype", None), np.dtype)


def flat(entry: Iterable[Any]) -> list[Any]:
    """The references that several columns have for a segment, where each has one or a list of them."""
    return [item for value in entry for item in (value if isinstance(value, (list, tuple, np.ndarray)) else [value])]


def _read(parts: list[Any], value: Any, where: str, *, are_references: bool, of_tokens: bool, threads: int) -> Any:
    try:
        return _native.ArrowColumns(parts, where, are_references=are_references, of_tokens=of_tokens, threads=threads)
    except (RefscoreError, MemoryError):
        raise
    except ImportError as error:  # pandas hands nothing over without pyarrow
        if not all(hasattr(part, "isna") for part in parts):
            raise NotInstalledError(
                f"{where} cannot be handed over without pyarrow: pip install 'refscore[arrow]'"
            ) from error
        rows = [_listed_table(part, where) for part in parts]
        return rows[0] if len(rows) == 1 else [flat(entry) for entry in zip(*rows, strict=True)]
    except Exception as error:  # whatever a producer raises
        said = str(error).strip().partition("\n")[0]
        raise InputError(None, f"{where} cannot be read through Arrow: {said or type(error).__name__}") from error


def _listed_table(column: Any, where: str) -> list[Any]:
    """The values of a column of pandas, or of a table of one column."""
    if column.ndim == 2:
        if len(column.columns) != 1:
            names = ", ".join(map(str, column.columns))
            raise InputError(
                None, f"{where} is a table of {len(column.columns)} columns ({names}): pass one of its columns"
            )
        column = column.iloc[:, 0]
    return with_none(column)


def with_none(column: Any) -> list[Any]:
    """The values of a column of pandas, with None for what it takes for missing."""
    return [None if missing else value for value, missing in zip(column, column.isna(), strict=True)]


def _are_tokens(hypotheses: Any) -> bool:
    if isinstance(hypotheses, _native.ArrowColumns):
        return hypotheses.kind != "text"
    if isinstance(hypotheses, (Padded, np.ndarray)):
        return True
    return isinstance(hypotheses, (list, tuple)) and len(hypotheses) > 0 and not isinstance(hypotheses[0], str)
