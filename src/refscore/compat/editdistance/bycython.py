"""editdistance's `editdistance.bycython`: the edit distance of two texts or sequences."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from refscore.metrics import CER

__all__ = ["eval", "eval_criterion"]

_counts = CER().counts
_STRINGS = {str}


def eval(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Return the number of insertions, deletions and substitutions between two texts or sequences.

    Example:
        >>> from refscore.compat import editdistance
        >>> editdistance.eval("kitten", "sitting"), editdistance.eval(["a", "cat"], ["the", "cat"])
        (3, 1)
    """
    if not (type(a) is type(b) is str):
        if not (type(a) is type(b) is list and {*map(type, a), *map(type, b)} == _STRINGS):
            a, b = list(map(hash, a)), list(map(hash, b))  # like editdistance, which finds -1 and -2 equal
    elif a.strip() is not a or b.strip() is not b:  # CER would ignore whitespace at both ends
        a, b = list(a), list(b)
    _, substitutions, deletions, insertions = _counts(a, b)
    return substitutions + deletions + insertions


def eval_criterion(a: Sequence[Hashable], b: Sequence[Hashable], thr: int) -> bool:
    """Return whether the distance is at most `thr`. Like editdistance, deny it for `thr=0`, unless a side is empty.

    Example:
        >>> from refscore.compat import editdistance
        >>> editdistance.eval_criterion("kitten", "sitting", 3), editdistance.eval_criterion("a", "a", 0)
        (True, False)
    """
    if thr < 0:
        raise OverflowError("can't convert negative value to unsigned int")
    return (thr > 0 or not len(a) or not len(b)) and eval(a, b) <= thr
