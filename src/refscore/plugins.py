"""Names of tokenizers, normalizers and metrics that users register or installed packages provide."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from typing import Any

from refscore.errors import SettingError


def check_name(kind: str, name: object, built_in: Container[object]) -> None:
    """Raise an error if a function of this kind cannot have this name.

    >>> check_name("tokenizer", "my tokenizer", [])
    Traceback (most recent call last):
    refscore.errors.SettingError: a tokenizer's name can have only letters, digits and .+-_, not 'my tokenizer'
    """
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9.+_-]+", name):
        raise SettingError(f"a {kind}'s name can have only letters, digits and .+-_, not {name!r}")
    if name in built_in:
        raise SettingError(f"the {kind} {name!r} is built in and cannot be replaced: choose a different name")


def summary_of(function: object) -> str:
    """Return the first line of a function's docstring.

    >>> summary_of(str.split).partition(" of ")[0]
    'Return a list'
    """
    return (getattr(function, "__doc__", None) or "").strip().partition("\n")[0]


def custom_name(function: object) -> str:
    """Return the name of an unregistered function in signatures.

    >>> custom_name(str.split)
    'custom(builtins.str.split)'
    """
    module = getattr(function, "__module__", None) or "builtins"
    return f"custom({module}.{getattr(function, '__qualname__', type(function).__qualname__)})"


def entry_points_of(group: str) -> dict[str, Any]:
    """Return the entry points of a group by name.

    >>> entry_points_of("refscore.nothing")
    {}
    """
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    return {point.name: point for point in entry_points(group=group)}


def register_entry_point(kind: str, point: Any, register: Callable[[str, Any], None]) -> None:
    try:
        register(point.name, point.load())
    except (Exception, SystemExit) as error:
        raise broken_entry_point(kind, point, error) from error


def broken_entry_point(kind: str, point: Any, error: BaseException) -> SettingError:
    reason = describe_error(error)
    return SettingError(f"the {kind} {point.name!r} cannot be loaded from {point.value!r}: {reason}")


def describe_error(error: BaseException) -> str:
    """Return what a module raised while it was imported.

    >>> describe_error(KeyError("x")), describe_error(ImportError("No module named 'x'"))
    ("KeyError: 'x'", "No module named 'x'")
    """
    explains_itself = isinstance(error, (ImportError, SyntaxError, SettingError))
    return str(error) if explains_itself else f"{type(error).__name__}: {error}"
