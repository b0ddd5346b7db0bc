"""GLEU with one Counter for the n-grams of all orders."""

from collections import Counter


def ngrams(tokens, min_order, max_order):
    tokens = list(tokens)
    return Counter(
        tuple(tokens[i : i + n]) for n in range(min_order, max_order + 1) for i in range(len(tokens) - n + 1)
    )


def row(hypothesis, references, min_order=1, max_order=4):
    """Return matches and total of the best reference, the first of equals; both 0 if there are no n-grams."""
    own = ngrams(hypothesis, min_order, max_order)
    best = (0, 0)
    for reference in references:
        other = ngrams(reference, min_order, max_order)
        total = max(sum(own.values()), sum(other.values()))
        matches = sum((own & other).values())
        if total and (not best[1] or matches / total > best[0] / best[1]):
            best = (matches, total)
    return best


def corpus(hypotheses, references, min_order=1, max_order=4):
    rows = [row(*pair, min_order, max_order) for pair in zip(hypotheses, references, strict=True)]
    matches, total = (sum(column) for column in zip(*rows, strict=True))
    return matches / total if total else 0.0
