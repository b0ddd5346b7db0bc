"""editdistance's `editdistance.bycython`: the edit distance of two texts or sequences."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from refscore.metrics import CER
from refscore.metrics.error_rate.metric import edit_distance_functions

__all__ = ["eval", "eval_criterion"]

_counts = CER().counts
_STRINGS = {str}

if TYPE_CHECKING:

    def eval(a: Sequence[Hashable], b: Sequence[Hashable]) -> int: ...
    def eval_criterion(a: Sequence[Hashable], b: Sequence[Hashable], thr: int) -> bool: ...

else:
    eval, eval_criterion = edit_distance_functions(sys.modules[__name__])


def _long_distance(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Return the distance of long sequences, or of any under limits. The native functions call this."""
    if not (type(a) is type(b) is str):
        if not (type(a) is type(b) is list and {*map(type, a), *map(type, b)} == _STRINGS):
            a, b = _hashes(a), _hashes(b)
    elif a.strip() is not a or b.strip() is not b:  # CER would ignore whitespace at both ends
        a, b = list(a), list(b)
    _, substitutions, deletions, insertions = _counts(a, b)
    return substitutions + deletions + insertions


def _hashes(items: Sequence[Hashable]) -> list[int]:
    """Return hashes. Like editdistance, find -1 and -2 equal, and read items by their indexes."""
    return [hash(items[i]) for i in range(len(items))]
