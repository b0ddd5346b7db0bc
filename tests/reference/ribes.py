"""RIBES by its definition: counts every context, compares every pair of ranks, with every setting written out.

A segment becomes the row `[score, nkt, precision, bp, 1]` of its best reference, rows are added by column, and the
corpus score is the sum of scores divided by the number of segments. Tokens are any hashable objects, compared by
Python's equality (``1 == 1.0 == True``).
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, count

FIRST_CONTEXTS = ("left", "right")
CONTEXT_LIMITS = ("none", "nltk")
CORRELATIONS = ("tau", "tau-nltk", "tau-runs", "rho")
SINGLE_WORDS = ("reference", "zero")
EMPTY_REFERENCES = ("error", "skip", "zero")
COLUMNS = ("score", "nkt", "precision", "bp", "segments")


@dataclass(frozen=True)
class Settings:
    alpha: float = 0.25
    beta: float = 0.10
    first_context: str = "left"
    context_limit: str = "none"
    correlation: str = "tau"
    single_word: str = "reference"
    empty_reference: str = "error"


_NLTK = {"first_context": "right", "context_limit": "nltk", "single_word": "zero", "empty_reference": "zero"}
PRESETS = {
    "official": Settings(),
    "nltk": Settings(correlation="tau-nltk", **_NLTK),
    "nltk-3.9": Settings(correlation="tau-runs", **_NLTK),
}
# What the presets do to text; tokens are never changed.
LOWERCASE = {"official": True, "nltk": False, "nltk-3.9": False}


# Alignment


def contexts(first, limit, i, length):
    """Yield the stretches of the hypothesis that may decide word i, as (begin, end), in the order of trial."""
    yield i, i + 1
    for width in count(1):
        left = (i - width, i + 1) if width <= i else None
        right = (i, i + 1 + width) if i + width < length else None
        if left is None and right is None:
            return
        if limit == "nltk" and width >= max(i, length - i + 1):
            return
        for context in (left, right) if first == "left" else (right, left):
            if context is not None:
                yield context


def starts(part, whole):
    """Return where a stretch of tokens begins in a sentence; occurrences may overlap."""
    return [s for s in range(len(whole) - len(part) + 1) if whole[s : s + len(part)] == part]


@lru_cache(maxsize=1000)
def align(first, limit, hypothesis, reference):
    """Return (rank, context) for each word of the hypothesis, or None if no context is unique in both sentences."""
    result = []
    for i in range(len(hypothesis)):
        decided = None
        for begin, end in contexts(first, limit, i, len(hypothesis)):
            context = hypothesis[begin:end]
            there = starts(context, reference)
            if len(there) == 1 and len(starts(context, hypothesis)) == 1:
                decided = there[0] + i - begin, (begin, end)
                break
        result.append(decided)
    return result


@lru_cache(maxsize=1000)
def align_long(first, limit, hypothesis, reference):
    """Do the same for thousands of words: with one character per word, `str.find` searches for the contexts.

    A side is abandoned once its context does not occur in the reference, because no wider one can.
    """
    letters = {}
    here, there = (
        "".join(chr(letters.setdefault(token, len(letters))) for token in tokens) for tokens in (hypothesis, reference)
    )

    def only_start(part, whole):
        start = whole.find(part)
        return start if start >= 0 and whole.find(part, start + 1) < 0 else None

    result = []
    for i in range(len(here)):
        decided = None
        open_sides = {"left", "right"}
        for begin, end in contexts(first, limit, i, len(here)):
            side = "left" if begin < i else "right"
            part = here[begin:end]
            if part not in there:
                open_sides -= {side} if end - begin > 1 else {"left", "right"}
            elif side in open_sides and None not in (only_start(part, there), only_start(part, here)):
                decided = only_start(part, there) + i - begin, (begin, end)
                break
            if not open_sides:
                break
        result.append(decided)
    return result


def align_any(first, limit, hypothesis, reference):
    """Count contexts directly up to 24 words, and search for them beyond."""
    short = max(len(hypothesis), len(reference)) <= 24
    return (align if short else align_long)(first, limit, hypothesis, reference)


# Correlation of the ranks


def ascending(ranks):
    return sum(a < b for a, b in combinations(ranks, 2))


def ascending_in_runs(ranks):
    """Count pairs whose ranks, and all between them, each increase by one."""
    pairs = 0
    for i in range(len(ranks)):
        for j in range(i + 1, len(ranks)):
            if ranks[j] != ranks[j - 1] + 1:
                break
            pairs += 1
    return pairs


def mean_ranks(values):
    """Return ranks from 1; equal values share the mean of their ranks."""
    return [sum(other < value for other in values) + (values.count(value) + 1) / 2 for value in values]


def correlation(settings, ranks, reference_length):
    """Return the correlation, from 0 to 1."""
    if not ranks:
        return 0.0
    if len(ranks) == 1:
        return 1.0 if settings.single_word == "reference" and reference_length == 1 else 0.0
    pairs = math.comb(len(ranks), 2)
    if settings.correlation == "tau":
        return ascending(ranks) / pairs
    if settings.correlation == "rho":
        squares = sum((i - rank) ** 2 for i, rank in enumerate(mean_ranks(ranks), 1))
        coefficient = 1 - squares / math.comb(len(ranks) + 1, 3)
    else:
        counted = ascending(ranks) if settings.correlation == "tau-nltk" else ascending_in_runs(ranks)
        coefficient = 2 * counted / pairs - 1
    return (coefficient + 1) / 2


# Scores


def parts(settings, hypothesis, reference, aligner=align):
    """Return [score, nkt, precision, bp] with one reference."""
    if not hypothesis:
        return [0.0, 0.0, 0.0, 0.0]
    aligned = aligner(settings.first_context, settings.context_limit, hypothesis, reference)
    ranks = [word[0] for word in aligned if word is not None]
    nkt = correlation(settings, ranks, len(reference))
    precision = len(ranks) / len(hypothesis)
    penalty = min(1.0, math.exp(1 - len(reference) / len(hypothesis)))
    return [nkt * precision**settings.alpha * penalty**settings.beta, nkt, precision, penalty]


def row(settings, hypothesis, references, aligner=align):
    """Return the statistics of one segment, as named by COLUMNS; all are 0 if it is skipped."""
    hypothesis, references = tuple(hypothesis), [tuple(reference) for reference in references]
    assert all(references) or settings.empty_reference != "error"
    if settings.empty_reference == "skip":
        references = [reference for reference in references if reference]
        if not references:
            return [0.0, 0.0, 0.0, 0.0, 0.0]
    candidates = [parts(settings, hypothesis, reference, aligner) for reference in references]
    return [*max(candidates, key=lambda candidate: candidate[0]), 1.0]


def rows(settings, hypotheses, references, aligner=align):
    return [row(settings, hypothesis, refs, aligner) for hypothesis, refs in zip(hypotheses, references, strict=True)]


def means(rows):
    """Return the means of scores, nkt, precision and bp."""
    segments = sum(row[4] for row in rows)
    return [math.fsum(row[k] for row in rows) / segments for k in range(4)]
