"""Averages over tasks, as in the leaderboards of WMT: statistics, levels, groups and weights as data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refscore.errors import InputError, Location, look_up
from refscore.meta.judgments import Judgments
from refscore.meta.ranking import agreement
from refscore.meta.statistics import Grouping, Level, find_statistic


@dataclass(frozen=True)
class Task:
    """One statistic in an average.

    Attributes:
        statistic: The statistic.
        level: "segment" or "system".
        by: How segments are grouped; None for the usual grouping of the statistic.
        together: Whether all language pairs are one task. Otherwise each is a task with this weight.
        weight: The weight in the average. A task of all language pairs has it once for each of them.
    """

    statistic: str
    level: Level
    by: Grouping | None = None
    together: bool = False
    weight: float = 1.0


TASKS: Mapping[str, tuple[Task, ...]] = {
    # Freitag et al. (2023), "Results of WMT23 Metrics Shared Task".
    "wmt23": (
        Task("pairwise-accuracy", "system", together=True),
        Task("pearson", "system"),
        Task("pearson", "segment", "none"),
        Task("acc-eq", "segment", "item"),
    ),
    # Freitag et al. (2024), "Are LLMs Breaking MT Metrics?".
    "wmt24": (Task("spa", "system"), Task("acc-eq", "segment", "item")),
}
"""The tasks of published leaderboards by name."""


@dataclass(frozen=True)
class AveragedMetric:
    """One metric of an average.

    Attributes:
        name: The name of the metric.
        value: The weighted mean. Correlations, from -1 to 1, count as (1 + r) / 2, so that all tasks go from 0 to 1.
        parts: The value of each task, by its title.
    """

    name: str
    value: float
    parts: Mapping[str, float]

    def __repr__(self) -> str:
        return f"<{self.name}: {self.value:.4f}>"


def average(
    judgments: Mapping[str, Judgments],
    tasks: str | Sequence[Task] = "wmt24",
    *,
    seed: int = 12345,
    threads: int | None = None,
) -> list[AveragedMetric]:
    """Return the metrics of all tasks, the best first.

    Args:
        judgments: The human scores and metric scores of each language pair.
        tasks: The tasks, or the name of a leaderboard: "wmt23" or "wmt24".
        seed: The seed of the random numbers.
        threads: The number of threads; all cores by default.

    Example:
        >>> from refscore.meta import Judgments, average
        >>> people = {"a": [4, 2, 5, 3], "b": [3, 3, 1, 3], "c": [4, 1, 2, 5]}
        >>> scores = {"a": [9, 4, 7, 6], "b": [8, 6, 5, 5], "c": [9, 2, 4, 8]}
        >>> judgments = Judgments.from_scores(people, {"new": scores, "same": people})
        >>> [(metric.name, round(metric.value, 2)) for metric in average({"en-de": judgments}, "wmt23")]
        [('same', 1.0), ('new', 0.81)]
    """
    if not judgments:
        raise InputError(None, "there are no judgments", "pass a dictionary from language pairs to judgments")
    if isinstance(tasks, str):
        tasks = look_up("tasks", tasks, TASKS)
    if not tasks:
        raise InputError(Location("tasks"), "is empty", "pass at least one task, or the name of a leaderboard")
    parts: dict[str, dict[str, float]] = {}
    weights: dict[str, float] = {}
    scaled: dict[str, dict[str, float]] = {}
    for task in tasks:
        found, level, _ = find_statistic(task.statistic, task.level, task.by)
        sets = (
            {"": [*judgments.values()]} if task.together else {f", {pair}": [each] for pair, each in judgments.items()}
        )
        for pair, listed in sets.items():
            label = f"{found.title}, {level}s{pair}"
            parts[label] = agreement(listed, task.statistic, level=task.level, by=task.by, seed=seed, threads=threads)
            weights[label] = task.weight * len(listed)
            scaled[label] = {name: (value - found.lowest) / (1 - found.lowest) for name, value in parts[label].items()}
    total = sum(weights.values())
    averaged = [
        AveragedMetric(
            name,
            math.fsum(weights[label] * values[name] for label, values in scaled.items()) / total,
            {label: values[name] for label, values in parts.items()},
        )
        for name in next(iter(parts.values()))
        if all(name in values for values in parts.values())
    ]
    return sorted(averaged, key=lambda metric: (-metric.value, metric.name))
