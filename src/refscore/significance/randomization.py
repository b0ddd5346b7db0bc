"""Approximate randomization: outputs of two systems swapped at random, as if both were the same system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from refscore.metrics.core.score import Values
from refscore.metrics.core.settings import whole_number
from refscore.significance import draws, sacrebleu_formulas
from refscore.significance.bootstrap import resampled_outcomes
from refscore.significance.inputs import MOST_DRAWS, Sampling, ScorerChoice, ScorerChoices, Systems, check_labelled
from refscore.significance.results import Comparison, Outcome, build_comparisons
from refscore.significance.scoring import Block, ComparedSystems, in_blocks, share_as_large, tie
from refscore.significance.sums import StackedTables

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.significance.inputs import ComparisonSettings, SamplingSettings


@overload
def approximate_randomization(
    metric: ScorerChoice, systems: Systems, *, trials: int = ..., **settings: Unpack[ComparisonSettings]
) -> Comparison: ...
@overload
def approximate_randomization(
    metric: ScorerChoices, systems: Mapping[str, Systems], *, trials: int = ..., **settings: Unpack[ComparisonSettings]
) -> dict[str, Comparison]: ...
def approximate_randomization(
    metric: ScorerChoice | ScorerChoices,
    systems: Systems | Mapping[str, Systems],
    *,
    trials: int = 10_000,
    resamples: int = 0,
    holm: bool = False,
    paper: bool = False,
    **settings: Unpack[SamplingSettings],
) -> Comparison | dict[str, Comparison]:
    """Compare systems with a baseline by swapping their outputs.

    The p-value is two-sided: the share of trials in which the difference is as large as the observed one, or larger. An
    output identical to the baseline's has p = 1. The test itself gives no intervals and no share of wins; with
    `resamples`, they are those of `paired_bootstrap`.

    Args:
        metric: The metric, or its name; or several, by labels of your own.
        systems: The rows of statistics of each system by its name, the baseline first, as for `paired_bootstrap`. Of
            systems with several runs, in every segment all runs of both are shuffled (Clark et al., 2011).
        trials: How many times to swap.
        resamples: The number of corpora to draw for intervals; 0 for none.
        holm: Correct p for the number of systems, by Holm's method, for each metric on its own.
        paper: Compute sacrebleu's p-values and intervals, with its generator and formulas.
        **settings: Those of `Sampling`: seed, confidence, units, threads and progress.

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
    metrics, runs = check_labelled(metric, systems)
    sampling = Sampling(whole_number("trials", trials, 1, MOST_DRAWS), **settings)
    resamples = whole_number("resamples", resamples, 0, MOST_DRAWS)
    compared = ComparedSystems(metrics, runs, sampling.units)
    for_intervals = replace(sampling, count=resamples, progress=None)
    if paper:
        outcomes = sacrebleu_formulas.approximate_randomization(compared, sampling, for_intervals)
    else:
        outcomes = _outcomes(compared, sampling)
        if resamples:
            resampled = resampled_outcomes(compared, for_intervals)
            for label, swapped in outcomes.items():
                pairs = zip(resampled[label], swapped, strict=True)
                outcomes[label] = [replace(outcome, p=trial.p) for outcome, trial in pairs]
    comparisons = build_comparisons(
        compared, outcomes, sampling, trials=sampling.count, resamples=resamples or None, holm=holm, paper=paper
    )
    return comparisons if isinstance(metric, (Mapping, list)) else comparisons[""]


def _outcomes(systems: ComparedSystems, sampling: Sampling) -> dict[str, list[Outcome]]:
    """Return, for each metric, the outcome of each system: its score, difference and p."""
    trials = _trials(systems, sampling)
    outcomes = {}
    for label, scores in systems.scores().items():
        baseline, *others = [Outcome(name, runs) for name, runs in zip(systems.names, scores, strict=True)]
        outcomes[label] = [baseline]
        for outcome, drawn in zip(others, trials[label], strict=True):
            difference = outcome.score - baseline.score
            p = share_as_large(drawn[:, 1] - drawn[:, 0], difference, tie(drawn))
            outcomes[label].append(replace(outcome, difference=difference, p=p))
    return outcomes


def _trials(systems: ComparedSystems, sampling: Sampling) -> dict[str, Values]:
    """Return, for each metric, scores of shape (systems, trials, 2): the baseline's and the system's in each trial.

    Those of a system do not depend on the others.
    """
    first, *others = systems.columns()
    scores = {label: np.empty((len(others), sampling.count, 2)) for label in systems.metrics}
    single = [k for k, runs in enumerate(systems.runs[1:]) if runs == systems.runs[0] == 1]
    several = [k for k in range(len(others)) if k not in single]
    # One round for all systems with one run, and one for each of the others.
    rounds = bool(single) + len(several)

    def in_round(index: int) -> Sampling:
        progress = sampling.progress
        if progress is None:
            return sampling
        return replace(sampling, progress=lambda done, total: progress((index * total + done) // rounds, total))

    if single:
        tables = [others[k].start for k in single]
        swapped = systems.swapped(
            tables, lambda begin, end: partial(draws.swaps, sampling.seed, begin, end, systems.units), in_round(0)
        )
        for label, drawn in swapped.items():
            scores[label][single] = drawn
    for index, k in enumerate(several, bool(single)):
        members = [*range(first.start, first.stop), *range(others[k].start, others[k].stop)]
        _shuffle(systems, members, {label: array[k] for label, array in scores.items()}, in_round(index))
    return scores


def _shuffle(systems: ComparedSystems, members: list[int], scores: dict[str, Values], sampling: Sampling) -> None:
    """Run trials of a system if it or the baseline has several runs: all runs are shuffled within each unit."""
    split = list(systems.tables.values())
    stacks = [StackedTables(split, tables=[run]) for run in members]
    pool, baseline_runs = len(members), systems.runs[0]

    def score(block: Block) -> None:
        places = block.weights().reshape(-1, systems.units)
        sums: list[Any] = [0.0] * len(split)
        for run, stack in enumerate(stacks):
            part_sums = stack.part_sums((places == run).astype(np.float64))
            sums = [total + tables[0] for total, tables in zip(sums, part_sums, strict=True)]
        for (label, metric), tables, total in zip(systems.metrics.items(), split, sums, strict=True):
            values = metric.values(tables.join(total), threads=1).reshape(-1, pool)
            trials = scores[label][block.begin : block.end]
            trials[:, 0], trials[:, 1] = values[:, :baseline_runs].mean(1), values[:, baseline_runs:].mean(1)

    # Orders take more memory than weights, and sums more than orders if there are few units.
    width = pool * (4 * systems.units + 4 * stacks[0].width)
    in_blocks(
        lambda begin, end: partial(draws.shuffles, sampling.seed, begin, end, systems.units, pool),
        width,
        score,
        sampling,
    )
