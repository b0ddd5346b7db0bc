"""The interface that the R package sacRebleu 0.2.0 has: BLEU for token ids, for one sentence or a corpus.

References come first. Ids may be any hashable tokens. The R package stores weights in single precision, refscore in
double precision, so scores may differ in the eighth digit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from refscore.errors import SettingError, UnknownNameError
from refscore.inputs.types import Tokens
from refscore.metrics import BLEU

Smoothing = Literal["floor", "add-k"] | None


def bleu_sentence_ids(
    references: Iterable[Tokens],
    candidate: Tokens,
    n: int = 4,
    weights: Sequence[float] | None = None,
    smoothing: Smoothing = None,
    epsilon: float = 0.1,
    k: int = 1,
) -> float:
    """Return a candidate's BLEU, from 0 to 1.

    Args:
        references: Id sequences.
        candidate: An id sequence.
        n: The longest n-gram order.
        weights: One weight per order. Their number overrides `n`.
        smoothing: None, "floor" or "add-k".
        epsilon: The number that "floor" adds to the matches for orders without any.
        k: The number that "add-k" adds to matches and n-grams.

    Example:
        >>> from refscore.compat import sacrebleu_r
        >>> round(sacrebleu_r.bleu_sentence_ids([[1, 2, 3, 4]], [1, 2, 3, 5], smoothing="floor", epsilon=0.01), 7)
        0.2236068
    """
    return _metric(n, weights, smoothing, epsilon, k).segment(candidate, references).value


def bleu_corpus_ids(
    references: Iterable[Iterable[Tokens]],
    candidates: Iterable[Tokens],
    n: int = 4,
    weights: Sequence[float] | None = None,
    smoothing: Smoothing = None,
    epsilon: float = 0.1,
    k: int = 1,
) -> float:
    """Return the corpus BLEU, from 0 to 1.

    `references` has several id sequences per candidate. Takes the same other arguments as `bleu_sentence_ids`, except
    that "floor" adds epsilon to an order's matches once for every candidate without any.

    Example:
        >>> from refscore.compat import sacrebleu_r
        >>> references = [[[1, 2, 3], [2, 3, 4]], [[1, 2, 6], [781, 21, 9], [7, 3]]]
        >>> round(sacrebleu_r.bleu_corpus_ids(references, [[1, 2, 3], [1, 2]], n=3), 7)
        0.7937005
    """
    return _metric(n, weights, smoothing, epsilon, k).corpus(candidates, references).value


def _metric(n: int, weights: Sequence[float] | None, smoothing: Smoothing, epsilon: float, k: int) -> BLEU:
    if smoothing not in (None, "floor", "add-k"):
        raise UnknownNameError.suggest("smoothing", smoothing, ("floor", "add-k"))
    if smoothing == "add-k" and (isinstance(k, bool) or int(k) != k):
        raise SettingError(f"k must be a whole number, not {k!r}")
    settings: dict[str, Any] = {
        "max_order": n if weights is None else len(weights),
        "weights": None if weights is None else tuple(weights),
    }
    if smoothing == "floor":
        settings |= {"smoothing": "floor-segments", "smoothing_value": epsilon}
    elif smoothing == "add-k":
        settings |= {"smoothing": "add-k-all", "smoothing_value": k}
    return BLEU.preset("r", **settings)
