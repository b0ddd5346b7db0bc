"""A frame of segments in two languages and three domains, and the expected scores of its groups."""

import math
import random

from refscore.metrics import parse_metrics
from tests.frames.outside_metric import Surplus

METRICS = ["bleu", "chrf", "ter", "ribes", "rougeL"]
WITH_OUTSIDE = {**{name: name for name in METRICS}, "surplus": Surplus()}
WORDS = ["the", "cat", "sat", "on", "a", "mat", ".", "naïve", "世界"]


def columns(size=400, seed=3):
    """Return hypotheses, references, second references and labels as lists by name; some are missing."""
    generator = random.Random(seed)

    def text():
        return " ".join(generator.choices(WORDS, k=generator.randint(4, 12)))

    data = {"hyp": [text() for _ in range(size)], "ref": [text() for _ in range(size)]}
    data["other"] = [text() if generator.random() < 0.6 else None for _ in range(size)]
    data["lang"] = [generator.choice(["de", "fr", None]) for _ in range(size)]
    data["domain"] = [generator.choice([1, 2, 3]) for _ in range(size)]
    return data


def expected(data, by, metrics=METRICS, several=False):
    """Return the number of segments and the scores of each group from exact sums, in order of first segments."""
    groups = {}
    for i in range(len(data["hyp"])):
        groups.setdefault(tuple(data[name][i] for name in by), []).append(i)
    references = [[*pair] for pair in zip(data["ref"], data["other"], strict=True)] if several else data["ref"]
    rows = {metric: metric.stats(data["hyp"], references) for metric in parse_metrics(metrics).values()}

    def scores(members):
        return {
            label: metric.score(exact_sum(rows[metric][members])).value
            for label, metric in parse_metrics(metrics).items()
        }

    return {key: (len(members), scores(members)) for key, members in groups.items()}


def exact_sum(rows):
    """Return the sum of rows, correctly rounded by Python."""
    return [math.fsum(column) for column in rows.T.tolist()]


def check(found, data, by, metrics=METRICS, several=False):
    """Compare a result, as a list of dictionaries, to the last bit."""
    wanted = expected(data, by, metrics, several)
    assert [tuple(row[name] for name in by) for row in found] == list(wanted)
    for row, (segments, scores) in zip(found, wanted.values(), strict=True):
        assert row["segments"] == segments
        for label, value in scores.items():
            assert row[label] == value
