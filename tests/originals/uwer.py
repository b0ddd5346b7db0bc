"""Other implementations of the unordered word error rate: ocrevalUAtion's definition."""

from collections import Counter

from refscore import UWER
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original

NAMES = ("hits", "substitutions", "deletions", "insertions")


def row(hypothesis, references):
    """Return the counts of the reference with the lowest rate, the first of equals."""
    found = []
    for reference in references:
        own, known = Counter(hypothesis), Counter(reference)
        lost, spurious = (known - own).total(), (own - known).total()
        hits = len(reference) - lost
        counts = [hits, min(lost, spurious), max(lost - spurious, 0), max(spurious - lost, 0)]
        assert sum(counts[1:]) == max(lost, spurious)  # ocrevalUAtion's distance
        found.append((max(lost, spurious) / (len(reference) or 1), counts))
    return min(found, key=lambda pair: pair[0])[1]


def score(row):
    return {"value": sum(row[1:]) / (sum(row[:3]) or 1), **dict(zip(NAMES, row, strict=True))}


def scores(hypotheses, references):
    rows = [row(*pair) for pair in zip(hypotheses, references, strict=True)]
    total = [sum(column) for column in zip(*rows, strict=True)]
    return Expected(segments=[*map(score, rows)], corpus=score(total), rows=rows)


ORIGINALS = [
    Original(
        name="definition", metric=UWER, scores=scores, inputs=(TEXT, TOKENS, IDS, OBJECTS), split=str.split, long=False
    )
]
