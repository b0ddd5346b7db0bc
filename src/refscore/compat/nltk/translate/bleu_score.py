"""NLTK's `nltk.translate.bleu_score`: BLEU for token sequences, for one sentence or a corpus."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from refscore.compat.nltk import inputs
from refscore.compat.nltk.counts import (
    Fraction,
    brevity_penalty,
    closest_ref_length,
    counting,
    matches_and_ngrams,
    modified_precision,
)
from refscore.compat.nltk.smoothing import SmoothingFunction, next_to_zero
from refscore.errors import InputError, Location, SettingError
from refscore.metrics import BLEU

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]

_UNIFORM = (0.25, 0.25, 0.25, 0.25)


def sentence_bleu(
    references: Any,
    hypothesis: Any,
    weights: Any = _UNIFORM,
    smoothing_function: Callable[..., Any] | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Return the BLEU of one sentence, from 0 to 1, or a list of scores for a list of weights.

    The score is 0 if no token matches.

    Args:
        references: A list of token lists.
        hypothesis: A list of tokens.
        weights: One weight per order, or a list of such tuples.
        smoothing_function: A method of `SmoothingFunction`, or any function with the same arguments.
        auto_reweigh: With the default weights, use only orders up to the length of a hypothesis with fewer than 4
            tokens, with equal weights.

    Example:
        >>> from refscore.compat.nltk import sentence_bleu
        >>> round(sentence_bleu([list("abcdefg"), list("ahi")], list("abcdef")), 4)
        0.8465
    """
    sets, several = _checked_weights(weights)
    _check_smoothing(smoothing_function)
    references, hypothesis = inputs.segment(references, hypothesis)
    metric = counting(max(map(len, sets)))
    value, row = metric.value_and_row(hypothesis, references)
    if weights is _UNIFORM and smoothing_function is None and not auto_reweigh and row[5] > 0:
        return value  # all orders up to 4 match, so there are no special cases
    scores = _scores(metric, row, references, hypothesis, sets, smoothing_function, auto_reweigh)
    return scores if several else scores[0]


def corpus_bleu(
    list_of_references: Any,
    hypotheses: Any,
    weights: Any = _UNIFORM,
    smoothing_function: Callable[..., Any] | None = None,
    auto_reweigh: bool = False,
) -> Any:
    """Return the BLEU of a corpus from the summed counts of all segments, or a list of scores for a list of weights.

    Each hypothesis is a list of tokens and has a list of references. The other arguments are those of `sentence_bleu`.
    As in NLTK, the smoothing function gets only the last segment, so the order of segments matters for methods 5 to 7.
    `refscore.BLEU.preset("nltk", smoothing="nltk-5")` smooths with all segments.

    Example:
        >>> from refscore.compat.nltk import corpus_bleu
        >>> references = [[list("abcdefg"), list("ahi")], [list("jklmn")]]
        >>> hypotheses = [list("abcdef"), list("jklm")]
        >>> [round(score, 4) for score in corpus_bleu(references, hypotheses, [(0.5, 0.5), (0.25, 0.25, 0.25, 0.25)])]
        [0.8187, 0.8187]
    """
    sets, several = _checked_weights(weights)
    _check_smoothing(smoothing_function)
    entries, hypotheses = inputs.corpus(list_of_references, hypotheses)
    if not hypotheses:
        raise InputError(Location("hypotheses"), "is empty", "an empty corpus has no score")
    metric = counting(max(map(len, sets)))
    row = metric.corpus(hypotheses, entries).row.tolist()
    scores = _scores(metric, row, entries[-1], hypotheses[-1], sets, smoothing_function, auto_reweigh)
    return scores if several else scores[0]


def _scores(
    metric: BLEU,
    row: Any,
    references: Any,
    hypothesis: Any,
    weight_sets: list[Any],
    smoothing_function: Callable[..., Any] | None,
    auto_reweigh: bool,
) -> list[float]:
    """Return one score per tuple of weights, from summed counts and the last segment."""
    hyp_len, ref_len = row[:2]
    counts = matches_and_ngrams(metric, row)
    if counts[0][0] == 0:
        return [0] * len(weight_sets)
    if smoothing_function:
        p_n = [Fraction(*count) for count in counts]
        smoothed = list(smoothing_function(p_n, references=references, hypothesis=hypothesis, hyp_len=hyp_len))
    else:  # SmoothingFunction().method0 without fractions, which are slow
        smoothed = [c[0] / c[1] if c[0] else next_to_zero(n) for n, c in enumerate(counts, 1)]
    penalty = brevity_penalty(ref_len, hyp_len)
    scores = []
    for given in weight_sets:
        short = auto_reweigh and hyp_len < 4 and isinstance(given, tuple) and given == _UNIFORM
        weights = (1 / hyp_len,) * hyp_len if short else given
        try:
            logarithm = math.fsum(w * math.log(p) for w, p in zip(weights, smoothed, strict=False) if p > 0)
            scores.append(penalty * math.exp(logarithm))
        except OverflowError:
            raise SettingError(f"the score overflows a float with the weights {given!r}: use smaller weights") from None
    return scores


def _checked_weights(weights: Any) -> tuple[list[Any], bool]:
    """Return the tuples of weights, and whether the caller wants a list of scores."""
    sets = [weights]
    if weights is _UNIFORM:
        return sets, False
    if _is_row(weights) and len(weights) and _is_row(weights[0]):
        sets = list(weights)
    for given in sets:
        if not _is_row(given) or not len(given) or not all(map(_is_finite, given)):
            raise SettingError(
                f"weights must be one number per order, or a list of such tuples, not {_shortened(weights)}"
            )
    return sets, len(sets) > 1


def _is_row(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray))


def _is_finite(weight: Any) -> bool:
    try:
        return isinstance(weight, Real) and math.isfinite(weight)
    except OverflowError:
        return False


def _check_smoothing(smoothing_function: Any) -> None:
    if isinstance(smoothing_function, SmoothingFunction) and not callable(smoothing_function):
        raise SettingError("smoothing_function is a SmoothingFunction: pass one of its methods, such as .method1")
    if smoothing_function and not callable(smoothing_function):
        raise SettingError(f"smoothing_function must be a function, not {_shortened(smoothing_function)}")


def _shortened(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
