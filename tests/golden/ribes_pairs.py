"""Sentences for recorded values. They are regenerated from a seed, so a record contains only the values.

Uses only `random.random`, because Python guarantees the same numbers for a seed only for this method. The module
imports nothing else, because it also runs with the recorded tool.
"""

import hashlib
import random

WORDS = "the a cat mat on sat of to in and".split()  # noqa: SIM905 - as one text it can still be read


class Draw:
    """Random choices that use only `random.random`."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def below(self, number):
        return int(self.random() * number)

    def tokens(self, distinct, length):
        return [WORDS[self.below(distinct)] for _ in range(length)]

    def shuffled(self, tokens):
        pairs = [(self.random(), token) for token in tokens]
        return [token for _, token in sorted(pairs)]

    def moved(self, tokens):
        """Swap two stretches."""
        a, b = sorted((self.below(len(tokens) + 1), self.below(len(tokens) + 1)))
        return tokens[b:] + tokens[a:b] + tokens[:a]

    def noisy(self, tokens, distinct):
        result = []
        for token in tokens:
            fate = self.below(12)
            if fate > 0:
                result += [token, token] if fate == 1 else [WORDS[self.below(distinct)]] if fate == 2 else [token]
        return result


def segment(draw, longest):
    """Return a hypothesis that is not empty and one to three references, sometimes an empty one."""
    distinct = 1 + draw.below(len(WORDS))
    hypothesis = draw.tokens(distinct, 1 + draw.below(longest))
    references = []
    for _ in range(1 + draw.below(6) // 3 + draw.below(6) // 5):
        kind = draw.below(16)
        if kind == 0:
            references.append([])
        elif kind < 5:
            references.append(draw.tokens(distinct, 1 + draw.below(longest)))
        elif kind < 8:
            references.append(draw.shuffled(hypothesis))
        elif kind < 12:
            references.append(draw.moved(draw.noisy(hypothesis, distinct)))
        else:
            references.append(draw.noisy(hypothesis, distinct))
    return hypothesis, references


def corpus(seed, size, longest):
    """Return hypotheses and references, the same for the same arguments."""
    draw = Draw(seed)
    segments = [segment(draw, longest) for _ in range(size)]
    return [hypothesis for hypothesis, _ in segments], [references for _, references in segments]


def digest(hypotheses, references):
    """Return a digest that detects changes of the recorded sentences."""
    return hashlib.sha256(repr((hypotheses, references)).encode()).hexdigest()


def checksum(ranks):
    """Return a short checksum for the ranks of one alignment."""
    return hashlib.sha256(repr(list(ranks)).encode()).hexdigest()[:6]
