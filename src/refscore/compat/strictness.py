"""Mistakes in input that an original scores: a warning by default, an error with `install(strict=True)`."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from refscore.errors import InputError, Location


class DropInWarning(UserWarning):
    """Issued by drop-ins for input that is probably a mistake, and by `install` where originals stay in use.

    Example:
        >>> import warnings
        >>> from refscore import compat
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore", compat.DropInWarning)
        ...     compat.install("jiwer")
        >>> compat.uninstall("jiwer")
    """


_strict_libraries: set[str] = set()


def set_strict(library: str, strict: bool) -> None:
    (_strict_libraries.add if strict else _strict_libraries.discard)(library)


def tolerate(library: str, location: Location | None, problem: str, fix: str, consequence: str) -> None:
    """Raise an error if a drop-in is strict. Otherwise warn, and let the caller score the input like the original."""
    error = InputError(location, problem, fix)
    if library in _strict_libraries:
        raise error
    warnings.warn(f"{error}. As in {library}, {consequence}", DropInWarning, stacklevel=_stack_level())


def _stack_level() -> int:
    """Return the stack level at the first caller outside refscore, so Python warns once per call site."""
    level = 1
    frame: Any = sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__")).startswith("refscore."):
        frame, level = frame.f_back, level + 1
    return level
