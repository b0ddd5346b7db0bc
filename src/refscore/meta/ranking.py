"""Rank metrics by their agreement with people, and test the differences between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from refscore.errors import InputError
from refscore.meta.bootstrap import intervals
from refscore.meta.judgments import Judgments, Matrix, Vector, segment_scores
from refscore.meta.kernels import Rule, swap_test
from refscore.meta.results import MetricRanking, RankedMetric
from refscore.meta.settings import Ranking
from refscore.meta.soft_pairs import SoftPairs
from refscore.meta.statistics import (
    Grouping,
    Level,
    Sample,
    Statistic,
    agreements,
    as_list,
    find_statistic,
    sample,
    standardize,
)
from refscore.metrics import kernel_threads
from refscore.significance import draws
from refscore.significance.settings import Sampling

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.meta.settings import RankingSettings
    from refscore.significance.settings import Progress

# Draws of soft pairwise accuracy for the p-values of systems, as in the paper.
_PERMUTATIONS = 1000
# Pairs of metrics between two reports of progress: about a second of work.
_PAIRS_AT_ONCE = 16


def agreement(
    judgments: Judgments | Sequence[Judgments],
    statistic: str = "acc-eq",
    *,
    level: Level | None = None,
    by: Grouping | None = None,
    zero_if_undefined: bool = False,
    seed: int = 12345,
    threads: int | None = None,
) -> dict[str, float]:
    """Return how well each metric agrees with people.

    Args:
        judgments: Human scores and metric scores. Several language pairs in a list; only the metrics of all of them
            are used.
        statistic: The statistic: one of `STATISTICS`.
        level: Compare scores of segments or of systems. By default the first level that the statistic has.
        by: Group segments by "item" (the systems' outputs of one segment), by "system", or by "none". The result is
            the mean over groups. By default what papers use with the statistic.
        zero_if_undefined: Count a group without a value, such as one with equal human scores, as 0. By default it is
            left out.
        seed: The seed of the random numbers. Only soft pairwise accuracy needs them.
        threads: The number of threads; all cores by default.

    Example:
        >>> from refscore.meta import Judgments, agreement
        >>> people = {"a": [4, 2, 5, 3], "b": [3, 3, 1, 3], "c": [4, 1, 2, 5]}
        >>> scores = {"a": [9, 4, 7, 6], "b": [8, 6, 5, 5], "c": [9, 2, 4, 8]}
        >>> judgments = Judgments.from_scores(people, {"new": scores})
        >>> round(agreement(judgments)["new"], 4), agreement(judgments, "pairwise-accuracy")["new"]
        (0.8333, 0.6666666666666666)
    """
    listed = as_list(judgments)
    found, used_level, used_by = find_statistic(statistic, level, by)
    return _values(found, listed, used_level, used_by, zero_if_undefined, seed, kernel_threads(threads)).by_name()


def rank_metrics(
    judgments: Judgments | Sequence[Judgments],
    statistic: str = "acc-eq",
    *,
    level: Level | None = None,
    by: Grouping | None = None,
    zero_if_undefined: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Unpack[RankingSettings],
) -> MetricRanking:
    """Rank metrics by their agreement with people, with tests of all pairs of metrics.

    The p-value of two metrics is that of PERM-BOTH (Deutsch et al., 2021): in each draw, every pair of standardized
    scores of the two metrics changes places with probability 1/2. p is the share of draws in which the better metric
    leads by at least the observed difference; the observed scores count as a draw.

    Metrics of one cluster do not differ significantly from the best of the cluster onwards: a cluster ends before the
    first metric that one of its metrics beats with p at most `alpha`.

    Args:
        judgments: As for `agreement`.
        statistic: As for `agreement`.
        level: As for `agreement`.
        by: As for `agreement`.
        zero_if_undefined: As for `agreement`.
        threads: The number of threads; all cores by default.
        progress: A function called with the amount of work done and the total.
        **settings: Settings of `Ranking`: `trials`, `alpha`, `resamples`, `resample`, `confidence` and `seed`.

    Example:
        >>> import numpy as np
        >>> from refscore.meta import Judgments, rank_metrics
        >>> random = np.random.default_rng(1)
        >>> people = random.integers(0, 5, (4, 50)).astype(float)
        >>> noise = {"good": 1, "fair": 2, "poor": 20}
        >>> scores = {name: people + width * random.normal(size=people.shape) for name, width in noise.items()}
        >>> ranking = rank_metrics(Judgments.from_scores(people, scores), trials=200)
        >>> [(metric.name, metric.cluster) for metric in ranking]
        [('good', 1), ('fair', 2), ('poor', 3)]
    """
    listed = as_list(judgments)
    found, used_level, used_by = find_statistic(statistic, level, by)
    chosen = Ranking(**settings)
    seed, trials, alpha = chosen.seed, chosen.trials, chosen.alpha
    count = kernel_threads(threads)
    values = _values(found, listed, used_level, used_by, zero_if_undefined, seed, count)
    # The best first; metrics without a value come last, and equal ones in the order of their names.
    order = sorted(range(len(values.names)), key=lambda k: (*_descending(float(values.values[k])), values.names[k]))
    names = [values.names[k] for k in order]
    p_values = None
    if trials and len(names) > 1:
        rule = found.rule(zero_if_undefined=zero_if_undefined)
        p_values = _p_values(values, rule, order, trials, seed, count, progress)
    clusters = [None] * len(names) if p_values is None else _clusters(p_values, alpha)
    ranked = [
        RankedMetric(
            name,
            float(values.values[k]),
            clusters[place],
            None if values.thresholds is None else float(values.thresholds[k]),
        )
        for place, (name, k) in enumerate(zip(names, order, strict=True))
    ]
    if chosen.resamples:
        sampling = Sampling(chosen.resamples, seed, chosen.confidence, threads=threads, progress=progress)
        by_name = intervals(
            listed,
            lambda drawn: _values(found, drawn, used_level, used_by, zero_if_undefined, seed, count).by_name(),
            chosen.resample,
            sampling,
        )
        ranked = [replace(metric, interval=by_name.get(metric.name)) for metric in ranked]
    return MetricRanking(
        statistic=found,
        level=used_level,
        by=used_by,
        metrics=tuple(ranked),
        p_values=p_values,
        trials=trials if p_values is not None else 0,
        alpha=alpha,
        seed=seed,
        systems=sum(len(each.systems) for each in listed),
        ratings=sum(each.ratings for each in listed),
        resample=chosen.resample if chosen.resamples else None,
    )


@dataclass(frozen=True)
class _Values:
    """The agreement of each metric, and what it was computed from."""

    names: tuple[str, ...]
    values: Vector
    thresholds: Vector | None = None
    sample: Sample | None = None
    soft: SoftPairs | None = None
    soft_scores: Sequence[Matrix] = ()

    def by_name(self) -> dict[str, float]:
        return dict(zip(self.names, self.values.tolist(), strict=True))


def _values(
    found: Statistic,
    judgments: Sequence[Judgments],
    level: str,
    by: str,
    zero_if_undefined: bool,
    seed: int,
    threads: int,
) -> _Values:
    if found.name == "spa":
        return _soft_values(judgments, seed, threads)
    drawn = sample(judgments, level, by)
    values, thresholds = agreements(found, drawn, zero_if_undefined=zero_if_undefined, threads=threads)
    return _Values(drawn.names, values, thresholds, drawn)


def _soft_values(judgments: Sequence[Judgments], seed: int, threads: int) -> _Values:
    if len(judgments) > 1:
        raise InputError(None, "soft pairwise accuracy is computed for one language pair", "average several results")
    names = tuple(name for name, scores in judgments[0].metrics.items() if scores.segments is not None)
    if not names:
        raise InputError(None, "there are no metrics with scores of segments", "add scores with Judgments.with_scores")
    soft = SoftPairs(judgments[0], _PERMUTATIONS, seed, threads)
    scores = [segment_scores(judgments[0].metrics[name])[:, soft.rated] for name in names]
    return _Values(names, soft.accuracies(scores), soft=soft, soft_scores=scores)


def _p_values(
    values: _Values,
    rule: Rule | None,
    order: Sequence[int],
    count: int,
    seed: int,
    threads: int,
    progress: Progress | None,
) -> Matrix:
    """Return the p-value of each pair of metrics, the better one first. The lower triangle is NaN."""
    pairs = np.array([*combinations(range(len(order)), 2)], dtype=np.int64)
    p_values = np.full((len(order), len(order)), np.nan)
    bits = draws.generator(seed, draws.METRICS)
    if values.soft is None:
        drawn = values.sample
        assert drawn is not None
        metrics = np.ascontiguousarray(drawn.standardized()[list(order)])
        test = swap_test(rule, drawn.human, drawn.starts, bits, count)
        step = _PAIRS_AT_ONCE
    else:
        step = 1
        swapped = values.soft.swaps(seed, count)
        soft_scores = [standardize(values.soft_scores[k]) for k in order]
    for begin in range(0, len(pairs), step):
        some = pairs[begin : begin + step]
        if values.soft is None:
            p_values[some[:, 0], some[:, 1]] = test.p_values(metrics, some[:, ::-1].copy(), threads)
        else:
            better, worse = some[0]
            p_values[better, worse] = values.soft.swap_p_value(soft_scores[worse], soft_scores[better], swapped)
        if progress is not None:
            progress(begin + len(some), len(pairs))
    return p_values


def _descending(value: float) -> tuple[bool, float]:
    return (True, 0.0) if math.isnan(value) else (False, -value)


def _clusters(p_values: Matrix, alpha: float) -> list[int]:
    """Return the cluster of each metric, from the best one on. `p_values[i, j]` tests whether i is better than j."""
    clusters, first = [1], 0
    for k in range(1, len(p_values)):
        is_worse = bool((p_values[first:k, k] <= alpha).any())
        first = k if is_worse else first
        clusters.append(clusters[-1] + is_worse)
    return clusters
