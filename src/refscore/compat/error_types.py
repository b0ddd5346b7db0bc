"""refscore's errors that are also errors of a type that originals raise, so existing `except` clauses catch them."""

from __future__ import annotations

from typing import Any, TypeVar

from refscore.errors import InputError, NotInstalledError, RefscoreError, SettingError, UnknownNameError

E = TypeVar("E", bound=RefscoreError)


def _also(name: str, error: type[E], *originals: type[Exception]) -> type[E]:
    members: dict[str, Any] = {
        "__module__": __name__,  # so that instances can be pickled
        "__doc__": f"A {error.__name__} that is also a {' and a '.join(kind.__name__ for kind in originals)}.",
    }
    if KeyError in originals:  # it would put the message in quotes
        members["__str__"] = Exception.__str__
    return type(name, (error, *originals), members)


InputAssertionError = _also("InputAssertionError", InputError, AssertionError)
# Methods of a text and iteration fail in both ways.
InputAttributeError = _also("InputAttributeError", InputError, AttributeError, TypeError)
InputIndexError = _also("InputIndexError", InputError, IndexError)
InputRuntimeError = _also("InputRuntimeError", InputError, RuntimeError)
InputTypeError = _also("InputTypeError", InputError, TypeError)
InputZeroDivisionError = _also("InputZeroDivisionError", InputError, ZeroDivisionError)
NotInstalledLookupError = _also("NotInstalledLookupError", NotInstalledError, LookupError)
NotInstalledRuntimeError = _also("NotInstalledRuntimeError", NotInstalledError, RuntimeError)
SettingIndexError = _also("SettingIndexError", SettingError, IndexError)
SettingZeroDivisionError = _also("SettingZeroDivisionError", SettingError, ZeroDivisionError)
UnknownNameAssertionError = _also("UnknownNameAssertionError", UnknownNameError, AssertionError)
UnknownNameKeyError = _also("UnknownNameKeyError", UnknownNameError, KeyError)
