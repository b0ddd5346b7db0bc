"""NIST with a Counter of all n-grams of all references, a row per segment, and a value for every input."""

import math
from collections import Counter


def ngrams(tokens, order):
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def information(references, max_order=5):
    """Return the weights of the n-grams of all references."""
    counts = Counter()
    words = 0
    for reference in (reference for refs in references for reference in refs):
        words += len(reference)
        for order in range(1, max_order + 1):
            counts.update(ngrams(reference, order))
    return {
        ngram: math.log((counts[ngram[:-1]] if len(ngram) > 1 else words) / count, 2) for ngram, count in counts.items()
    }


def row(weights, hypothesis, references, max_order=5):
    """Return hyp_len, ref_len, information of each order, n-grams of each order."""
    matched, totals, length = [], [], 0
    for order in range(1, max_order + 1):
        own = ngrams(hypothesis, order)
        best = max(
            (
                math.fsum(weights.get(ngram, 0.0) * count for ngram, count in (own & ngrams(reference, order)).items()),
                len(reference),
            )
            for reference in references
        )
        matched.append(best[0])
        length += best[1]
        totals.append(sum(own.values()))
    return [len(hypothesis), length, *matched, *totals]


def score(row, max_order=5):
    matched, totals = row[2 : 2 + max_order], row[2 + max_order :]
    value = sum(bits / total for bits, total in zip(matched, totals, strict=True) if total)
    hypothesis, reference = row[0] * max_order, row[1]
    if hypothesis >= reference:
        return value
    return (
        value * math.exp(math.log(0.5) * (math.log(hypothesis / reference) / math.log(1.5)) ** 2) if hypothesis else 0
    )


def corpus(hypotheses, references, max_order=5):
    weights = information(references, max_order)
    rows = [row(weights, *pair, max_order) for pair in zip(hypotheses, references, strict=True)]
    return score([math.fsum(column) for column in zip(*rows, strict=True)], max_order)
