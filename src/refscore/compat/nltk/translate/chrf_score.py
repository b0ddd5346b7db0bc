"""NLTK's `nltk.translate.chrf_score`: chrF with one reference, averaged over sentences and orders."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np

from refscore.compat.error_types import (
    InputAssertionError,
    InputTypeError,
    InputZeroDivisionError,
    SettingZeroDivisionError,
)
from refscore.compat.metric_cache import cached_metric
from refscore.compat.nltk import inputs
from refscore.errors import Location, SettingError
from refscore.inputs import describe
from refscore.metrics import CHRF

__all__ = ["chrf_precision_recall_fscore_support", "corpus_chrf", "sentence_chrf"]

# The score of an order without a match.
_EPSILON = 1e-16

# Python treats these as whitespace, but NLTK's regular expressions do not.
_SEPARATORS = re.compile("[\x1c-\x1f]")
_WHITESPACE = re.compile(r"[^\S\x1c-\x1f]+")


def sentence_chrf(
    reference: Any,
    hypothesis: Any,
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """Return the sentence chrF, from 0 to 1. Orders without a match count as 1e-16.

    Example:
        >>> round(sentence_chrf("the cat is on the mat", "the the the the the the the".split()), 4)
        0.1468
    """
    texts = [_text(reference, "reference")], [_text(hypothesis, "hypothesis")]
    return _value(*texts, min_len, max_len, beta, ignore_whitespace)


def corpus_chrf(
    references: Any,
    hypotheses: Any,
    min_len: int = 1,
    max_len: int = 6,
    beta: float = 3.0,
    ignore_whitespace: bool = True,
) -> float:
    """Return the corpus chrF, from 0 to 1: the mean of its sentences' scores.

    Example:
        >>> round(corpus_chrf(["a test", "two tests".split()], ["a fest", "one test".split()]), 4)
        0.2703
    """
    targets, outputs = _texts(references, "references"), _texts(hypotheses, "hypotheses")
    if len(targets) != len(outputs):
        raise InputAssertionError(
            None,
            f"{len(outputs)} hypotheses but {len(targets)} references",
            "pass one reference per hypothesis",
        )
    if not outputs:
        raise InputZeroDivisionError(Location("hypotheses"), "is empty", "an empty corpus has no score")
    return _value(targets, outputs, min_len, max_len, beta, ignore_whitespace)


def chrf_precision_recall_fscore_support(
    reference: Any, hypothesis: Any, n: int, beta: float = 3.0, epsilon: float = _EPSILON
) -> tuple[float, float, float, int]:
    """Return precision, recall, F-score and matches for n-grams with one order.

    Example:
        >>> chrf_precision_recall_fscore_support("abcd", "abce", 2, beta=1)
        (0.6666666666666666, 0.6666666666666666, 0.6666666666666666, 2)
    """
    inputs.check_order("n", n)
    sides = [
        list(side) if isinstance(side, str) else inputs.tokens(side, name)
        for side, name in ((hypothesis, "hypothesis"), (reference, "reference"))
    ]
    metric = cached_metric(CHRF, char_order=int(n), whitespace=True)
    hyp, ref, matches = metric.value_and_row(sides[0], [sides[1]])[1][-3:]
    if matches == 0:
        return epsilon, epsilon, epsilon, 0
    precision, recall = matches / hyp, matches / ref
    return precision, recall, float(_f_score(precision, recall, beta)), matches


def _texts(values: Any, name: str) -> list[str]:
    entries = inputs.listed(values, name)
    if {*map(type, entries)} <= {str}:
        return entries
    return [_text(entry, name, i) for i, entry in enumerate(entries)]


def _text(value: Any, name: str, segment: int | None = None) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bytes, dict, set)) or not isinstance(value, Iterable):
        raise InputTypeError(Location(name, segment), f"is {describe(value)}", "pass a text or a list of words")
    try:
        return " ".join(value)
    except TypeError:
        location = Location(name, segment)
        raise InputTypeError(
            location, "has words that are not strings", "pass strings, because chrF counts characters"
        ) from None


def _value(
    references: list[str], hypotheses: list[str], min_len: Any, max_len: Any, beta: Any, ignore_whitespace: Any
) -> float:
    inputs.check_order("min_len", min_len)
    if isinstance(max_len, bool) or not isinstance(max_len, (int, np.integer)):
        raise SettingError(f"max_len must be a whole number, not {max_len!r}")
    if max_len < min_len:
        raise SettingZeroDivisionError(f"min_len ({min_len}) must not be larger than max_len ({max_len})")
    if ignore_whitespace and any(map(_SEPARATORS.search, chain(references, hypotheses))):
        references, hypotheses = ([_WHITESPACE.sub("", text) for text in side] for side in (references, hypotheses))
        ignore_whitespace = False
    if min_len == 1:
        settings = {"char_order": int(max_len), "beta": abs(beta), "whitespace": not ignore_whitespace}
        return cached_metric(CHRF, preset="nltk", **settings).corpus(hypotheses, references).value
    metric = cached_metric(CHRF, char_order=int(max_len), whitespace=not ignore_whitespace)
    rows = metric.stats(hypotheses, references)
    hyp, ref, matches = np.moveaxis(rows.reshape(len(rows), int(max_len), 3)[:, int(min_len) - 1 :], 2, 0)
    some = np.maximum(matches, 1)  # without matches, the other counts may be 0
    scores = _f_score(some / np.maximum(hyp, 1), some / np.maximum(ref, 1), beta)
    return float(np.where(matches > 0, scores, _EPSILON).mean())


def _f_score(precision: Any, recall: Any, beta: Any) -> Any:
    factor = beta**2
    return (1 + factor) * (precision * recall) / (factor * precision + recall)
