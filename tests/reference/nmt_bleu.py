"""BLEU as tensorflow/nmt's script defines it, which Hugging Face's module `bleu` computes; from its definition."""

import math
from collections import Counter


def ngrams(tokens, max_order):
    """How often each n-gram occurs, of all orders together."""
    return Counter(tuple(tokens[i : i + n]) for n in range(1, max_order + 1) for i in range(len(tokens) - n + 1))


def bleu(hypotheses, references, max_order=4, smooth=False):
    """Hugging Face's dictionary of results, of tokens."""
    matches, possible = [0] * max_order, [0] * max_order
    length = reference_length = 0
    for hypothesis, group in zip(hypotheses, references, strict=True):
        length += len(hypothesis)
        reference_length += min(map(len, group))
        merged = Counter()
        for reference in group:
            merged |= ngrams(reference, max_order)
        for ngram, count in (ngrams(hypothesis, max_order) & merged).items():
            matches[len(ngram) - 1] += count
        for n in range(max_order):
            possible[n] += max(0, len(hypothesis) - n)
    if smooth:
        precisions = [(match + 1) / (total + 1) for match, total in zip(matches, possible, strict=True)]
    else:
        precisions = [match / total if total else 0.0 for match, total in zip(matches, possible, strict=True)]
    mean = math.exp(sum(map(math.log, precisions)) / max_order) if min(precisions) > 0 else 0.0
    ratio = penalty = 0.0
    if length and reference_length:
        ratio = length / reference_length
        penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio)
    return {
        "bleu": mean * penalty,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": ratio,
        "translation_length": length,
        "reference_length": reference_length,
    }
