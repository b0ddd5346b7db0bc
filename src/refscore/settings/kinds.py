"""Kinds of settings: how values are checked, written in signatures, read and shown."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from numbers import Real
from typing import Any

import numpy as np

from refscore.cached import cached_property
from refscore.errors import SettingError, UnknownNameError

_FLAG_WORDS = {"yes": True, "true": True, "no": False, "false": False}


class Kind:
    """The type of a setting's values: how they are checked, written and read.

    This class accepts any text. Subclasses accept numbers, flags, names from a list, and so on.

    Example:
        >>> Kind().check("label", "x"), Kind().values
        ('x', ('a name',))
    """

    values: tuple[str, ...] = ("a name",)
    """The accepted values, in words."""

    def check(self, name: str, value: Any) -> Any:
        """Return the value in its plain type, or raise a SettingError."""
        if not isinstance(value, str):
            raise SettingError(f"{name} must be a string, not {value!r}")
        return value

    def write(self, value: Any) -> str:
        """Return the value as it is written in signatures."""
        return str(value)

    def read(self, text: str) -> Any:
        """Return the value from the text of `write`. Raise a ValueError if there is none."""
        return text

    def parse(self, text: str) -> Any:
        """Return the value from a user's text. Raise a ValueError if there is none."""
        return self.read(text)

    def show(self, value: Any) -> str:
        """Return the value as users write it."""
        return show_value(value)

    @property
    def signature_values(self) -> Iterable[str]:
        """The values in signatures, in words."""
        return self.values


class Choice(Kind):
    """One of several values, each with its name in signatures.

    Args:
        values: The values with their names in signatures, or a list of names that are also the values.

    Example:
        >>> case = Choice({True: "lc", False: "mixed", "ascii": "lc-ascii"})
        >>> case.write(True), case.read("lc-ascii"), case.parse("no"), case.values
        ('lc', 'ascii', False, ('yes', 'no', 'ascii'))
    """

    def __init__(self, values: Mapping[Any, str] | Iterable[str]) -> None:
        self._names = dict(values) if isinstance(values, Mapping) else {value: value for value in values}
        self.values = tuple(map(show_value, self._names))

    def check(self, name: str, value: Any) -> Any:
        """Return the value if it is one of the choices."""
        # 1 == True, but 1 is not a flag.
        if isinstance(value, (str, bool, type(None))) and value in self._names:
            return value
        if all(isinstance(known, str) for known in self._names):
            raise UnknownNameError.suggest(name, value, self._names)
        raise SettingError(f"{name} must be {alternatives(map(repr, self._names))}, not {value!r}")

    def write(self, value: Any) -> str:
        """Return the value's name in signatures."""
        return self._names[value]

    def read(self, text: str) -> Any:
        """Return the value with this name in signatures."""
        return _find(self._names, lambda value, name: name == text, self._names.values(), text)

    def parse(self, text: str) -> Any:
        """Return the value from a user's text: yes, no and none for True, False and None."""
        word = _FLAG_WORDS.get(text.lower(), text)
        return _find(self._names, lambda value, _: value == word or show_value(value) == word, self.values, text)

    @property
    def signature_values(self) -> Iterable[str]:
        """The names in signatures."""
        return self._names.values()


class Flag(Choice):
    """True or False.

    Example:
        >>> Flag().parse("yes"), Flag().write(False)
        (True, 'no')
    """

    def __init__(self) -> None:
        super().__init__({True: "yes", False: "no"})


class WholeNumber(Kind):
    """A whole number within bounds.

    Example:
        >>> WholeNumber(1, 64).values
        ('a whole number from 1 to 64',)
    """

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self.least = least
        self.most = most
        self.values = (f"a whole number{_bounds(least, most)}",)

    def check(self, name: str, value: Any) -> int:
        """Return the number as an int."""
        return whole_number(name, value, self.least, self.most)

    def read(self, text: str) -> int:
        """Return the number."""
        return int(text)


class Number(Kind):
    """A finite number within bounds.

    Example:
        >>> Number(0).check("beta", 2), Number(0).values
        (2.0, ('a number of at least 0',))
    """

    def __init__(self, least: float | None = None, most: float | None = None) -> None:
        self._least = least
        self._most = most
        self.values = (f"a number{_bounds(least, most)}",)

    def check(self, name: str, value: Any) -> float:
        """Return the number as a float."""
        number = math.nan
        with suppress(TypeError, OverflowError):
            number = as_float(value)
        if math.isfinite(number) and self._allows(number):
            return number
        raise SettingError(f"{name} must be {self.values[0]}, not {value!r}")

    def _allows(self, number: float) -> bool:
        least = -math.inf if self._least is None else self._least
        return least <= number <= (math.inf if self._most is None else self._most)

    def write(self, value: float) -> str:
        """Return the number with all its digits."""
        return repr(value)

    def read(self, text: str) -> float:
        """Return the number."""
        return float(text)


class Share(Number):
    """A number above 0 and below 1.

    Args:
        example: A value for error messages.
        may_be_1: Whether 1 is also allowed.

    Example:
        >>> Share(0.95).check("confidence", 95)
        Traceback (most recent call last):
        refscore.errors.SettingError: confidence must be a number between 0 and 1 such as 0.95, not 95
    """

    def __init__(self, example: float, *, may_be_1: bool = False) -> None:
        super().__init__(0, 1)
        self.may_be_1 = may_be_1
        bounds = "above 0 and at most 1" if may_be_1 else "between 0 and 1"
        self.values = (f"a number {bounds} such as {example:g}",)

    def _allows(self, number: float) -> bool:
        return 0 < number < 1 or (self.may_be_1 and number == 1)


class OrNone(Kind):
    """A value of a different kind, or None.

    Args:
        kind: The kind of all other values.
        none: The name of None in signatures.

    Example:
        >>> limit = OrNone(WholeNumber(1), none="all")
        >>> limit.write(None), limit.read("all"), limit.read("3"), limit.parse("none")
        ('all', None, 3, None)
    """

    def __init__(self, kind: Kind, none: str = "none") -> None:
        self.kind = kind
        self.none = none
        self.values = (*kind.values, "none")

    def check(self, name: str, value: Any) -> Any:
        """Return None, or the value in its plain type."""
        return None if value is None else self.kind.check(name, value)

    def write(self, value: Any) -> str:
        """Return the value as it is written in signatures."""
        return self.none if value is None else self.kind.write(value)

    def read(self, text: str) -> Any:
        """Return the value from the text of `write`."""
        return None if text == self.none else self.kind.read(text)

    def parse(self, text: str) -> Any:
        """Return the value from a user's text; None for "none"."""
        return None if text.lower() == "none" else self.kind.parse(text)

    def show(self, value: Any) -> str:
        """Return the value as users write it."""
        return show_value(None) if value is None else self.kind.show(value)


class Digested(ABC):
    """Content of a setting, such as rules from a file, that compares by its digest. Signatures have only the digest."""

    @abstractmethod
    def to_bytes(self) -> bytes:
        """Return the content as bytes. Equal contents give equal bytes."""

    @cached_property
    def digest(self) -> str:
        """A digest of the content: sixteen hexadecimal digits."""
        from hashlib import sha256  # slow to import

        return sha256(self.to_bytes()).hexdigest()[:16]

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)


class DigestKind(Kind):
    """Digested content, or None."""

    values: tuple[str, ...] = ()

    def write(self, value: Digested | None) -> str:
        """Return the digest of the content."""
        return "none" if value is None else value.digest


def _bounds(least: float | None, most: float | None) -> str:
    """Return the bounds of a number in words."""
    if least is None:
        return ""
    if most is not None and most >= 2**53:
        return f" from {least:,} to 2**{int(most).bit_length()} - 1"
    return f" of at least {least:,}" if most is None else f" from {least:,} to {most:,}"


def show_value(value: Any) -> str:
    """Return a setting's value as users write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return ", ".join(item if isinstance(item, str) else f"{item:g}" for item in value) or "none"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, str):
        return value
    return str(value)


def as_float(value: Any) -> float:
    """Return a number as a float. Raise a TypeError if it is not a number, an OverflowError if it is too large."""
    if isinstance(value, (bool, str)) or not isinstance(value, Real):
        raise TypeError(value)
    return float(value)


def whole_number(name: str, value: Any, least: int | None, most: int | None) -> int:
    """Return a whole number within bounds as an int, or raise a SettingError."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or (least is not None and value < least):
        bound = "" if least is None else f" of at least {least}"
        raise SettingError(f"{name} must be a whole number{bound}, not {value!r}")
    if most is not None and value > most:
        raise SettingError(f"{name} must be at most {most:,}, not {value:,}")
    return int(value)


def check_flag(name: str, value: Any) -> None:
    """Raise a SettingError unless the value is True or False."""
    if not isinstance(value, bool):
        raise SettingError(f"{name} must be True or False, not {value!r}")


def _find(names: Mapping[Any, str], fits: Callable[[Any, str], bool], known: Iterable[str], text: str) -> Any:
    for value, name in names.items():
        if fits(value, name):
            return value
    raise ValueError(f"{text!r} is not {alternatives(known)}")


def alternatives(words: Iterable[str]) -> str:
    """Return words as a list of alternatives: "a, b or c"."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
