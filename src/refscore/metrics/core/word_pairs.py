"""The words of a hypothesis and one reference, numbered for alignment."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from refscore.errors import InputError, Location, relocated
from refscore.inputs import check_hypotheses, number_tokens
from refscore.metrics.core.limits import check_limits
from refscore.tokenizers.pipeline import Pipeline


class NumberedPair(NamedTuple):
    """The words of both sides, and their numbers for native code. Equal words have equal numbers."""

    words: list[Hashable]
    targets: list[Hashable]
    numbers: list[int]
    target_numbers: list[int]
    vocabulary: int  # greater than all numbers


def in_pair(location: Location) -> Location:
    """Return the location in the arguments of an alignment: the hypothesis and one reference."""
    return Location("hypothesis" if location.side == "hypotheses" else "reference", token=location.token)


def read_pair(pipeline: Pipeline, hypothesis: Any, reference: Any) -> tuple[list[Hashable], list[Hashable]]:
    """Return the words of a hypothesis and one reference. Both must be text, or both tokens."""
    with relocated(in_pair):
        (item,), kind = check_hypotheses([hypothesis])
        (target,), target_kind = check_hypotheses([reference], "references")
    if (kind == "text") != (target_kind == "text"):
        raise InputError(None, "text and tokens cannot be aligned", "pass both as text or both as tokens")
    words, targets = pipeline.words(item), pipeline.words(target, is_reference=True)
    with relocated(in_pair):
        check_limits([words], [[targets]])
    return words, targets


def numbered_pair(pipeline: Pipeline, hypothesis: Any, reference: Any) -> NumberedPair:
    """Return the words of a hypothesis and one reference, numbered."""
    words, targets = read_pair(pipeline, hypothesis, reference)
    known: dict[Hashable, int] = {}
    with relocated(in_pair):
        (numbers,) = number_tokens([words], known, Location("hypotheses"))
        (target_numbers,) = number_tokens([targets], known, Location("references"))
    return NumberedPair(words, targets, numbers, target_numbers, len(known))
