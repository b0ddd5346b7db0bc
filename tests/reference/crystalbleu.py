"""CrystalBLEU by its definition: BLEU with Python's counters, without frequent n-grams."""

import math
import sys
from collections import Counter


def ngrams(tokens, order):
    return [tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]


def frequent(references, max_order, k):
    """Return the k most frequent n-grams: of equally frequent ones the shorter, then the one that occurs first."""
    counts = Counter()
    for order in range(1, max_order + 1):
        for refs in references:
            for text in refs:
                counts.update(ngrams(text, order))
    return {ngram for ngram, _ in counts.most_common(k)}


def row(ignored, hypothesis, references, max_order):
    """Return the lengths, and for each order the matches, the n-grams, and whether there are none."""
    length = len(hypothesis)
    _, reference_length = min((abs(len(text) - length), len(text)) for text in references)
    matches, totals = [], []
    for order in range(1, max_order + 1):
        own = Counter(ngram for ngram in ngrams(hypothesis, order) if ngram not in ignored)
        wanted = Counter()
        for text in references:
            wanted |= Counter(ngrams(text, order))
        matches.append((own & wanted).total())
        totals.append(own.total())
    return [length, reference_length, *matches, *totals, *(int(total == 0) for total in totals)]


def score(row, max_order):
    """Return the score of a row, without smoothing: a precision of 0 becomes the smallest float."""
    length, reference_length = row[:2]
    matches, totals, empty = (row[2 + part * max_order : 2 + (part + 1) * max_order] for part in range(3))
    if matches[0] == 0:
        return 0.0
    precisions = [
        found / (total + none) or sys.float_info.min for found, total, none in zip(matches, totals, empty, strict=True)
    ]
    penalty = 1 if length >= reference_length else math.exp(1 - reference_length / length)
    return penalty * math.exp(math.fsum(math.log(precision) / max_order for precision in precisions))
