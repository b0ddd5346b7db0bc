"""Published leaderboards: their tasks, and the human scores, references and systems that they use."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from refscore.errors import InputError, Location, check_instance, look_up
from refscore.meta.folder import JudgedTestSet, language_pairs
from refscore.meta.judgments import Judgments
from refscore.meta.ranking import agreement, descending
from refscore.meta.statistics import Grouping, Level, find_statistic
from refscore.metrics import MetricChoices


@dataclass(frozen=True)
class Task:
    """One statistic in an average.

    Attributes:
        statistic: The statistic.
        level: "segment" or "system".
        by: How segments are grouped. None for the statistic's usual grouping.
        together: Whether all language pairs are one task. Otherwise each is a task with this weight.
        weight: The weight in the average, once for each language pair.
    """

    statistic: str
    level: Level
    by: Grouping | None = None
    together: bool = False
    weight: float = 1.0


@dataclass(frozen=True)
class JudgedPair:
    """One language pair of a leaderboard.

    Attributes:
        human: The name of the human scores.
        reference: The name of the reference.
        with_human: Whether other human translations count as systems.
        without: The systems that are left out, such as outliers.
    """

    human: str
    reference: str = "refA"
    with_human: bool = False
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Leaderboard:
    """A published leaderboard.

    Attributes:
        tasks: What is averaged.
        pairs: Its language pairs.
        metrics: Its metrics: one submission of each participant, and baselines. Folders have more.

    Example:
        >>> from refscore.meta import LEADERBOARDS
        >>> LEADERBOARDS["wmt23"].pairs["he-en"]
        JudgedPair(human='mqm', reference='refB', with_human=True, without=())
    """

    tasks: tuple[Task, ...]
    pairs: Mapping[str, JudgedPair]
    metrics: frozenset[str] = field(repr=False)


_MQM = JudgedPair("mqm")

_WMT23_METRICS = """
    BERTscore BLEU BLEURT-20 COMET Calibri-COMET22 Calibri-COMET22-QE CometKiwi GEMBA-MQM KG-BERTScore MEE4
    MS-COMET-QE-22 MaTESe MetricX-23 MetricX-23-QE Random-sysname XCOMET-Ensemble XCOMET-QE-Ensemble XLsim YiSi-1 chrF
    cometoid22-wmt22 docWMT22CometDA docWMT22CometKiwiDA eBLEU embed_llama f200spBLEU mbr-metricx-qe
    mre-score-labse-regular prismRef prismSrc sescoreX tokengram_F
"""
_WMT24_METRICS = """
    BERTScore BLCOM_1 BLEU BLEURT-20 COMET-22 CometKiwi MEE4 MetricX-24-Hybrid MetricX-24-Hybrid-QE PrismRefMedium
    PrismRefSmall XCOMET XCOMET-QE XLsimMqm YiSi-1 bright-qe chrF chrfS damonmonli gemba_esa
    metametrics_mt_mqm_hybrid_kendall metametrics_mt_mqm_qe_kendall.seg.s sentinel-cand-mqm sentinel-ref-mqm
    sentinel-src-mqm spBLEU
"""

# The settings are facts from mt_metrics_eval.meta_info and mt_metrics_eval.tasks.
LEADERBOARDS: Mapping[str, Leaderboard] = {
    # Freitag et al. (2023), "Results of WMT23 Metrics Shared Task".
    "wmt23": Leaderboard(
        (
            Task("pairwise-accuracy", "system", together=True),
            Task("pearson", "system"),
            Task("pearson", "segment", "none"),
            Task("acc-eq", "segment", "item"),
        ),
        {
            "en-de": replace(_MQM, without=("synthetic_ref",)),
            "he-en": replace(_MQM, reference="refB", with_human=True),
            "zh-en": replace(_MQM, without=("synthetic_ref",)),
        },
        frozenset(_WMT23_METRICS.split()),
    ),
    # Freitag et al. (2024), "Are LLMs Breaking MT Metrics?".
    "wmt24": Leaderboard(
        (Task("spa", "system"), Task("acc-eq", "segment", "item")),
        {
            "en-de": replace(_MQM, reference="refB", with_human=True, without=("MSLC",)),
            "en-es": replace(_MQM, without=("MSLC",)),
            "ja-zh": replace(_MQM, without=("MSLC",)),
        },
        frozenset(_WMT24_METRICS.split()),
    ),
}
"""Published leaderboards by name."""

TASKS: Mapping[str, tuple[Task, ...]] = {name: board.tasks for name, board in LEADERBOARDS.items()}
"""The tasks of published leaderboards by name."""


def read_leaderboard(
    folder: str | Path,
    name: str = "wmt24",
    *,
    pairs: Iterable[str] | None = None,
    human: Mapping[str, str] | None = None,
    references: Mapping[str, str] | None = None,
    without: Iterable[str] = (),
    metrics: MetricChoices | None = None,
    threads: int | None = None,
) -> dict[str, Judgments]:
    """Return the judgments of a leaderboard's language pairs, with the human scores, references and systems it uses.

    A folder without these language pairs, human scores, references or metrics is read as far as they are not ambiguous.

    Args:
        folder: A folder in mt-metrics-eval's layout.
        name: The leaderboard: "wmt23" or "wmt24".
        pairs: The language pairs. By default the leaderboard's, or all of the folder if it has none of them.
        human: The human scores of language pairs that differ from the leaderboard's.
        references: The references of language pairs that differ from the leaderboard's.
        without: More systems to leave out.
        metrics: Metrics to compute from text, as for `JudgedTestSet.judgments`.
        threads: The number of threads, by default all cores.
    """
    board = look_up("leaderboard", name, LEADERBOARDS)
    known = language_pairs(folder)
    chosen = list(pairs or [pair for pair in board.pairs if pair in known] or known)
    sets = [JudgedTestSet.open(folder, pair) for pair in chosen] or [JudgedTestSet.open(folder)]
    chosen_human, chosen_references = human or {}, references or {}
    judgments = {}
    for each in sets:
        used = board.pairs.get(each.pair, JudgedPair("", ""))
        is_listed = any(metric.rpartition("-")[0] in board.metrics for metric in each.metric_names)
        judgments[each.pair] = each.judgments(
            human=chosen_human.get(each.pair, used.human if used.human in each.human_names else None),
            reference=chosen_references.get(each.pair, used.reference if used.reference in each.references else None),
            with_human=used.with_human,
            without=[system for system in (*used.without, *without) if system in each.outputs],
            metrics=metrics,
            given=board.metrics if is_listed else True,
            threads=threads,
        )
    return judgments


@dataclass(frozen=True)
class AveragedMetric:
    """One metric in an average.

    Attributes:
        name: The metric's name.
        value: The weighted mean. Correlations, from -1 to 1, count as (1 + r) / 2, so that all tasks go from 0 to 1.
        parts: Each task's value, by title.
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
    """Return the metrics with their averages over tasks, the best first.

    Args:
        judgments: Each language pair's human and metric scores.
        tasks: The tasks, or a leaderboard's name: "wmt23" or "wmt24".
        seed: The seed of the random numbers.
        threads: The number of threads, by default all cores.

    Example:
        >>> from refscore.meta import Judgments, average
        >>> people = {"a": [4, 2, 5, 3], "b": [3, 3, 1, 3], "c": [4, 1, 2, 5]}
        >>> scores = {"a": [9, 4, 7, 6], "b": [8, 6, 5, 5], "c": [9, 2, 4, 8]}
        >>> judgments = Judgments.from_scores(people, {"new": scores, "same": people})
        >>> [(metric.name, round(metric.value, 2)) for metric in average({"en-de": judgments}, "wmt23")]
        [('same', 1.0), ('new', 0.81)]
    """
    check_instance("judgments", judgments, Mapping, "pass the judgments of each language pair by name")
    if not judgments:
        raise InputError(None, "there are no judgments", "pass a dictionary from language pairs to judgments")
    if isinstance(tasks, str):
        tasks = look_up("leaderboard", tasks, LEADERBOARDS).tasks
    if not tasks:
        raise InputError(Location("tasks"), "is empty", "pass at least one task, or the name of a leaderboard")
    check_instance("tasks", tasks, Iterable, "pass tasks, or the name of a leaderboard")
    for task in tasks:
        check_instance("tasks", task, Task, 'pass Task("pearson", "segment"), or the name of a leaderboard')
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
    return sorted(averaged, key=lambda metric: (*descending(metric.value), metric.name))
