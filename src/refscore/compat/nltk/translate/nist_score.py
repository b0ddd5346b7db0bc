"""NLTK's `nltk.translate.nist_score`: NIST for token sequences, for one sentence or a corpus."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from refscore.compat.error_types import InputZeroDivisionError
from refscore.compat.metric_cache import cached_metric
from refscore.compat.nltk import inputs
from refscore.errors import InputError, Location
from refscore.inputs import MixedTokensError
from refscore.metrics import NIST, NISTScore

__all__ = ["corpus_nist", "nist_length_penalty", "sentence_nist"]


def sentence_nist(references: Any, hypothesis: Any, n: int = 5) -> float:
    """Return the sentence NIST, at least 0, with n-gram weights from its references.

    Example:
        >>> reference, hypothesis = "the cat sat on the mat".split(), "the cat sat on a mat".split()
        >>> round(sentence_nist([reference], hypothesis), 4)
        2.1875
    """
    references, hypothesis = inputs.segment(references, hypothesis)
    value: float
    try:
        value, row = _metric(n).fit((references,)).value_and_row(hypothesis, references)
    except MixedTokensError:  # tokens that are neither strings nor integers are comparable only within one call
        return _checked(_metric(n).corpus([hypothesis], [references]))
    _check(row)
    return value


def corpus_nist(list_of_references: Any, hypotheses: Any, n: int = 5) -> float:
    """Return the corpus NIST, at least 0, with n-gram weights from its references.

    Example:
        >>> references = [["the cat sat on the mat".split()], ["a dog sat on the rug".split()]]
        >>> round(corpus_nist(references, ["the cat sat on a mat".split(), "a dog sat".split()]), 4)
        2.0483
    """
    if inputs.is_one_segment(list_of_references, hypotheses):
        return sentence_nist(list_of_references[0], hypotheses[0], n)
    entries, hypotheses = inputs.corpus(list_of_references, hypotheses)
    if not hypotheses:
        raise InputZeroDivisionError(Location("hypotheses"), "is empty", "an empty corpus has no score")
    return _checked(_metric(n).corpus(hypotheses, entries))


def nist_length_penalty(ref_len: float, hyp_len: float) -> float:
    """Return the penalty for hypotheses shorter than their references, from 0 to 1 (0.5 at two thirds).

    Example:
        >>> round(nist_length_penalty(30, 20), 6), nist_length_penalty(20, 30)
        (0.5, 1.0)
    """
    if ref_len == 0:
        raise _no_words()
    ratio = hyp_len / ref_len
    if not 0 < ratio < 1:
        return max(min(ratio, 1.0), 0.0)
    return math.exp(math.log(0.5) / math.log(1.5) ** 2 * math.log(ratio) ** 2)


def _checked(score: NISTScore) -> float:
    _check(score.row.tolist())
    return score.value


def _check(row: Sequence[float]) -> None:
    """Raise an error where NLTK divides by 0. A row ends with n-gram counts by order."""
    if row[-1] == 0:
        n = len(row) // 2 - 1
        missing = row[2 + n :].index(0) + 1
        raise InputZeroDivisionError(
            None, f"no hypothesis has {missing} tokens, which NIST of order {n} needs", "use a lower n"
        )
    if row[1] == 0:
        raise _no_words()


def _no_words() -> InputError:
    return InputZeroDivisionError(None, "the references have no words", "NIST needs a reference length above 0")


def _metric(n: int) -> NIST:
    return cached_metric(NIST, preset="nltk", max_order=n)
