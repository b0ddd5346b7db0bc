"""Exact match and F1 of answers, by the definitions of SQuAD's scripts and of evaluate's exact_match."""

import re
import string
from collections import Counter

import numpy as np


def is_match(hypothesis, reference):
    return int(list(hypothesis) == list(reference))


def f1(hypothesis, reference, *, both_empty=0):
    """Return F1, precision and recall of two token sequences."""
    hypothesis, reference = list(hypothesis), list(reference)
    if not hypothesis or not reference:
        return (float(both_empty and hypothesis == reference),) * 3
    common = sum((Counter(hypothesis) & Counter(reference)).values())
    if common == 0:
        return 0.0, 0.0, 0.0
    precision, recall = common / len(hypothesis), common / len(reference)
    return (2 * precision * recall) / (precision + recall), precision, recall


def answers(references, *, skip_empty):
    """Return the references that count. In SQuAD 2, empty ones count only without others."""
    return [reference for reference in references if len(reference)] or [[]] if skip_empty else references


def exact_match_row(hypothesis, references, *, skip_empty=False):
    return [max(is_match(hypothesis, answer) for answer in answers(references, skip_empty=skip_empty)), 1]


def f1_row(hypothesis, references, *, skip_empty=False, both_empty=0):
    scores = [f1(hypothesis, answer, both_empty=both_empty) for answer in answers(references, skip_empty=skip_empty)]
    exact = exact_match_row(hypothesis, references, skip_empty=skip_empty)[0]
    return [*max(scores, key=lambda score: score[0]), exact, 1.0]  # the first of equals


def evaluate_matches(predictions, references, regexes=None, *, case=False, punctuation=False, numbers=False):
    """Compare texts as evaluate's exact_match does, in NumPy's arrays, which drop NUL characters at the end."""
    sides = [predictions, references]
    if regexes is None:
        sides = [np.asarray(side) for side in sides]
    for regex in regexes or ():
        sides = [np.array([re.sub(regex, "", text) for text in side]) for side in sides]
    if case:  # in wide arrays, because NumPy cuts the lowercase of İ, two characters, at the length of the longest text
        sides = [np.asarray(side) for side in sides]
        sides = [np.char.lower(side.astype(f"U{2 * side.dtype.itemsize}")) for side in sides]
    for chosen, characters in ((punctuation, string.punctuation), (numbers, string.digits)):
        if chosen:
            sides = [np.char.translate(side, table=str.maketrans("", "", characters)) for side in sides]
    return sides[0] == sides[1]
