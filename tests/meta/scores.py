"""Generated scores for the tests of agreement with people."""

import math
import random

import numpy as np

from refscore.significance import draws


def generate(seed, systems, segments, *, levels=None, gaps=0.0, metrics=2, scale=1.0):
    """Return human scores with gaps (None), and metrics that follow them, as lists of systems × segments.

    Args:
        seed: The seed.
        systems: The number of systems.
        segments: The number of segments.
        levels: The number of different scores, for ties; None for numbers without ties.
        gaps: The share of missing human scores.
        metrics: The number of metrics.
        scale: A factor of all scores.
    """
    generator = random.Random(seed)

    def score(center, width):
        value = generator.gauss(center, width)
        return scale * (value if levels is None else float(round(value * levels / 4)))

    truth = [[generator.gauss(0, 1) for _ in range(segments)] for _ in range(systems)]
    human = [[None if generator.random() < gaps else score(value, 0.3) for value in row] for row in truth]
    scored = {f"metric {k}": [[score(value, 0.5 + k) for value in row] for row in truth] for k in range(metrics)}
    return in_order_of_scores(human, scored)


def in_order_of_scores(human, metrics):
    """Return the scores with systems and segments in the order to which draws belong: by people, then by metrics."""
    tables = [human, *(metrics[name] for name in sorted(metrics))]

    def numbers(scores):
        return [math.inf if score is None else score for score in scores]

    systems = sorted(range(len(human)), key=lambda k: [sorted(numbers(table[k])) for table in tables])
    segments = sorted(range(len(human[0])), key=lambda u: [numbers([table[k][u] for k in systems]) for table in tables])

    def ordered(table):
        return [[table[k][u] for u in segments] for k in systems]

    return ordered(human), {name: ordered(table) for name, table in metrics.items()}


def flat(human, scores, by):
    """Return the rated scores of a metric in the order of native code, and the size of each group."""
    human, scores = np.array(human, dtype=float), np.array(scores, dtype=float)
    if by == "none":
        human, scores = human.reshape(1, -1), scores.reshape(1, -1)
    elif by == "item":
        human, scores = human.T, scores.T
    rated = [np.isfinite(row) for row in human]
    groups = [k for k, row in enumerate(rated) if row.sum() > 1]
    people = [human[k][rated[k]].tolist() for k in groups]
    return people, [scores[k][rated[k]].tolist() for k in groups]


def swaps(seed, count, size):
    """Return the swaps of PERM-BOTH: a row of booleans per draw."""
    return (draws.swaps(seed, 0, count, size, stream=draws.METRICS)() == 1).tolist()
