"""BLEU of two scripts that are not in any package, written from their definitions."""

import math
from collections import Counter

from tests.reference.tokenizers import tokenize_ascii_spaces


def grams(tokens, order):
    return [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]


def clipped(hypothesis, references, order):
    found = Counter(grams(hypothesis, order))
    return sum(min(times, max(grams(r, order).count(gram) for r in references)) for gram, times in found.items())


def multi_bleu(hypotheses, references, *, lowercase=False):
    """Compute Moses' multi-bleu.perl for lines of text. It reads bytes, so only ASCII has whitespace and case."""

    def words(line):
        if lowercase:
            line = "".join(char.lower() if char.isascii() else char for char in line)
        return tokenize_ascii_spaces(line)

    correct, total, hyp_len, ref_len = [0] * 4, [0] * 4, 0, 0
    for line, lines in zip(hypotheses, references, strict=True):
        hypothesis, refs = words(line), [words(reference) for reference in lines]
        hyp_len += len(hypothesis)
        ref_len += min((abs(len(ref) - len(hypothesis)), len(ref)) for ref in refs)[1]
        for order in (1, 2, 3, 4):
            correct[order - 1] += clipped(hypothesis, refs, order)
            total[order - 1] += len(grams(hypothesis, order))
    if 0 in correct:
        return 0.0
    penalty = math.exp(1 - ref_len / hyp_len) if hyp_len < ref_len else 1.0
    return penalty * math.prod(c / t for c, t in zip(correct, total, strict=True)) ** 0.25


def nmt_bleu(hypotheses, references, *, max_order=4, smooth=False):
    """Compute the script of TensorFlow's NMT tutorial, as in Hugging Face's evaluate, for token lists.

    The result has evaluate's keys.
    """
    hyp_len = sum(map(len, hypotheses))
    ref_len = sum(min(map(len, refs)) for refs in references)
    precisions = []
    for order in range(1, max_order + 1):
        correct = sum(clipped(h, refs, order) for h, refs in zip(hypotheses, references, strict=True))
        total = sum(len(grams(h, order)) for h in hypotheses)
        if smooth:
            correct, total = correct + 1, total + 1
        precisions.append(correct / total if total else 0.0)
    ratio = penalty = 0.0
    if hyp_len and ref_len:
        ratio = hyp_len / ref_len
        penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio)
    mean = math.exp(math.fsum(map(math.log, precisions)) / max_order) if min(precisions) > 0 else 0.0
    return {
        "bleu": mean * penalty,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": ratio,
        "translation_length": hyp_len,
        "reference_length": ref_len,
    }
