"""What NLTK's functions take: lists of tokens. Strings, which NLTK reads as lists of characters, are refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import Any

import numpy as np

from refscore.errors import InputError

_HINT = "split it into tokens first, with text.split() for words or list(text) for characters"

_LIST = frozenset({list})
_LISTS = frozenset({list, tuple})

# Arrays of integers and text that refscore reads as they are.
_READ_IN_PLACE = "iuUOb"


class UnequalCountsError(InputError, AssertionError):
    """Raised for unequal numbers of references and hypotheses, where NLTK raises a ValueError or an AssertionError."""


class NothingToScoreError(InputError, ZeroDivisionError):
    """Raised where NLTK divides by 0: nothing has the n-grams, or the words, that are asked for."""


class NotTokensError(InputError, TypeError):
    """Raised for what is no list of words, where NLTK raises a TypeError."""


def tokens(value: Any, where: str) -> Any:
    """One hypothesis or reference: a list, a tuple or an array."""
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, str):
        raise InputError(None, f"{where} is a string: {_HINT}")
    if isinstance(value, np.ndarray):
        if value.ndim == 1:
            return value if value.dtype.kind in _READ_IN_PLACE else value.tolist()
    elif hasattr(value, "__dlpack__"):
        return value
    elif hasattr(value, "__len__") and _is_ordered(value):
        return list(value)
    raise InputError(None, f"{where} is {described(value)}: expected a list of tokens")


def references_of_one(value: Any, where: str) -> Sequence[Any]:
    """The references of one segment: a list, which may be empty."""
    if isinstance(value, str):
        raise InputError(None, f"{where} is a string: expected a list of references, each a list of tokens")
    if not _is_ordered(value):
        raise InputError(None, f"{where} is {described(value)}: expected a list of references, each a list of tokens")
    found = list(value)
    for r, reference in enumerate(found):
        if isinstance(reference, str):
            raise InputError(
                None,
                f"{where}[{r}] is a string: each reference is a list of tokens, and even a single one stands in a "
                f"list, [tokens]; if it is text, {_HINT}",
            )
        found[r] = tokens(reference, f"{where}[{r}]")
    return found


def segment(references: Any, hypothesis: Any) -> tuple[Sequence[Any], Any]:
    """The references and the hypothesis of one segment, checked."""
    if type(hypothesis) is list and type(references) is list and {*map(type, references)} == _LIST:
        return references, hypothesis
    return references_of_one(references, "references"), tokens(hypothesis, "hypothesis")


def corpus(list_of_references: Any, hypotheses: Any) -> tuple[list[Sequence[Any]], list[Any]]:
    """The references and hypotheses of a corpus, checked; there are as many of the ones as of the others."""
    for name, value in (("references", list_of_references), ("hypotheses", hypotheses)):
        if isinstance(value, str):
            raise InputError(None, f"{name} is a string: expected a list with one entry for each segment")
        if not _is_ordered(value):
            raise InputError(None, f"{name} is {described(value)}: expected a list with one entry for each segment")
    entries, outputs = list(list_of_references), list(hypotheses)
    if len(entries) != len(outputs):
        raise UnequalCountsError(
            f"{len(outputs)} hypotheses but {len(entries)} {'entry' if len(entries) == 1 else 'entries'} of "
            "references: give one list of references for each hypothesis"
        )
    if _are_lists(outputs) and _are_lists(entries) and _are_lists(chain.from_iterable(entries)):
        return entries, outputs
    return (
        [references_of_one(entry, f"references[{i}]") for i, entry in enumerate(entries)],
        [tokens(output, f"hypotheses[{i}]") for i, output in enumerate(outputs)],
    )


def _are_lists(values: Iterable[Any]) -> bool:
    return {*map(type, values)} <= _LISTS


def _is_ordered(value: Any) -> bool:
    if isinstance(value, (bytes, bytearray, memoryview, Mapping, Set)):
        return False
    return isinstance(value, Iterable) and not (isinstance(value, np.ndarray) and value.ndim == 0)


def described(value: object) -> str:
    """A value in an error message."""
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"an array with {value.ndim} dimensions"
    text = repr(value)
    return f"{text if len(text) <= 40 else text[:37] + '...'} ({type(value).__name__})"
