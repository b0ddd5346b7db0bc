"""Input for all pairs: one group of texts on each side, or a batch of groups."""

from __future__ import annotations

from collections.abc import Callable
from operator import methodcaller
from typing import Any

from refscore.errors import InputError, Location, relocated
from refscore.inputs import is_sequence, nesting
from refscore.metrics.core.prepared import PreparedReferences


def map_groups(
    call: Callable[..., Any],
    hypotheses: Any,
    references: Any,
    tokens: bool,
    *further: tuple[Any, Location],
) -> Any:
    """Return `call(hypotheses, references, …)`; for a batch, a list with the result of each group.

    `further` has more arguments, each with its location: one value for a group, or one per group of a batch.
    """
    groups = _split_groups(hypotheses, references, tokens)
    if groups is None:
        return call(hypotheses, references, *(value for value, _ in further))
    columns = []
    for value, location in further:
        if value is not None and (not is_sequence(value) or len(value) != len(groups)):
            raise InputError(location, f"must have one entry per group, {len(groups)} in all")
        columns.append([None] * len(groups) if value is None else value)
    results = []
    for i, (group, *values) in enumerate(zip(groups, *columns, strict=True)):
        with relocated(methodcaller("in_group", i)):
            results.append(call(*group, *values))
    return results


def _split_groups(hypotheses: Any, references: Any, tokens: bool) -> list[tuple[Any, Any]] | None:
    """Return the groups of a batch as pairs of hypotheses and references; None if each side is one group."""
    if isinstance(references, PreparedReferences):
        return None
    batched = [side for side in (_is_batch(hypotheses, tokens), _is_batch(references, tokens)) if side is not None]
    if not any(batched):
        return None
    if not all(batched):
        raise InputError(
            None, "one side is a group and the other a batch of groups", "pass a group or a batch on both sides"
        )
    if len(hypotheses) != len(references):
        raise InputError(
            None, f"{len(hypotheses)} groups of hypotheses but {len(references)} of references: pass the same number"
        )
    return list(zip(hypotheses, references, strict=True))


def _is_batch(side: Any, tokens: bool) -> bool | None:
    """Return whether a side is a batch of groups; None if it is empty and could be either."""
    measured = nesting(side, Location("pairwise input"))
    if measured is None:
        return None
    depth, of_text = measured
    # A list of lists of strings is a batch of texts, unless `tokens` says that it holds token sequences.
    return depth > (1 if of_text and not tokens else 2)
