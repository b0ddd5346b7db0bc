"""GLEU of grammatical error correction by its definition, with dictionaries of n-grams."""

import math
from collections import Counter


def ngrams(words, order):
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


def row(hypothesis, references, source, *, max_order=4, penalty="absent"):
    total = [0.0] * (3 * max_order + 2)
    for reference in references:
        counts = []
        for order in range(1, max_order + 1):
            own, known, before = (ngrams(words, order) for words in (hypothesis, reference, source))
            common = (own & known).total()
            if penalty == "excess":
                kept = ((own & before) - known).total()
            else:  # the n-grams of the source that the reference does not have at all
                gone = Counter({ngram: count for ngram, count in before.items() if ngram not in known})
                kept = min((own & gone).total(), common)
            counts += [common, kept, own.total()]
        for i, count in enumerate([*counts, len(hypothesis), len(reference)]):
            total[i] += count / len(references)
    return total


def value(row, *, max_order=4, short_order="zero", smoothing="none"):
    *counts, length, reference_length = row
    parts = [(counts[i] - counts[i + 1], counts[i + 2]) for i in range(0, 3 * max_order, 3)]
    if short_order == "perfect":
        parts = [part for part in parts if part[1]]
    numbers = [length, reference_length, *(number for part in parts for number in part)]
    if smoothing == "one":
        numbers = [number if number > 0 else 1 for number in numbers]
    length, reference_length, *rest = numbers
    if length <= 0 or any(number <= 0 for number in rest):
        return 0.0
    logs = sum(math.log(rest[i] / rest[i + 1]) for i in range(0, len(rest), 2))
    return math.exp(min(0, 1 - reference_length / length) + logs / max_order)
