"""Corpora for the evaluation tests."""

import itertools
import random

WORDS = "the a cat dog sat ran on over mat hill , . quickly never 3.5 é 你好".split()  # noqa: SIM905


def corpus(size, seed=0, references=1):
    """Return texts of few distinct words, with one to `references` references if there are several."""
    generator = random.Random(seed)

    def text():
        return " ".join(generator.choices(WORDS, k=generator.randint(1, 14)))

    targets = [[text() for _ in range(generator.randint(1, references))] for _ in range(size)]
    hypotheses = [own[0] if generator.random() < 0.3 else text() for own in targets]
    return hypotheses, [own[0] for own in targets] if references == 1 else targets


def cut(pair, *places):
    """Split into batches at these indexes."""
    hypotheses, references = pair
    ends = [0, *places, len(hypotheses)]
    return [(hypotheses[a:b], references[a:b]) for a, b in itertools.pairwise(ends)]
