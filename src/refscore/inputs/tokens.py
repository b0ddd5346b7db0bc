"""Tokens of any type; those that the kernels cannot read are numbered."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Literal

import numpy as np

from refscore.errors import InputError, Location
from refscore.inputs.arrays import describe

MixedTokens = Literal["number", "no strings", "refuse", "keep"]
"""What to do with tokens that are neither all strings nor all integers. "number": number them for the kernels; equal
tokens get equal numbers. "no strings": the same, but strings are an error, for metrics that look inside words.
"refuse": raise an error, for metrics that store tokens between calls. "keep": change nothing, for Python metrics."""


class MixedTokensError(InputError):
    """Raised for tokens that are neither all strings nor all integers, by a metric that stores tokens."""


def number_tokens(
    sequences: Iterable[Sequence[Hashable]],
    numbers: dict[Hashable, int],
    side: Location,
    mixed: MixedTokens = "number",
) -> list[list[int]]:
    """Replace tokens by numbers; equal tokens get equal numbers. New tokens are added to the dictionary `numbers`.

    The sequences are the segments of a `side`, or the references if its location has a segment. `mixed` decides which
    tokens are errors.
    """

    def locate(sequence: int, token: int | None) -> Location:
        if side.segment is None:
            return replace(side, segment=sequence, token=token)
        return replace(side, reference=sequence, token=token)

    numbered = []
    for i, sequence in enumerate(sequences):
        if mixed == "refuse":
            raise MixedTokensError(
                locate(i, None),
                "has tokens that are neither all strings nor all 64-bit integers, on both sides",
                "a fitted metric stores tokens between calls: pass only strings or only integers",
            )
        if any(hasattr(kind, "__dlpack__") for kind in set(map(type, sequence))):
            tensor = next(k for k, token in enumerate(sequence) if hasattr(token, "__dlpack__"))
            raise InputError(
                locate(i, tensor), "is a tensor, not a token", "pass the sequence as one tensor, or call .tolist()"
            )
        if mixed == "no strings" and any(isinstance(token, str) for token in sequence):
            word = next(k for k, token in enumerate(sequence) if isinstance(token, str))
            raise InputError(
                locate(i, word),
                "is a string, and not all tokens are plain strings",
                "this metric looks inside words: pass only strings, or no strings at all",
            )
        try:
            numbered.append([numbers.setdefault(token, len(numbers)) for token in sequence])
        except TypeError:
            bad = next((k for k, token in enumerate(sequence) if not _is_hashable(token)), None)
            if bad is None:  # hashing succeeded, so the comparison failed
                raise
            raise InputError(locate(i, bad), f"is {describe(sequence[bad])}", "tokens must be hashable") from None
    return numbered


def as_list(tokens: Any) -> list[Any]:
    return tokens.tolist() if isinstance(tokens, np.ndarray) else list(tokens)


def _is_hashable(token: object) -> bool:
    try:
        hash(token)
    except TypeError:
        return False
    return True


def _compares_as_string(kind: Any) -> bool:
    """Return whether tokens of a type are compared like strings."""
    overrides = kind.__eq__ is not str.__eq__ or kind.__hash__ is not str.__hash__
    return kind is np.str_ or (issubclass(kind, str) and not overrides)


def uniform_tokens(sequences: list[list[Any]]) -> list[list[Any]] | None:
    """Return the sequences as strings or as integers, or None if the tokens are of different or other types."""
    types = set(map(type, chain.from_iterable(sequences)))
    if types <= {str}:
        return sequences
    if all(map(_compares_as_string, types)):
        return [[str.__str__(token) for token in sequence] for sequence in sequences]
    if all(kind in (int, bool) or issubclass(kind, np.integer) for kind in types):
        numbers = [[int(token) for token in sequence] for sequence in sequences]
        if all(-(2**63) <= token < 2**63 for token in chain.from_iterable(numbers)):
            return numbers
    return None


def plain_tokens(
    hypotheses: list[Any],
    references: list[list[Any]],
    *,
    mixed: MixedTokens = "number",
    numbers: dict[Hashable, int] | None = None,
) -> tuple[list[Any], list[list[Any]]]:
    """Return both sides in types that the kernels read: arrays, strings or integers.

    Other tokens are numbered, and added to `numbers`.
    """
    if mixed == "keep":
        return [*map(as_list, hypotheses)], [[*map(as_list, entry)] for entry in references]
    flat = [*hypotheses, *chain.from_iterable(references)]
    if any(isinstance(item, np.ndarray) for item in flat):
        if all(isinstance(item, np.ndarray) for item in flat):
            return hypotheses, references
        flat = [item.tolist() if isinstance(item, np.ndarray) else item for item in flat]
    uniform = uniform_tokens(flat)
    if uniform is None:
        numbers = {} if numbers is None else numbers
        rest = iter(flat)
        uniform = number_tokens([next(rest) for _ in hypotheses], numbers, Location("hypotheses"), mixed)
        for i, entry in enumerate(references):
            uniform += number_tokens([next(rest) for _ in entry], numbers, Location("references", i), mixed)
    rest = iter(uniform)
    return [next(rest) for _ in hypotheses], [[next(rest) for _ in entry] for entry in references]
