"""The edit distance of characters within tercom's beam, for drop-ins whose libraries use it without moves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.settings import whole_number

_MOST_COST = 2**32 - 1


def beam_distances(texts: Sequence[str], targets: Sequence[str], substitution_cost: int = 1) -> list[int]:
    """Return the edit distances between texts and targets. Paths stay within 25 characters from the diagonal."""
    cost = whole_number("substitution_cost", substitution_cost, 0, _MOST_COST)
    return [
        _native.beam_edits(_code_points(text), _code_points(target), cost)
        for text, target in zip(texts, targets, strict=True)
    ]


def _code_points(text: str) -> NDArray[np.int32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.int32)
