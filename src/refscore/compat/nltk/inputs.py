"""Check the input of NLTK's functions: token lists. Like NLTK, read strings as lists of characters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from refscore.compat.error_types import InputAssertionError
from refscore.compat.strictness import tolerate
from refscore.errors import InputError, Location, SettingError, relocated
from refscore.inputs import describe

_SPLIT = "split it into tokens first, with text.split() for words or list(text) for characters"
_TOKEN_LISTS = "pass a list of token lists, also for a single reference, [tokens]"
_ONE_EACH = "pass a list with one entry per segment"

_LIST = frozenset({list})
_LISTS = frozenset({list, tuple})

# Arrays of integers and text, which refscore reads without a copy.
_READ_IN_PLACE = "iuUOb"


def check_order(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise SettingError(f"{name} must be a whole number of at least 1, not {value!r}")


def tokens(value: Any, name: str) -> Any:
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, str):
        return _characters(value, name, _SPLIT)
    if isinstance(value, np.ndarray):
        if value.ndim == 1:
            return value if value.dtype.kind in _READ_IN_PLACE else value.tolist()
    elif hasattr(value, "__dlpack__"):
        return value
    elif hasattr(value, "__len__") and _is_ordered(value):
        return list(value)
    raise InputError(Location(name), f"is {describe(value)}", "pass a list of tokens")


def references_of_one(value: Any) -> Sequence[Any]:
    if isinstance(value, str):
        return [[character] for character in _characters(value, "references", _TOKEN_LISTS)]
    if not _is_ordered(value):
        raise InputError(Location("references"), f"is {describe(value)}", _TOKEN_LISTS)
    return _each(value, _reference, "reference")


def _reference(value: Any) -> Any:
    if isinstance(value, str):
        return _characters(value, "references", f"{_TOKEN_LISTS}. If it is text, {_SPLIT}")
    return tokens(value, "references")


def _characters(text: str, name: str, fix: str) -> list[str]:
    tolerate("nltk", Location(name), "is a string", fix, "its characters are the tokens")
    return list(text)


def segment(references: Any, hypothesis: Any) -> tuple[Sequence[Any], Any]:
    if type(hypothesis) is list and type(references) is list and {*map(type, references)} == _LIST:
        return references, hypothesis
    return references_of_one(references), tokens(hypothesis, "hypothesis")


def corpus(list_of_references: Any, hypotheses: Any) -> tuple[list[Sequence[Any]], list[Any]]:
    entries, outputs = listed(list_of_references, "references"), listed(hypotheses, "hypotheses")
    if len(entries) != len(outputs):
        raise InputAssertionError(
            None,
            f"the number of reference sets ({len(entries)}) is not the number of hypotheses ({len(outputs)})",
            "pass one list of references per hypothesis",
        )
    if _are_lists(outputs) and _are_lists(entries) and _are_lists(chain.from_iterable(entries)):
        return entries, outputs
    return (
        _each(entries, references_of_one, "segment"),
        _each(outputs, lambda output: tokens(output, "hypotheses"), "segment"),
    )


def listed(value: Any, name: str) -> list[Any]:
    if isinstance(value, str):
        return _characters(value, name, _ONE_EACH)
    if not _is_ordered(value):
        raise InputError(Location(name), f"is {describe(value)}", _ONE_EACH)
    return list(value)


def numbered(hypothesis: Iterable[Any], references: Iterable[Any]) -> tuple[list[int], list[list[int]]]:
    """Return integers for a segment's tokens, equal for equal tokens. Tokens need not be hashable."""
    known: list[Any] = []

    def number(token: Any) -> int:
        if token not in known:
            known.append(token)
        return known.index(token)

    return [number(token) for token in hypothesis], [[number(token) for token in side] for side in references]


def are_hashable(values: Iterable[Any]) -> bool:
    try:
        for value in values:
            hash(value)
    except TypeError:
        return False
    return True


def _each(values: Iterable[Any], check: Callable[[Any], Any], index: str) -> list[Any]:
    """Check all values and return them. Errors have the value's index."""
    checked: list[Any] = []
    with relocated(lambda location: replace(location, **{index: len(checked)})):  # type: ignore[arg-type]
        for value in values:
            checked.append(check(value))
    return checked


def _are_lists(values: Iterable[Any]) -> bool:
    return {*map(type, values)} <= _LISTS


def _is_ordered(value: Any) -> bool:
    if isinstance(value, (str, bytes, bytearray, memoryview, Mapping, Set)):
        return False
    return isinstance(value, Iterable) and not (isinstance(value, np.ndarray) and value.ndim == 0)
