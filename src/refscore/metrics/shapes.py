"""Which shape pairwise input has: one group of segments on each side, or a batch of such groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from refscore.errors import InputError
from refscore.metrics.references import PreparedReferences
from refscore.segments import Padded


def groups(hypotheses: Any, references: Any, tokens: bool) -> list[tuple[Any, Any]] | None:
    """The groups of a batch, hypotheses with references; None if both sides are one group."""
    if isinstance(references, PreparedReferences):
        return None
    batched = [side for side in (_is_batch(hypotheses, tokens), _is_batch(references, tokens)) if side is not None]
    if not any(batched):
        return None
    if not all(batched):
        raise InputError("hypotheses and references of pairwise have to be both one group, or both a batch of groups")
    if len(hypotheses) != len(references):
        raise InputError(
            f"{len(hypotheses)} groups of hypotheses but {len(references)} of references: give one for each"
        )
    return list(zip(hypotheses, references, strict=True))


def _is_batch(side: Any, tokens: bool) -> bool | None:
    """Whether a side is a batch of groups; None if it is too empty to tell."""
    if isinstance(side, (str, Padded)) or not isinstance(side, (list, tuple)):
        return False
    for depth, leaf in _leaves(side):
        if isinstance(leaf, str):
            # Strings at depth 1 are texts; deeper, a list of strings is a group of texts unless said to be tokens.
            return depth > (2 if tokens else 1)
        if isinstance(leaf, np.ndarray) or hasattr(leaf, "__dlpack__"):
            return depth + np.ndim(leaf) > 2
        return depth > 2
    return None


def _leaves(value: Any, depth: int = 0) -> Iterator[tuple[int, Any]]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _leaves(item, depth + 1)
    else:
        yield depth, value
