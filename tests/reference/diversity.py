"""Self-BLEU by scoring every generation with all others, and distinct-n with a set."""

from tests.reference import bleu


def others(generations, i):
    return [*generations[:i], *generations[i + 1 :]]


def self_bleu_rows(settings, generations):
    return [bleu.row(settings, own, others(generations, i)) for i, own in enumerate(generations)]


def self_bleu(settings, generations):
    scores = [bleu.segment(settings, own, others(generations, i)).value for i, own in enumerate(generations)]
    return sum(scores) / len(scores)


def distinct_n(generations, n):
    every = [tuple(tokens[i : i + n]) for tokens in generations for i in range(len(tokens) - n + 1)]
    return len(set(every)) / len(every) if every else 0.0
