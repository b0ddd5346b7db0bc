"""Approximate randomization: outputs of two systems swapped at random, as if both were the same system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias, overload

import numpy as np

from refscore.metrics.core.metric import Metric
from refscore.metrics.core.score import Rows, Values
from refscore.metrics.core.settings import whole_number
from refscore.significance import draws
from refscore.significance import paper as original
from refscore.significance.draws import Matrix
from refscore.significance.inputs import (
    MOST_DRAWS,
    Progress,
    Systems,
    Units,
    by_label,
    checked_settings,
    runs_of,
    segments_of,
    unit_numbers,
)
from refscore.significance.resampling import resampled_outcomes
from refscore.significance.results import Comparison, Outcome, with_holm
from refscore.significance.scoring import Block, Field, in_blocks, share_as_large, tie
from refscore.significance.sums import Stack


@overload
def approximate_randomization(
    metric: Metric[Any],
    systems: Systems,
    *,
    trials: int = ...,
    resamples: int = ...,
    seed: int = ...,
    confidence: float = ...,
    units: Units | None = ...,
    holm: bool = ...,
    paper: bool = ...,
    threads: int | None = ...,
    progress: Progress | None = ...,
) -> Comparison: ...
@overload
def approximate_randomization(
    metric: Mapping[str, Metric[Any]],
    systems: Mapping[str, Systems],
    *,
    trials: int = ...,
    resamples: int = ...,
    seed: int = ...,
    confidence: float = ...,
    units: Units | None = ...,
    holm: bool = ...,
    paper: bool = ...,
    threads: int | None = ...,
    progress: Progress | None = ...,
) -> dict[str, Comparison]: ...
def approximate_randomization(
    metric: Metric[Any] | Mapping[str, Metric[Any]],
    systems: Systems | Mapping[str, Systems],
    *,
    trials: int = 10_000,
    resamples: int = 0,
    seed: int = 12345,
    confidence: float = 0.95,
    units: Units | None = None,
    holm: bool = False,
    paper: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Comparison | dict[str, Comparison]:
    """Systems compared with a baseline by swapping their outputs.

    The p-value is two-sided: the share of trials in which the difference is as large as the real one, or larger. An
    output identical to the baseline's has p = 1. The test itself gives no intervals and no share of wins; with
    `resamples`, they are those of `paired_bootstrap`.

    Args:
        metric: The metric; or several, by labels of your own.
        systems: The rows of statistics of each system, `metric.stats(hypotheses, references)`, by its name; the first
            is the baseline. A list of such arrays stands for several runs (training seeds) of one system: its score is
            the mean of theirs, and in every segment all runs of both systems are shuffled (Clark et al., 2011). For
            several metrics, such a mapping for each label.
        trials: How many times to swap.
        resamples: How many corpora to draw for intervals; 0 for none.
        seed: What to draw with; the same gives the same result.
        confidence: How often intervals hold the true score or difference.
        units: A label for each segment, such as its document; segments of one label are swapped together.
        holm: Correct p for the number of systems, by Holm's method, for each metric on its own.
        paper: Compute sacrebleu's p-values and intervals, with its generator and formulas.
        threads: How many to use; all cores by default.
        progress: Called with the number of trials done and of all, now and then.

    Returns:
        The comparison; for several metrics, one for each label.

    Example:
        >>> import refscore
        >>> from refscore.significance import approximate_randomization
        >>> metric = refscore.TER()
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> rows = {name: metric.stats(texts, refs) for name, texts in outputs.items()}
        >>> approximate_randomization(metric, {**rows, "same": rows["old"]})["same"].p
        1.0
    """
    metrics, found, several = by_label(metric, systems)
    count, seed, confidence = checked_settings("trials", trials, seed, confidence, threads)
    resamples = whole_number("resamples", resamples, 0, MOST_DRAWS)
    if paper:
        original.check(runs_of(found), confidence, units, seed)
    field = Field(metrics, found, unit_numbers(units, segments_of(found)))
    if paper:
        outcomes = original.approximate_randomization(field, count, resamples, seed, threads, progress)
    else:
        outcomes = _outcomes(field, count, seed, threads, progress)
        if resamples:
            resampled = resampled_outcomes(field, resamples, seed, confidence, threads, None)
            for label, swapped in outcomes.items():
                pairs = zip(resampled[label], swapped, strict=True)
                outcomes[label] = [replace(outcome, p=own.p) for outcome, own in pairs]
    made = {
        label: Comparison(
            label=label or metrics[label].title,
            metric=metrics[label],
            test="approximate-randomization",
            systems=tuple(with_holm(outcomes[label]) if holm else outcomes[label]),
            seed=seed,
            trials=count,
            resamples=resamples or None,
            confidence=confidence if resamples else None,
            segments=field.segments,
            units=field.grouped,
            holm=holm,
            paper=paper,
        )
        for label in metrics
    }
    return made if several else made[""]


def _outcomes(
    field: Field, count: int, seed: int, threads: int | None, progress: Progress | None
) -> dict[str, list[Outcome]]:
    """For each metric the outcome of each system: its score, difference and p."""
    pairs = _trials(field, count, seed, threads, progress)
    made = {}
    for label, scores in field.scores().items():
        first, *others = [Outcome(name, own) for name, own in zip(field.names, scores, strict=True)]
        made[label] = [first]
        for k, outcome in enumerate(others):
            difference, drawn = outcome.score - first.score, pairs[label][k]
            p = share_as_large(drawn[:, 1] - drawn[:, 0], difference, tie(drawn))
            made[label].append(replace(outcome, difference=difference, p=p))
    return made


_Pairs: TypeAlias = dict[str, list[Matrix]]
"""For each metric and system the scores of baseline and system in each trial, of shape (trials, 2)."""


def _trials(field: Field, count: int, seed: int, threads: int | None, progress: Progress | None) -> _Pairs:
    """All trials. A system's do not depend on which others there are."""
    first, *others = field.columns()
    pairs = {label: [np.empty((count, 2)) for _ in others] for label in field.metrics}
    single = [k for k, runs in enumerate(field.runs[1:]) if runs == field.runs[0] == 1]
    several = [k for k in range(len(others)) if k not in single]
    # What is done at a time: all systems of one run, and each of the others.
    rounds = bool(single) + len(several)

    def shown(round_: int) -> Progress | None:
        if progress is None:
            return None
        return lambda done, total: progress((round_ * total + done) // rounds, total)

    if single:
        _swap(field, single, pairs, count, seed, threads, shown(0))
    for round_, k in enumerate(several, bool(single)):
        members = [*range(first.start, first.stop), *range(others[k].start, others[k].stop)]
        _shuffle(field, k, members, pairs, count, seed, threads, shown(round_))
    return pairs


def _swap(
    field: Field,
    systems: list[int],
    pairs: _Pairs,
    count: int,
    seed: int,
    threads: int | None,
    progress: Progress | None,
) -> None:
    """Trials of systems of one run: some units are swapped with the baseline."""
    tables = [field.columns()[k + 1].start for k in systems]

    def keep(label: str, here: slice, place: int, baseline: Values, other: Values) -> None:
        pairs[label][systems[place]][here, 0] = baseline
        pairs[label][systems[place]][here, 1] = other

    def draw(begin: int, end: int) -> Callable[[], Rows]:
        return partial(draws.swaps, seed, begin, end, field.units)

    field.swapped(tables, draw, keep, count, threads, progress)


def _shuffle(
    field: Field,
    system: int,
    members: list[int],
    pairs: _Pairs,
    count: int,
    seed: int,
    threads: int | None,
    progress: Progress | None,
) -> None:
    """Trials of a system where it or the baseline has several runs: all runs are shuffled within each unit."""
    groups = list(field.groups.values())
    stacks = [Stack(groups, tables=[run]) for run in members]
    pool, ours = len(members), field.runs[0]

    def draw(begin: int, end: int) -> Callable[[], Rows]:
        return lambda: draws.shuffles(seed, begin, end, field.units, pool).reshape(-1, field.units)

    def score(block: Block) -> None:
        places = block.weights()
        sums: list[Any] = [0.0] * len(groups)
        for run, stack in enumerate(stacks):
            found = stack.parts((places == run).astype(np.float64))
            sums = [total + tables[0] for total, tables in zip(sums, found, strict=True)]
        for (label, metric), group, total in zip(field.metrics.items(), groups, sums, strict=True):
            values = metric.values(group.joined(total), threads=1).reshape(-1, pool)
            here = pairs[label][system][block.begin : block.end]
            here[:, 0], here[:, 1] = values[:, :ours].mean(1), values[:, ours:].mean(1)

    # Orders take more room than weights, and sums than orders where there are few units.
    room = pool * (4 * field.units + 4 * stacks[0].width)
    in_blocks(draw, count, room, score, threads, progress)
