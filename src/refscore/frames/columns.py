"""Names of columns, checked before anything is scored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from refscore.errors import InputError, SettingError, UnknownNameError


def names_of(value: str | Iterable[str] | None, what: str) -> list[str]:
    """One name or several, as a list.

    >>> names_of("ref", "references"), names_of(None, "score_by")
    (['ref'], [])
    """
    if value is None:
        return []
    names = [value] if isinstance(value, str) else list(value) if isinstance(value, Iterable) else [value]
    if not all(isinstance(name, str) for name in names):
        raise SettingError(f"{what} must be the name of a column, or several names, not {value!r}")
    return names


def check_columns(known: Sequence[Any], hypotheses: Any, references: list[str], score_by: list[str]) -> None:
    """An error for a column that is not there, or for references that no column gives."""
    if not isinstance(hypotheses, str):
        raise SettingError(f"hypotheses must be the name of a column, not {hypotheses!r}")
    if not references:
        raise SettingError("references names no column")
    for name in (hypotheses, *references, *score_by):
        found = list(known).count(name)
        if found == 0:
            raise UnknownNameError.suggest("column", name, [str(column) for column in known])
        if found > 1:
            raise InputError(None, f"there are {found} columns of the name {name!r}")


def check_new_columns(known: Iterable[Any], new: Iterable[str]) -> None:
    """An error for a new column whose name is taken."""
    taken = set(known)
    for name in new:
        if name in taken:
            raise InputError(
                None,
                f"there is a column {name!r} already: rename it, or choose another name, metrics={{'name': 'metric'}}",
            )
