"""CIDEr and CIDEr-D with Counters: document frequencies, tf-idf vectors, their cosines, and a row per segment."""

import math
from collections import Counter


def ngrams(tokens, order):
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def frequencies(references, max_order=4):
    """Return the number of segments whose references have each n-gram."""
    counts = Counter()
    for refs in references:
        counts.update({ngram for ref in refs for order in range(1, max_order + 1) for ngram in ngrams(ref, order)})
    return counts


def vector(counts, documents, tokens, order):
    """Return the weight of each n-gram of a text: its occurrences times its inverse document frequency."""
    return {
        ngram: count * (math.log(documents) - math.log(max(1, counts.get(ngram, 0))))
        for ngram, count in ngrams(tokens, order).items()
    }


def row(counts, documents, hypothesis, references, max_order=4, clip=True, sigma=6.0):
    """Return the similarity of each order, as a mean over the references, and 1 for the segment."""
    similarities = []
    for order in range(1, max_order + 1):
        own = vector(counts, documents, hypothesis, order)
        total = 0.0
        for reference in references:
            other = vector(counts, documents, reference, order)
            shared = own.keys() & other.keys()
            product = math.fsum(
                (min(own[ngram], other[ngram]) if clip else own[ngram]) * other[ngram] for ngram in shared
            )
            norms = [math.sqrt(math.fsum(value**2 for value in values.values())) for values in (own, other)]
            if all(norms):
                penalty = (
                    1.0 if sigma is None else math.exp(-((len(hypothesis) - len(reference)) ** 2) / (2 * sigma**2))
                )
                total += product / (norms[0] * norms[1]) * penalty
        similarities.append(total / len(references))
    return [*similarities, 1]


def score(row):
    return 10 * math.fsum(row[:-1]) / (len(row) - 1) / row[-1]
