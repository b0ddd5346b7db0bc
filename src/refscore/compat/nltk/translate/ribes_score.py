"""NLTK's `nltk.translate.ribes_score`: RIBES for token sequences, its word alignment and rank correlations.

NLTK changed its tau in version 3.10.4. Functions that depend on it have an argument `version`, the NLTK version to
reproduce, by default the installed one, or 3.10.4 without NLTK. Sentences may have any length.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from refscore.compat.error_types import InputZeroDivisionError
from refscore.compat.nltk import inputs
from refscore.compat.nltk.versions import ribes_preset
from refscore.errors import InputError, Location
from refscore.metrics import RIBES, has_limits

T = TypeVar("T")

_POSITIONS = "pass a list of positions from word_rank_alignment"

__all__ = [
    "corpus_ribes",
    "find_increasing_sequences",
    "kendall_tau",
    "position_of_ngram",
    "sentence_ribes",
    "spearman_rho",
    "word_rank_alignment",
]


def sentence_ribes(
    references: Any, hypothesis: Any, alpha: float = 0.25, beta: float = 0.10, *, version: str | None = None
) -> float:
    """Return the sentence RIBES with its best reference, from 0 to 1.

    Example:
        >>> reference, hypothesis = "the boy read the book".split(), "the book was read by the boy".split()
        >>> round(sentence_ribes([reference], hypothesis, version="3.10.4"), 4)
        0.1839
    """
    references, hypothesis = inputs.segment(references, hypothesis)
    return _sentence(_metric(ribes_preset(version), alpha, beta), references, hypothesis)


def _sentence(metric: RIBES, references: Any, hypothesis: Any) -> float:
    if len(references) == 0 or len(hypothesis) == 0 or (len(hypothesis) == 1 and not has_limits()):
        return 0.0  # NLTK's tau of fewer than two words is -1, so its share is 0
    try:
        return metric.value_and_row(hypothesis, references)[0]
    except InputError:  # tokens that are not hashable
        return _with_any_tokens(
            lambda sides, groups: metric.value_and_row(sides[0], groups[0])[0], [hypothesis], [references]
        )


def corpus_ribes(
    list_of_references: Any, hypotheses: Any, alpha: float = 0.25, beta: float = 0.10, *, version: str | None = None
) -> float:
    """Return the corpus RIBES, from 0 to 1: the mean over its sentences. It is 0 for an empty corpus.

    Example:
        >>> references = [["John hit Bob yesterday".split()], ["a b c".split()]]
        >>> hypotheses = ["Bob hit John yesterday".split(), "a b c".split()]
        >>> [round(corpus_ribes(references, hypotheses, version=version), 4) for version in ("3.9.1", "3.10.4")]
        [0.5, 0.75]
    """
    metric = _metric(ribes_preset(version), alpha, beta)
    if inputs.is_one_segment(list_of_references, hypotheses):
        return _sentence(metric, list_of_references[0], hypotheses[0])
    hypotheses = inputs.listed(hypotheses, "hypotheses")
    if not hypotheses:  # also with references, as in NLTK
        return 0.0
    entries, hypotheses = inputs.corpus(list_of_references, hypotheses)
    if len(hypotheses) == 1:
        return _sentence(metric, entries[0], hypotheses[0])
    # In NLTK, hypotheses without references and those with an empty reference score 0.
    groups = [entry or [[]] for entry in entries]
    return _with_any_tokens(lambda sides, groups: metric.corpus(sides, groups).value, hypotheses, groups)


def word_rank_alignment(reference: Any, hypothesis: Any, character_based: bool = False) -> list[int]:
    """Return the reference positions of the hypothesis words that can be aligned, in the order of the hypothesis.

    Example:
        >>> word_rank_alignment("the boy read the book".split(), "the book was read by the boy".split())
        [3, 4, 2, 0, 1]
    """
    if not (type(reference) is type(hypothesis) is list):
        reference = inputs.tokens(reference, "reference")
        hypothesis = inputs.tokens(hypothesis, "hypothesis")
    if len(reference) == 0 or len(hypothesis) == 0:
        return []
    if len(hypothesis) == 1 and type(reference) is list:
        return [reference.index(hypothesis[0])] if reference.count(hypothesis[0]) == 1 else []
    try:
        if len({*hypothesis}) == len(hypothesis) and len({*reference}) == len(reference):  # no token repeats
            places = dict(zip(reference, range(len(reference)), strict=True))
            return [places[token] for token in hypothesis if token in places]
    except TypeError:  # tokens that are not hashable
        pass
    metric = _metric("nltk", 0.25, 0.10)
    words = _with_any_tokens(
        lambda sides, groups: metric.alignment(sides[0], groups[0][0]), [hypothesis], [[reference]]
    )
    return [word.rank for word in words if word.rank is not None]


def kendall_tau(worder: Any, normalize: bool = True, *, version: str | None = None) -> float:
    """Return Kendall's tau of positions, based on the share of ascending pairs.

    Example:
        >>> worder = [7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]
        >>> round(kendall_tau(worder), 3), round(kendall_tau(worder, normalize=False), 3)
        (0.382, -0.236)
    """
    runs_only = ribes_preset(version) == "nltk-3.9"
    ranks = inputs.tokens(worder, "worder", _POSITIONS)
    tau: float = -1
    if len(ranks) > 1:
        if runs_only:
            ascending = sum(math.comb(len(run), 2) for run in find_increasing_sequences(ranks))
        else:
            ascending = _ascending(ranks)
        tau = 2 * ascending / math.comb(len(ranks), 2) - 1
    return (tau + 1) / 2 if normalize else tau


def spearman_rho(worder: Any, normalize: bool = True) -> float:
    """Return Spearman's rho of positions as NLTK computes it.

    Example:
        >>> worder = [7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]
        >>> round(spearman_rho(worder), 3), round(spearman_rho(worder, normalize=False), 3)
        (0.205, -0.591)
    """
    ranks = inputs.tokens(worder, "worder", _POSITIONS)
    if len(ranks) < 2:
        raise InputZeroDivisionError(Location("worder"), "has fewer than two positions", "rho needs two")
    squares = sum([(rank - i) ** 2 for i, rank in enumerate(ranks)])
    if type(squares) is not int:  # NumPy's integers can overflow
        ranks = [rank.item() if isinstance(rank, np.generic) else rank for rank in ranks]
        squares = sum([(rank - i) ** 2 for i, rank in enumerate(ranks)])
    rho: float = 1 - squares / math.comb(len(ranks) + 1, 3)
    return (rho + 1) / 2 if normalize else rho


def find_increasing_sequences(worder: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Yield the runs of two or more consecutive numbers among positions.

    Example:
        >>> list(find_increasing_sequences([7, 8, 9, 10, 6, 0, 1, 2, 3, 4, 5]))
        [(7, 8, 9, 10), (0, 1, 2, 3, 4, 5)]
    """
    ranks = iter(worder)
    previous = next(ranks, None)
    if previous is None:
        return
    run: list[int] = []
    for rank in ranks:
        if rank == previous + 1:
            if not run:
                run = [previous]
            run.append(rank)
        elif run:
            yield tuple(run)
            run = []
        previous = rank
    if run:
        yield tuple(run)


def position_of_ngram(ngram: Any, sentence: Any) -> int | None:
    """Return the first position of an n-gram (a sequence of tokens) in a list of tokens, or None.

    Example:
        >>> position_of_ngram(("the", "book"), "the boy read the book".split())
        3
    """
    sought, tokens = list(inputs.tokens(ngram, "ngram")), list(inputs.tokens(sentence, "sentence"))
    if isinstance(ngram, str):
        return None  # in NLTK, a string equals no tuple of tokens
    starts = range(len(tokens) - len(sought) + 1)
    return next((start for start in starts if tokens[start : start + len(sought)] == sought), None)


def _ascending(ranks: Iterable[Any]) -> int:
    """Count the ascending pairs. `bisect_left` returns how many of the ranks before are smaller."""
    count = 0
    before: list[Any] = []
    for rank in ranks:
        smaller = bisect_left(before, rank)
        count += smaller
        before.insert(smaller, rank)
    return count


def _with_any_tokens(score: Callable[[Any, Any], T], hypotheses: Sequence[Any], references: Sequence[Any]) -> T:
    """Score segments with any tokens. They need not be hashable, because NLTK's RIBES only compares them."""
    try:
        return score(hypotheses, references)
    except InputError:
        if all(map(inputs.are_hashable, chain(hypotheses, *references))):
            raise
        segments = [inputs.numbered(*segment) for segment in zip(hypotheses, references, strict=True)]
        return score(*zip(*segments, strict=True))


def _metric(preset: str, alpha: Any, beta: Any) -> RIBES:
    try:
        return _cached(preset, alpha, beta)
    except TypeError:  # arrays are not hashable
        return RIBES.preset(preset, alpha=alpha, beta=beta)


@lru_cache(maxsize=64, typed=True)  # with positional arguments it is faster than `cached_metric`
def _cached(preset: str, alpha: Any, beta: Any) -> RIBES:
    return RIBES.preset(preset, alpha=alpha, beta=beta)
