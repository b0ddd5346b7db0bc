"""Rank metrics by their agreement with people, with tests and intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore._version import __version__
from refscore.errors import InputError, look_up
from refscore.meta.judgments import Judgments, Matrix, MetricScores, Vector, system_means
from refscore.meta.permutation import p_values_of_pairs, soft_p_values
from refscore.meta.statistics import (
    Grouping,
    Level,
    Sample,
    SoftPairs,
    Statistic,
    agreements,
    as_list,
    find_statistic,
    sample,
    tie_shares,
)
from refscore.metrics import kernel_threads
from refscore.progress import Progress
from refscore.settings import Choice, WholeNumber, setting, with_default
from refscore.significance import Interval, Resampling, draws
from refscore.significance.results import percentile_intervals
from refscore.significance.settings import ALPHA, MOST_DRAWS, Sampling, merge_settings
from refscore.tables import BestHighlight, Column, Result, Table
from refscore.text_display import counted

Resampled: TypeAlias = Literal["segments", "systems", "both"]

# From this share of tied pairs on, a metric orders too few pairs to be in a cluster.
NEARLY_ALL = 0.95
RESAMPLED = {"segments": (True, False), "systems": (False, True), "both": (True, True)}


@dataclass(frozen=True, kw_only=True)
class Ranking(Resampling):
    """The tests and intervals in a ranking.

    Example:
        >>> from refscore.meta import Ranking
        >>> Ranking(seed=1).trials
        1000
    """

    name = "ranking"

    resamples: int = with_default(
        Resampling.__dataclass_fields__["resamples"],
        0,
        meaning="The number of resamples. They give confidence intervals; 0 for none.",
        kind=WholeNumber(0, MOST_DRAWS),
    )
    resample: Resampled = setting("segments", "What is resampled.", Choice(("segments", "systems", "both")))
    trials: int = setting(1000, "The number of draws of the test; 0 for no test.", WholeNumber(0, MOST_DRAWS))
    alpha: float = ALPHA


@dataclass(frozen=True)
class RankedMetric:
    """One metric in a ranking.

    Attributes:
        name: The metric's name.
        value: Its agreement with people, NaN if undefined.
        cluster: Its significance cluster, from 1. None without a test, and for metrics that are undefined or tie nearly
            all pairs.
        threshold: The largest score difference that counts as a tie, for acc*_eq.
        ties: The share of pairs that this threshold ties, for acc*_eq.
        interval: The value's interval, if resamples were drawn.
    """

    name: str
    value: float
    cluster: int | None = None
    threshold: float | None = None
    ties: float | None = None
    interval: Interval | None = None

    def __repr__(self) -> str:
        return f"<{self.name}: {self.value:.4f}>"


@dataclass(frozen=True)
class Ceiling:
    """How well an annotator agrees with the human scores that metrics are compared with.

    Attributes:
        name: The annotator's name.
        value: The agreement, NaN if undefined.
        ratings: How many outputs both people scored.
    """

    name: str
    value: float
    ratings: int

    def to_dict(self) -> dict[str, Any]:
        """Return the ceiling as a dictionary, ready for JSON."""
        return {"name": self.name, "value": None if math.isnan(self.value) else self.value, "ratings": self.ratings}


@dataclass(frozen=True)
class MetricRanking(Result):
    """Metrics ordered by their agreement with people, the best first.

    Attributes:
        statistic: The statistic of agreement.
        level: "segment" or "system".
        by: How segments are grouped.
        metrics: The metrics, the best first.
        p_values: `p_values[i, j]` tests whether metric i is better than metric j, for i before j. NaN elsewhere. None
            without a test.
        trials: The test's draws.
        alpha: The largest significant p-value.
        seed: The seed of the random numbers.
        systems: How many systems were compared.
        ratings: How many human scores there are.
        resample: What the intervals resample. None without intervals.
        all_tied: The value of a metric that ties all pairs, for acc*_eq.
        ceilings: The agreement of each further annotator, on outputs that both people scored.

    Example:
        >>> from refscore.meta import Judgments, rank_metrics
        >>> people = {"a": [4, 2, 5, 3], "b": [3, 3, 1, 3], "c": [4, 1, 2, 5]}
        >>> metrics = {"new": {"a": [9, 4, 7, 6], "b": [8, 6, 5, 5], "c": [9, 2, 4, 8]}}
        >>> ranking = rank_metrics(Judgments.from_scores(people, metrics), "pearson", by="none")
        >>> print(ranking)
        metric  Pearson's r
        ------  -----------
        new          0.7992
        >>> ranking["new"].value == ranking.metrics[0].value
        True
    """

    statistic: Statistic
    level: str
    by: str
    metrics: tuple[RankedMetric, ...]
    p_values: Matrix | None
    trials: int
    alpha: float
    seed: int
    systems: int
    ratings: int
    resample: str | None = None
    all_tied: float | None = None
    ceilings: tuple[Ceiling, ...] = ()

    def __iter__(self) -> Iterator[RankedMetric]:
        return iter(self.metrics)

    def __len__(self) -> int:
        return len(self.metrics)

    def __getitem__(self, name: str) -> RankedMetric:
        return look_up("metric", name, {metric.name: metric for metric in self.metrics})

    def p(self, better: str, worse: str) -> float:
        """Return the p-value that the first metric agrees better with people."""
        one, other = (self.metrics.index(self[name]) for name in (better, worse))
        return float("nan") if self.p_values is None else float(self.p_values[one, other])

    @property
    def signature(self) -> str:
        """All settings that change the result, as text."""
        settings = {
            "agreement": self.statistic.name,
            "level": self.level,
            "by": None if self.level == "system" else self.by,
            "test": "perm-both" if self.trials else None,
            "trials": self.trials or None,
            "alpha": f"{self.alpha:g}" if self.trials else None,
            "resampled": self.resample,
            "seed": self.seed,
            "version": __version__,
        }
        return "|".join(f"{key}:{value}" for key, value in settings.items() if value is not None)

    def table(self, *, digits: int | None = None, title: str = "") -> Table:
        """Return one row per metric. The first cluster is highlighted.

        Args:
            digits: The decimals, 4 by default.
            title: The table's title.
        """
        digits = 4 if digits is None else digits
        columns = [Column("metric"), Column(self.statistic.title, "right")]
        columns += [Column("interval", "right")] if self.resample else []
        columns += [Column("threshold", "right"), Column("ties", "right")] if self._has_thresholds else []
        columns += [Column("cluster", "right")] if self.trials else []
        rows = []
        for metric in self.metrics:
            value = "–" if np.isnan(metric.value) else f"{metric.value:.{digits}f}"
            cells: list[str] = [metric.name, BestHighlight(value) if metric.cluster == 1 else value]
            if self.resample:
                found = metric.interval
                cells.append("–" if found is None else f"[{found.low:.{digits}f}, {found.high:.{digits}f}]")
            if self._has_thresholds:
                cells += [f"{metric.threshold:.3g}", f"{metric.ties:.0%}"]
            if self.trials:
                cells.append("–" if metric.cluster is None else str(metric.cluster))
            rows.append(cells)
        return Table(title, columns, rows, self._note(digits))

    def _note(self, digits: int) -> str:
        people = "".join(
            f"The annotator {each.name} has {each.value:.{digits}f} on {counted(each.ratings, 'output')}. "
            for each in self.ceilings
        )
        if self.all_tied is None:
            return people.rstrip()
        note = f"{people}A metric that ties all pairs has {self.all_tied:.{digits}f}."
        names = [metric.name for metric in self.metrics if metric.ties is not None and metric.ties >= NEARLY_ALL]
        if names:
            note += f" Nearly all pairs are tied at the best threshold of {', '.join(names)}, so there is no cluster."
        return note

    @property
    def _has_thresholds(self) -> bool:
        return any(metric.threshold is not None for metric in self.metrics)

    def flat_table(self) -> Table:
        """Return one row per metric with full precision, and empty cells for missing numbers."""
        rows = []
        for metric in self.metrics:
            low, high = (None, None) if metric.interval is None else (metric.interval.low, metric.interval.high)
            numbers = [metric.value, low, high, metric.threshold, metric.ties, metric.cluster]
            cells = ["" if number is None else repr(number) for number in numbers]
            rows.append([self.statistic.name, self.level, self.by, metric.name, *cells])
        names = ("statistic", "level", "by", "metric", "value", "low", "high", "threshold", "ties", "cluster")
        return Table("", map(Column, names), rows)

    def __repr__(self) -> str:
        return f"<ranking of {counted(len(self), 'metric')} by {self.statistic.title}: {self.systems:,} systems>"

    def to_dict(self) -> dict[str, Any]:
        """Return the ranking as a dictionary, ready for JSON."""
        return {
            "statistic": self.statistic.name,
            "level": self.level,
            "by": self.by,
            "systems": self.systems,
            "ratings": self.ratings,
            "metrics": [
                {
                    "name": metric.name,
                    "value": None if np.isnan(metric.value) else metric.value,
                    "cluster": metric.cluster,
                    "threshold": metric.threshold,
                    "ties": metric.ties,
                    "interval": None if metric.interval is None else metric.interval.to_dict(),
                }
                for metric in self.metrics
            ],
            "all_tied": self.all_tied,
            "ceilings": [each.to_dict() for each in self.ceilings],
            "p_values": None
            if self.p_values is None
            else [[None if np.isnan(p) else p for p in row] for row in self.p_values.tolist()],
            "trials": self.trials,
            "alpha": self.alpha,
            "seed": self.seed,
            "signature": self.signature,
        }


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
        judgments: Human scores and metric scores, or a list for several language pairs. Only metrics that all pairs
            have are used.
        statistic: A name in `STATISTICS`.
        level: Compare segment scores or system scores. By default the first level that the statistic has.
        by: Group segments by "item" (all systems' outputs for one segment), by "system", or by "none". The result is
            the mean over groups. By default what papers use with the statistic.
        zero_if_undefined: Count a group without a value, such as one with equal human scores, as 0. By default it is
            left out.
        seed: The seed of the random numbers. Only soft pairwise accuracy needs them.
        threads: The number of threads, by default all cores.

    Example:
        >>> from refscore.meta import Judgments, agreement
        >>> people = {"a": [4, 2, 5, 3], "b": [3, 3, 1, 3], "c": [4, 1, 2, 5]}
        >>> scores = {"a": [9, 4, 7, 6], "b": [8, 6, 5, 5], "c": [9, 2, 4, 8]}
        >>> judgments = Judgments.from_scores(people, {"new": scores})
        >>> round(agreement(judgments)["new"], 4), agreement(judgments, "pairwise-accuracy")["new"]
        (0.8333, 0.6666666666666666)
    """
    chosen, checked = find_statistic(statistic, level, by), Ranking(seed=seed)
    return compute_values(
        chosen, as_list(judgments), zero_if_undefined, checked.seed, kernel_threads(threads)
    ).by_name()


def rank_metrics(
    judgments: Judgments | Sequence[Judgments],
    statistic: str = "acc-eq",
    ranking: Ranking | None = None,
    *,
    level: Level | None = None,
    by: Grouping | None = None,
    zero_if_undefined: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> MetricRanking:
    """Rank metrics by their agreement with people, and test each pair.

    The test is PERM-BOTH (Deutsch et al., 2021). In each draw, every pair of standardized scores changes places with
    probability 1/2. p is the fraction of draws in which the better metric leads by at least the observed difference.
    The observed scores count as a draw.

    A cluster ends before the first metric that one of its metrics beats with p at most `alpha`. Undefined metrics are
    in no cluster, nor are metrics whose best threshold of acc*_eq ties at least 95 % of pairs: they order too few.

    Args:
        judgments: As for `agreement`.
        statistic: As for `agreement`.
        ranking: The settings of tests and intervals.
        level: As for `agreement`.
        by: As for `agreement`.
        zero_if_undefined: As for `agreement`.
        threads: The number of threads, by default all cores.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings by name, such as `trials=0`, which replace the ones in `ranking`.

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
    chosen = merge_settings(Ranking, ranking, settings)
    seed, trials, alpha = chosen.seed, chosen.trials, chosen.alpha
    count = kernel_threads(threads)

    def compute(drawn: Sequence[Judgments]) -> Values:
        return compute_values((found, used_level, used_by), drawn, zero_if_undefined, seed, count)

    values = compute(listed)
    # The best first; metrics without a value come last, and equal ones in the order of their names.
    order = sorted(range(len(values.names)), key=lambda k: (*descending(float(values.values[k])), values.names[k]))
    names = [values.names[k] for k in order]
    defined = sum(math.isfinite(float(value)) for value in values.values)
    p_values = None
    if trials and defined > 1:
        # Metrics without a value cannot be compared.
        p_values = np.full((len(names), len(names)), np.nan)
        p_values[:defined, :defined] = values.p_values(
            found, order[:defined], trials, seed, count, progress, zero_if_undefined=zero_if_undefined
        )
    ties, all_tied = tie_shares(found, values.sample, values.thresholds, count)
    ordering = [place for place, k in enumerate(order[:defined]) if ties is None or ties[k] < NEARLY_ALL]
    clusters: list[int | None] = [None] * len(names)
    if p_values is not None:
        for place, cluster in zip(ordering, assign_clusters(p_values[np.ix_(ordering, ordering)], alpha), strict=True):
            clusters[place] = cluster
    ranked = [
        RankedMetric(
            name,
            float(values.values[k]),
            clusters[place],
            None if values.thresholds is None else float(values.thresholds[k]),
            None if ties is None else float(ties[k]),
        )
        for place, (name, k) in enumerate(zip(names, order, strict=True))
    ]
    if chosen.resamples:
        sampling = Sampling(chosen.resamples, seed, chosen.confidence, threads=threads, progress=progress)
        by_name = intervals(listed, lambda drawn: compute(drawn).by_name(), chosen.resample, sampling)
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
        all_tied=all_tied,
        ceilings=compute_ceilings(
            listed, (found, used_level, used_by), zero_if_undefined=zero_if_undefined, seed=seed, threads=count
        ),
    )


def compute_ceilings(
    judgments: Sequence[Judgments],
    chosen: tuple[Statistic, str, str],
    *,
    zero_if_undefined: bool,
    seed: int,
    threads: int,
) -> tuple[Ceiling, ...]:
    """Return the agreement of annotators who scored outputs in all of the judgments."""
    ceilings = []
    for name in judgments[0].annotators:
        if not all(name in each.annotators for each in judgments):
            continue
        both = [each.by_annotator(name) for each in judgments]
        try:
            value = compute_values(chosen, both, zero_if_undefined, seed, threads).by_name()[name]
        except InputError:  # too few outputs that both people scored
            value = math.nan
        ceilings.append(Ceiling(name, value, sum(each.ratings for each in both)))
    return tuple(ceilings)


@dataclass(frozen=True)
class Values:
    names: tuple[str, ...]
    values: Vector
    thresholds: Vector | None = None
    sample: Sample | None = None
    soft: SoftPairs | None = None
    soft_scores: Sequence[Matrix] = ()

    def by_name(self) -> dict[str, float]:
        return dict(zip(self.names, self.values.tolist(), strict=True))

    def p_values(
        self,
        found: Statistic,
        order: Sequence[int],
        trials: int,
        seed: int,
        threads: int,
        progress: Progress | None,
        *,
        zero_if_undefined: bool,
    ) -> Matrix:
        if self.soft is not None:
            return soft_p_values(self.soft, [self.soft_scores[k] for k in order], trials, seed, threads, progress)
        assert self.sample is not None
        return p_values_of_pairs(
            found, self.sample, order, trials, seed, threads, progress, zero_if_undefined=zero_if_undefined
        )


def compute_values(
    chosen: tuple[Statistic, str, str], judgments: Sequence[Judgments], zero_if_undefined: bool, seed: int, threads: int
) -> Values:
    found, level, by = chosen
    if found.name == "spa":
        return _soft_values(judgments, seed, threads)
    drawn = sample(judgments, level, by)
    values, thresholds = agreements(found, drawn, zero_if_undefined=zero_if_undefined, threads=threads)
    return Values(drawn.names, values, thresholds, drawn)


def _soft_values(judgments: Sequence[Judgments], seed: int, threads: int) -> Values:
    if len(judgments) > 1:
        raise InputError(None, "soft pairwise accuracy is computed for one language pair", "average several results")
    matrices = {name: each.segments for name, each in judgments[0].metrics.items() if each.segments is not None}
    if not matrices:
        raise InputError(None, "there are no metrics with scores of segments", "add scores with Judgments.with_scores")
    soft = SoftPairs(judgments[0], seed, threads)
    scores = [matrix[:, soft.rated] for matrix in matrices.values()]
    return Values(tuple(matrices), soft.accuracies(scores), soft=soft, soft_scores=scores)


def descending(value: float) -> tuple[bool, float]:
    """Return a sort key: large values first, undefined ones last. Values that differ only by rounding are equal."""
    return (True, 0.0) if math.isnan(value) else (False, -round(value, 12))


def assign_clusters(p_values: Matrix, alpha: float) -> list[int]:
    """Return each metric's cluster, the best first. `p_values[i, j]` tests whether i is better than j."""
    clusters, first = [1] * min(1, len(p_values)), 0
    for k in range(1, len(p_values)):
        is_worse = bool((p_values[first:k, k] <= alpha).any())
        first = k if is_worse else first
        clusters.append(clusters[-1] + is_worse)
    return clusters


def intervals(
    judgments: Sequence[Judgments],
    compute: Callable[[Sequence[Judgments]], Mapping[str, float]],
    resample: str,
    sampling: Sampling,
) -> dict[str, Interval]:
    """Return each metric's percentile interval. Resamples without a value are left out."""
    drawn: dict[str, list[float]] = {}
    for index in range(sampling.count):
        # All judgments together have values, so an error means that too few ratings were drawn.
        with suppress(InputError):
            values = compute([_resampled(each, resample, sampling.seed, index) for each in judgments])
            for name, value in values.items():
                drawn.setdefault(name, []).append(value)
        if sampling.progress is not None:
            sampling.progress(sampling.step, index + 1, sampling.count)
    return {
        name: percentile_intervals(np.array([[value for value in values if np.isfinite(value)]]), sampling, None)[0]
        for name, values in drawn.items()
        if any(map(np.isfinite, values))
    }


def _resampled(judgments: Judgments, resample: str, seed: int, index: int) -> Judgments:
    """Return resample `index`. A system drawn twice is two equal systems, which people and metrics tie."""
    of_segments, of_systems = RESAMPLED[resample]
    systems, segments = judgments.human.shape
    rows = _chosen(seed, draws.SYSTEMS, index, systems) if of_systems else np.arange(systems)
    columns = _chosen(seed, draws.SEGMENTS, index, segments) if of_segments else np.arange(segments)
    metrics = {}
    for name, scores in judgments.metrics.items():
        # Resampled segments change the scores of systems: the mean over the drawn ones.
        matrix = None if scores.segments is None else scores.segments[np.ix_(rows, columns)]
        whole = scores.systems[rows] if matrix is None or not of_segments else system_means(matrix)
        metrics[name] = MetricScores(matrix, whole)
    human = judgments.human[np.ix_(rows, columns)]
    whole = system_means(human) if of_segments else judgments.human_systems[rows]
    return Judgments(tuple(judgments.systems[k] for k in rows), human, whole, metrics)


def _chosen(seed: int, stream: int, index: int, size: int) -> NDArray[np.int64]:
    return draws.below(draws.words(seed, stream, index * size, size), size)
