"""Generated human scores and metric scores with ties and gaps, and statistics of mt-metrics-eval for them.

The values of mt-metrics-eval are recorded by make_mt_metrics_eval.py and compared in tests/meta/test_golden.py.
"""

import json
from itertools import chain
from pathlib import Path

import numpy as np

COMMIT = "68a481aea1a787392d55af8f76ac8ef40c5f4664"
PATH = Path(__file__).parent / "mt_metrics_eval.json"

# Seed, systems, segments, levels of scores, and percent of missing human scores.
SETS = [(1, 5, 12, 4, 20), (2, 3, 25, 30, 10), (3, 8, 6, 2, 50), (4, 2, 9, 5, 0), (5, 4, 5, 1, 30)]
GROUPINGS = {"none": "none", "item": "item", "sys": "system"}
# The names of mt-metrics-eval, and of refscore.
STATISTICS = {
    "pearsonr": "pearson",
    "spearmanr": "spearman",
    "kendalltau b": "tau-b",
    "kendalltau c": "tau-c",
    "KendallVariants 23": "tau-23",
    "KendallVariants acc23": "acc-23",
    "KendallLike": "kendall-like",
    "KendallWithTiesOpt": "acc-eq",
}


def generate(seed, systems, segments, levels, percent):
    """Return human scores (None if missing) and metric scores of systems × segments. Scores are multiples of 1/4."""
    # Raw words are the same in every version of NumPy.
    words = np.random.PCG64(seed).random_raw((3, systems, segments)).astype(object)
    human = words[0] // 2**40 % levels * 40 / 4 - 10
    metric = human * (words[1] // 2**40 % 3) + words[1] // 2**20 % levels * 7 / 4
    gaps = words[2] // 2**40 % 100 < percent
    return [
        [None if gap else float(score) for score, gap in zip(*rows, strict=True)]
        for rows in zip(human, gaps, strict=True)
    ], [[float(score) for score in row] for row in metric]


def compute(human, metric):
    """Return the values of mt-metrics-eval, by statistic, grouping and whether NaN counts as 0."""
    from mt_metrics_eval import stats
    from scipy.stats import kendalltau, pearsonr, spearmanr

    functions = {
        "pearsonr": (pearsonr, {}),
        "spearmanr": (spearmanr, {}),
        "kendalltau b": (kendalltau, {"variant": "b"}),
        "kendalltau c": (kendalltau, {"variant": "c"}),
        "KendallVariants 23": (stats.KendallVariants, {"variant": "23"}),
        "KendallVariants acc23": (stats.KendallVariants, {"variant": "acc23"}),
        "KendallLike": (stats.KendallLike, {"macro": False}),
        "KendallWithTiesOpt": (stats.KendallWithTiesOpt, {"sample_rate": 1.0}),
    }
    people, scores = [*chain(*human)], [*chain(*metric)]
    values = {}
    for name, (function, settings) in functions.items():
        for by in GROUPINGS:
            for zeros in (False, True):
                statistic = stats.AverageCorrelation(
                    function, len(human), by, replace_nans_with_zeros=zeros, **settings
                )
                value, _, groups = statistic(people, scores)
                values[f"{name}|{by}|{zeros:d}"] = [float(value), float(groups)]
    means = [
        [sum(row) / len(row) for row in matrix]
        for matrix in ([[h for h in row if h is not None] for row in human], metric)
    ]
    values["Agreement"] = [float(number) for number in stats.Agreement(*means)]
    return values


def read():
    return json.loads(PATH.read_text(encoding="utf-8"))
