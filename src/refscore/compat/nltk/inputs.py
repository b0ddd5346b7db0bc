"""Check the input of NLTK's functions: token lists. Like NLTK, read strings as lists of characters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from refscore.compat.error_types import InputAssertionError, InputTypeError
from refscore.compat.strictness import tolerate
from refscore.errors import Location, SettingError, relocated
from refscore.inputs import describe

_TOKENS = "pass a list of tokens, such as text.split() for words or list(text) for characters"
_TOKEN_LISTS = "pass a list of token lists, also for a single reference, [tokens]"
_REFERENCE = f"{_TOKEN_LISTS}. For a text, {_TOKENS}"

_LIST = frozenset({list})
_LISTS = frozenset({list, tuple})

# Arrays of integers and text, which refscore reads without a copy.
_READ_IN_PLACE = "iuUOb"


def check_order(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise SettingError(f"{name} must be a whole number of at least 1, not {value!r}")


def tokens(value: Any, name: str, fix: str = _TOKENS) -> Any:
    """Return a sequence that refscore reads."""
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return value if value.dtype.kind in _READ_IN_PLACE else value.tolist()
    if hasattr(value, "__dlpack__") and not isinstance(value, np.ndarray):
        return value
    if hasattr(value, "__len__") and not isinstance(value, np.ndarray):
        return listed(value, name, fix)
    raise InputTypeError(Location(name), f"is {describe(value)}", fix)


def listed(value: Any, name: str, fix: str = "pass a list with one entry per segment") -> list[Any]:
    """Return what a collection contains. Like NLTK, accept strings and unordered collections."""
    if isinstance(value, str):
        tolerate("nltk", Location(name), "is a string", fix, "its characters are the tokens")
    elif isinstance(value, (bytes, bytearray, memoryview, Mapping, Set)):
        tolerate("nltk", Location(name), f"is {describe(value)}", fix, "its items are the tokens")
    elif not isinstance(value, Iterable) or (isinstance(value, np.ndarray) and value.ndim == 0):
        raise InputTypeError(Location(name), f"is {describe(value)}", fix)
    return list(value)


def references_of_one(value: Any) -> Sequence[Any]:
    if type(value) is list and {*map(type, value)} == _LIST:
        return value
    references = listed(value, "references", _TOKEN_LISTS)
    if isinstance(value, str):
        return [[character] for character in references]
    return _each(references, lambda reference: tokens(reference, "references", _REFERENCE), "reference")


def segment(references: Any, hypothesis: Any) -> tuple[Sequence[Any], Any]:
    if type(hypothesis) is type(references) is list and len(references) == 1 and type(references[0]) is list:
        return references, hypothesis  # the usual case, because calls take time
    return references_of_one(references), hypothesis if type(hypothesis) is list else tokens(hypothesis, "hypothesis")


def corpus(list_of_references: Any, hypotheses: Any) -> tuple[list[Sequence[Any]], list[Any]]:
    if is_one_segment(list_of_references, hypotheses):
        return list_of_references, hypotheses
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


def is_one_segment(list_of_references: Any, hypotheses: Any) -> bool:
    """Return whether this is a corpus with one segment, in lists. Many programs score one segment per call."""
    if not (type(hypotheses) is type(list_of_references) is list and len(hypotheses) == len(list_of_references) == 1):
        return False
    references = list_of_references[0]
    return type(hypotheses[0]) is type(references) is list and {*map(type, references)} == _LIST


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
