"""Check predictions and targets in the shapes that torchmetrics accepts, and return them as lists."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from refscore.compat.error_types import InputAttributeError, InputTypeError
from refscore.compat.strictness import tolerate
from refscore.errors import InputError, Location

_LISTS = "pass a list of references per prediction"
_tolerate = partial(tolerate, "torchmetrics")


def listed(preds: Any, target: Any, truncates: bool) -> tuple[list[Any], list[Any]]:
    """Return both sides as equally long lists. Some metrics truncate the longer side."""
    if not isinstance(preds, Iterable) or not isinstance(target, Iterable):
        raise InputTypeError(None, "preds and target must be lists with one entry per segment")
    if isinstance(preds, str):
        _tolerate(Location("preds"), "is a string", "pass a list of predictions", "its characters are predictions")
    if isinstance(target, str):
        _tolerate(Location("target"), "is a string", _LISTS, "its characters are targets")
    texts, references = list(preds), list(target)
    if len(texts) != len(references):
        sizes = f"the corpus has different sizes, {len(texts)} != {len(references)}"
        fix = "preds and target need the same number of entries"
        if not truncates:
            raise InputError(None, sizes, fix)
        count = min(len(texts), len(references))
        _tolerate(None, sizes, fix, f"only the first {count} are scored")
        return texts[:count], references[:count]
    return texts, references


def grouped(preds: Any, target: Any, truncates: bool = False) -> tuple[list[str], list[list[str]]]:
    """Return texts, and a list of references per text. None and an empty list mean empty texts."""
    texts, groups = listed(preds, target, truncates)
    return [_text(text, "preds", i) for i, text in enumerate(texts)], [
        _texts(group, i) for i, group in enumerate(groups)
    ]


def _texts(group: Any, segment: int) -> list[str]:
    if isinstance(group, str):
        _tolerate(Location("target", segment), "is a string", _LISTS, "its characters are references")
    elif not isinstance(group, Iterable):
        raise InputTypeError(Location("target", segment), f"is {group!r}", _LISTS)
    texts = [_text(text, "target", segment, k) for k, text in enumerate(group)]
    if not texts:
        raise InputError(Location("target", segment), "is empty", "pass at least one reference per prediction")
    return texts


def _text(text: Any, side: str, segment: int, reference: int | None = None) -> str:
    if text is None or (isinstance(text, (list, tuple)) and not text):
        return ""
    if not isinstance(text, str):
        raise InputAttributeError(Location(side, segment, reference), f"must be a string, not {text!r}")
    return text


def wrapped(preds: Any, target: Any) -> tuple[Any, Any]:
    """Wrap single texts in lists: chrF and TER also accept one text, and one reference per prediction."""
    if isinstance(preds, str):
        preds = [preds]
    if isinstance(target, str):
        raise InputError(Location("target"), "is a string", "pass a list of references")
    target = list(target)
    if all(isinstance(text, str) for text in target):
        target = [target] if len(preds) == 1 else [[text] for text in target]
    return preds, target


def lack_references(preds: Any, target: Any) -> bool:
    """Return whether what `wrapped` returns has no references at all. chrF and TER are then 0."""
    empty = all(isinstance(group, (list, tuple)) and not group for group in target)
    return empty and len(preds) in (0, len(target))


def paired(preds: Any, target: Any, truncates: bool) -> tuple[list[str], list[str]]:
    """Return texts and their references, for error rates. Both inputs may be single texts."""
    preds = [preds] if isinstance(preds, str) else preds
    texts, references = listed(preds, [target] if isinstance(target, str) else target, truncates)
    for side, values in (("preds", texts), ("target", references)):
        for i, text in enumerate(values):
            if not isinstance(text, str):
                raise InputAttributeError(Location(side, i), f"must be a string, not {text!r}")
    return texts, references


class Pairs:
    """Each text paired with each reference, to choose the best by torchmetrics' rules.

    Attributes:
        references: One reference per pair.
        texts: One text per pair.
        counts: The number of pairs per segment, at least 1.
        begins: The index where each segment's pairs begin.
    """

    def __init__(self, preds: list[str], target: list[list[str]]) -> None:
        self.references = list(chain.from_iterable(target))
        self.texts = [text for text, group in zip(preds, target, strict=True) for _ in group]
        self.counts = np.array(list(map(len, target)), dtype=np.intp)
        self.begins = np.cumsum(self.counts) - self.counts

    def first_best(self, values: NDArray[Any]) -> NDArray[np.intp]:
        """Return which pair has the largest value in each segment, the first in a tie."""
        best = np.repeat(np.maximum.reduceat(values, self.begins), self.counts)
        places = np.where(values == best, np.arange(len(values)), len(values))
        return np.minimum.reduceat(places, self.begins)
