"""The average of several statistics, as in leaderboards, and a test of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, SupportsIndex, overload

import numpy as np

from refscore._version import __version__
from refscore.errors import InputError, Location, check_instance, look_up
from refscore.meta.judgments import Judgments, Matrix
from refscore.meta.leaderboards import LEADERBOARDS, Task
from refscore.meta.permutation import (
    Pairs,
    calibrated_leads,
    leads_of_pairs,
    p_values_of_leads,
    soft_leads,
    worse_first,
)
from refscore.meta.ranking import (
    Ceiling,
    Ranking,
    Values,
    assign_clusters,
    compute_ceilings,
    compute_values,
    descending,
)
from refscore.meta.statistics import as_list, check_pairs, find_statistic
from refscore.metrics import kernel_threads
from refscore.progress import Progress
from refscore.significance import draws
from refscore.significance.draws import native_generator
from refscore.significance.settings import merge_settings
from refscore.tables import BestHighlight, Column, Result, Table
from refscore.text_display import counted


@dataclass(frozen=True)
class AveragedMetric:
    """One metric in an average.

    Attributes:
        name: The metric's name.
        value: The weighted mean. Correlations, from -1 to 1, count as (1 + r) / 2, so that all tasks go from 0 to 1.
            If a leaderboard averages ranks, the weighted mean of `clusters`: 1 is best.
        parts: Each task's value, by title.
        cluster: The significance cluster of the mean, from 1. None without a test, and if the mean is undefined.
        clusters: The significance cluster in each task, by title. If ranks are averaged without a test, the place.
        mean_ranks: The mean rank of each language pair and level, if ranks are averaged.
    """

    name: str
    value: float
    parts: Mapping[str, float]
    cluster: int | None = None
    clusters: Mapping[str, int | None] = field(default_factory=dict)
    mean_ranks: Mapping[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.value:.4f}>"


@dataclass(frozen=True)
class Average(Result, Sequence[AveragedMetric]):
    """Metrics ordered by their average over tasks, the best first.

    Averages of ranks, as in WMT 2022, are not tested.

    Attributes:
        tasks: The tasks' name: a leaderboard, or empty text.
        metrics: The metrics, the best first.
        p_values: `p_values[i, j]` tests whether metric i has a larger average than metric j, for i before j. NaN
            elsewhere. None without a test.
        trials: The test's draws.
        alpha: The largest significant p-value.
        seed: The seed of the random numbers.
        ceilings: The agreement of further annotators in each task, by title.

    Example:
        >>> from refscore.meta import Judgments, average
        >>> people = {"a": [4, 2, 5, 3], "b": [3, 3, 1, 3], "c": [4, 1, 2, 5]}
        >>> scores = {"a": [9, 4, 7, 6], "b": [8, 6, 5, 5], "c": [9, 2, 4, 8]}
        >>> judgments = Judgments.from_scores(people, {"new": scores, "same": people})
        >>> found = average({"en-de": judgments}, "wmt24", trials=100)
        >>> [(metric.name, metric.cluster) for metric in found]
        [('same', 1), ('new', 2)]
    """

    tasks: str
    metrics: tuple[AveragedMetric, ...]
    p_values: Matrix | None
    trials: int
    alpha: float
    seed: int
    ceilings: Mapping[str, tuple[Ceiling, ...]] = field(default_factory=dict)

    schema: ClassVar[str] = "meta"

    def __len__(self) -> int:
        return len(self.metrics)

    def __iter__(self) -> Iterator[AveragedMetric]:
        return iter(self.metrics)

    @overload
    def __getitem__(self, index: SupportsIndex | str) -> AveragedMetric: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[AveragedMetric, ...]: ...
    def __getitem__(self, index: SupportsIndex | str | slice) -> AveragedMetric | tuple[AveragedMetric, ...]:
        if isinstance(index, str):
            return look_up("metric", index, {metric.name: metric for metric in self.metrics})
        return self.metrics[index]

    def p(self, better: str, worse: str) -> float:
        """Return the p-value that the first metric has the larger average."""
        one, other = (self.metrics.index(self[name]) for name in (better, worse))
        return float("nan") if self.p_values is None else float(self.p_values[one, other])

    def table(self, *, digits: int | None = None) -> Table:
        """Return one row per metric. The cluster in each task is in parentheses. The first ones are highlighted.

        Further annotators are the last rows. If ranks are averaged, the columns are mean ranks of language pairs and
        levels instead of tasks.

        Args:
            digits: The decimals, 4 by default.
        """
        digits = 4 if digits is None else digits
        if self.metrics and self.metrics[0].mean_ranks:
            return self._ranks(digits)

        def show(value: float, cluster: int | None) -> str:
            number = "–" if math.isnan(value) else f"{value:.{digits}f}"
            if self.trials:
                number += f" ({'–' if cluster is None else cluster})"
            return BestHighlight(number) if cluster == 1 else number

        parts = [*self.metrics[0].parts] if self.metrics else []
        columns = [Column("metric"), Column("average", "right"), *(Column(part, "right") for part in parts)]
        rows = [
            [
                each.name,
                show(each.value, each.cluster),
                *(show(each.parts[part], each.clusters.get(part)) for part in parts),
            ]
            for each in self.metrics
        ]
        # How well people agree with each other: metrics can hardly agree better.
        annotators: dict[str, dict[str, float]] = {
            each.name: {} for ceilings in self.ceilings.values() for each in ceilings
        }
        for part, ceilings in self.ceilings.items():
            for each in ceilings:
                annotators[each.name][part] = each.value
        for name, values in annotators.items():
            cells = (
                f"{values[part]:.{digits}f}" if math.isfinite(values.get(part, math.nan)) else "–" for part in parts
            )
            rows.append([f"annotator {name}", "–", *cells])
        note = "Annotators are compared with the human scores on the outputs that both scored." if annotators else ""
        return Table("", columns, rows, note)

    def _ranks(self, digits: int) -> Table:
        titles = [*self.metrics[0].mean_ranks]
        columns = [Column("metric"), *(Column(title, "right") for title in ("mean rank", *titles))]
        best = [min((each.mean_ranks[title] for each in self.metrics), default=0) for title in titles]

        def show(value: float, is_best: bool) -> str:
            number = "–" if math.isnan(value) else f"{value:.{digits}f}"
            return BestHighlight(number) if is_best else number

        rows = [
            [
                each.name,
                show(each.value, each.value == self.metrics[0].value),
                *(
                    show(each.mean_ranks[title], each.mean_ranks[title] == top)
                    for title, top in zip(titles, best, strict=True)
                ),
            ]
            for each in self.metrics
        ]
        return Table("", columns, rows)

    def flat_table(self) -> Table:
        """Return one row per metric with full precision, and empty cells for missing clusters."""
        parts = [*self.metrics[0].parts] if self.metrics else []
        names = ["metric", "average", "cluster", *(name for part in parts for name in (part, f"{part}, cluster"))]
        rows = []
        for each in self.metrics:
            cells = [each.name, repr(each.value), _optional(each.cluster)]
            for part in parts:
                cells += [repr(each.parts[part]), _optional(each.clusters.get(part))]
            rows.append(cells)
        return Table("", map(Column, names), rows)

    @property
    def signature(self) -> str:
        """All settings that change the result, as text."""
        test = f"test:perm-both|trials:{self.trials}|alpha:{self.alpha:g}|" if self.trials else ""
        return f"task:{self.tasks or 'own'}|{test}seed:{self.seed}|version:{__version__}"

    def __repr__(self) -> str:
        return f"<average of {counted(len(self), 'metric')}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the average as a dictionary, ready for JSON."""
        return {
            "task": self.tasks,
            "metrics": [
                {
                    "name": each.name,
                    "value": _number(each.value),
                    "cluster": each.cluster,
                    "parts": {part: _number(value) for part, value in each.parts.items()},
                    "clusters": dict(each.clusters),
                    **({"mean_ranks": {k: _number(v) for k, v in each.mean_ranks.items()}} if each.mean_ranks else {}),
                }
                for each in self.metrics
            ],
            "p_values": None
            if self.p_values is None
            else [[_number(p) for p in row] for row in self.p_values.tolist()],
            "ceilings": {part: [each.to_dict() for each in ceilings] for part, ceilings in self.ceilings.items()},
            "trials": self.trials,
            "alpha": self.alpha,
            "seed": self.seed,
        }


def average(
    judgments: Mapping[str, Judgments],
    tasks: str | Sequence[Task] = "wmt24",
    ranking: Ranking | None = None,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> Average:
    """Return the metrics with their averages over tasks, the best first, and test each pair.

    The test is PERM-BOTH over tasks, as in the findings of WMT. In each draw of a task, every pair of scores changes
    places with probability 1/2. The lead in a draw is the weighted mean over tasks, which have independent draws. In
    tasks with acc*_eq, comparisons of two outputs change places instead.

    Args:
        judgments: Each language pair's human and metric scores.
        tasks: The tasks, or the name of a leaderboard.
        ranking: The settings of the test. No intervals are computed.
        threads: The number of threads, by default all cores.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings by name, such as `trials=0`, which replace the ones in `ranking`.

    Example:
        >>> from refscore.meta import Judgments, average
        >>> people = {"a": [4, 2, 5, 3], "b": [3, 3, 1, 3], "c": [4, 1, 2, 5]}
        >>> scores = {"a": [9, 4, 7, 6], "b": [8, 6, 5, 5], "c": [9, 2, 4, 8]}
        >>> judgments = Judgments.from_scores(people, {"new": scores, "same": people})
        >>> [(metric.name, round(metric.value, 2)) for metric in average({"en-de": judgments}, "wmt23", trials=0)]
        [('same', 1.0), ('new', 0.81)]
    """
    name, listed = _check_tasks(judgments, tasks)
    by_rank = bool(name) and LEADERBOARDS[name].by_rank
    chosen = merge_settings(Ranking, ranking, settings)
    count = kernel_threads(threads)
    parts = [_Part(*drawn, chosen.seed, count) for drawn in _drawn(judgments, listed)]
    names = [metric for metric in parts[0].values if all(metric in part.values for part in parts)]
    total = sum(part.weight for part in parts)
    means = {
        metric: math.fsum(part.weight * part.scaled(part.values[metric]) for part in parts) / total for metric in names
    }
    order = sorted(names, key=lambda metric: (*descending(means[metric]), metric))
    defined = [metric for metric in order if math.isfinite(means[metric])]
    p_values: Matrix | None = None
    clusters: dict[str, int] = {}
    by_part = {part.title: part.places(defined) if by_rank else {} for part in parts}
    is_tested = chosen.trials > 0 and len(defined) > 1
    if is_tested:
        pairs = worse_first(len(defined))
        leads = np.zeros((len(pairs), chosen.trials + 1))
        for k, part in enumerate(parts):
            generator = native_generator(draws.generator(chosen.seed, draws.METRICS + k))
            own = part.leads(defined, pairs, chosen.trials, generator, count)
            leads += part.weight / total / (1 - part.lowest) * own
            by_part[part.title] = _clusters_of_part(part, defined, pairs, own, chosen.alpha)
            if progress is not None:
                progress("testing pairs of metrics", k + 1, len(parts))
        if not by_rank:
            p_values = np.full((len(order), len(order)), np.nan)
            p_values[pairs[:, 1], pairs[:, 0]] = p_values_of_leads(leads)
            clusters = dict(
                zip(defined, assign_clusters(p_values[: len(defined), : len(defined)], chosen.alpha), strict=True)
            )
    ranks = {metric: _mean_ranks(parts, by_part, metric) for metric in order} if by_rank else {}
    if by_rank:
        means = {metric: ranks[metric].pop("") for metric in order}
        order.sort(key=lambda metric: (*descending(-means[metric]), metric))
    metrics = [
        AveragedMetric(
            metric,
            means[metric],
            {part.title: part.values[metric] for part in parts},
            clusters.get(metric),
            {part.title: by_part[part.title].get(metric) for part in parts},
            ranks.get(metric, {}),
        )
        for metric in order
    ]
    ceilings = {part.title: part.ceilings for part in parts if part.ceilings}
    return Average(
        name, tuple(metrics), p_values, chosen.trials if is_tested else 0, chosen.alpha, chosen.seed, ceilings
    )


def _drawn(
    judgments: Mapping[str, Judgments], tasks: Iterable[Task]
) -> list[tuple[Task, tuple[str, ...], Sequence[Judgments], float]]:
    """Return each task with its language pair and subset, their judgments and weight."""
    by_pair = {pair: {"": judgments[pair], **judgments[pair].subsets} for pair in sorted(judgments)}
    ordered = {pair: dict(zip(own, as_list([*own.values()]), strict=True)) for pair, own in by_pair.items()}
    drawn: list[tuple[Task, tuple[str, ...], Sequence[Judgments], float]] = []
    for task in tasks:
        if task.together:
            drawn.append((task, (), [own[""] for own in ordered.values()], task.weight * len(ordered)))
            continue
        for pair, own in ordered.items():
            subsets = own if task.subsets else {"": own[""]}
            for subset, each in subsets.items():
                drawn.append((task, (pair, subset) if subset else (pair,), [each], task.weight / len(subsets)))
    return drawn


def _mean_ranks(parts: Sequence[_Part], ranks: Mapping[str, Mapping[str, int]], metric: str) -> dict[str, float]:
    """Return the weighted mean of a metric's ranks in all parts, as "", and by group. NaN for an undefined metric."""
    sums: dict[str, list[float]] = {}
    weights: dict[str, list[float]] = {}
    for part in parts:
        for group in ("", *part.groups):
            sums.setdefault(group, []).append(part.weight * ranks[part.title].get(metric, math.nan))
            weights.setdefault(group, []).append(part.weight)
    return {group: math.fsum(own) / math.fsum(weights[group]) for group, own in sums.items()}


class _Part:
    """One task for one language pair or a subset of it, or for all language pairs together."""

    def __init__(
        self,
        task: Task,
        pair: tuple[str, ...],
        judgments: Sequence[Judgments],
        weight: float,
        seed: int,
        threads: int,
    ) -> None:
        found, level, by = find_statistic(task.statistic, task.level, task.by)
        # Of several groupings of a statistic, its usual one is not named.
        grouping = "" if level == "system" or by == found.by else f" by {by}"
        # Judgments of files have no language pair.
        self.title = ", ".join(filter(None, (found.title, f"{level}s{grouping}", *pair)))
        self.groups = (*filter(None, pair[:1]), f"{level}s")
        self.weight = weight
        self.lowest = found.lowest
        self._found = found
        try:
            self._values: Values = compute_values((found, level, by), judgments, False, seed, threads)
        except InputError as error:
            raise InputError(error.location, f"{self.title}: {error.problem}", error.parts) from None
        self.values = self._values.by_name()
        self.ceilings = compute_ceilings(
            judgments, (found, level, by), zero_if_undefined=False, seed=seed, threads=threads
        )

    def scaled(self, value: float) -> float:
        """Return a value from 0 to 1."""
        return (value - self.lowest) / (1 - self.lowest)

    def in_order(self, names: Iterable[str]) -> list[str]:
        """Return the metrics, the best first."""
        return sorted(names, key=lambda name: (*descending(self.values[name]), name))

    def places(self, names: Iterable[str]) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.in_order(names), 1)}

    def leads(self, names: Sequence[str], pairs: Pairs, count: int, generator: Any, threads: int) -> Matrix:
        places = [self._values.names.index(name) for name in names]
        if self._values.soft is not None:
            scores = [self._values.soft_scores[k] for k in places]
            return soft_leads(self._values.soft, scores, pairs, count, generator, threads)
        assert self._values.sample is not None
        sample = self._values.sample.select(places)
        if self._values.thresholds is None:
            return leads_of_pairs(self._found, sample, pairs, count, generator, threads)
        check_pairs(sample.starts)
        return calibrated_leads(sample, self._values.thresholds[places], pairs, count, generator, threads)


def _clusters_of_part(part: _Part, names: Sequence[str], pairs: Pairs, leads: Matrix, alpha: float) -> dict[str, int]:
    """Return the clusters in one task, from the same draws."""
    place = {name: k for k, name in enumerate(part.in_order(names))}
    p_values = np.full((len(names), len(names)), np.nan)
    for (worse, better), own in zip(pairs.tolist(), leads, strict=True):
        first, second = place[names[better]], place[names[worse]]
        p_values[min(first, second), max(first, second)] = p_values_of_leads((own if first < second else -own)[None])[0]
    return dict(zip(place, assign_clusters(p_values, alpha), strict=True))


def _check_tasks(judgments: Any, tasks: object) -> tuple[str, Sequence[Task]]:
    check_instance("judgments", judgments, Mapping, "pass the judgments of each language pair by name")
    if not judgments:
        raise InputError(None, "there are no judgments", "pass a dictionary from language pairs to judgments")
    for pair, own in judgments.items():
        check_instance(f"judgments[{pair!r}]", own, Judgments, "pass the judgments of each language pair by name")
    if isinstance(tasks, str):
        return tasks, look_up("leaderboard", tasks, LEADERBOARDS).tasks
    if not tasks:
        raise InputError(Location("tasks"), "is empty", "pass at least one task, or the name of a leaderboard")
    check_instance("tasks", tasks, Iterable, "pass tasks, or the name of a leaderboard")
    listed: Any = tasks
    for task in listed:
        check_instance("tasks", task, Task, 'pass Task("pearson", "segment"), or the name of a leaderboard')
    return "", [*listed]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _optional(number: int | None) -> str:
    return "" if number is None else str(number)
