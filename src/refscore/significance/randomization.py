"""Approximate randomization: swap two systems' outputs at random, as if they were one system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from refscore import _native
from refscore.metrics import MetricChoice, Values, kernel_threads
from refscore.progress import Progress
from refscore.significance import draws, sacrebleu_formulas
from refscore.significance.bootstrap import resampled_outcomes
from refscore.significance.draws import Weights
from refscore.significance.inputs import MetricByLabel, Systems
from refscore.significance.results import Comparison, Outcome
from refscore.significance.scoring import ComparedSystems, compare, in_blocks, of_one_or_several, share_as_large, tie
from refscore.significance.settings import Sampling, Tests, Units, check_draws
from refscore.significance.sums import StackedTables


@of_one_or_several
def approximate_randomization(
    metric: MetricChoice | MetricByLabel,
    systems: Systems | Mapping[str, Systems],
    tests: Tests | None = None,
    *,
    units: Units | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> Comparison | dict[str, Comparison]:
    """Compare systems with a baseline by approximate randomization: the two systems' outputs are swapped at random.

    The p-value is two-sided: the fraction of trials whose difference is at least as large as the observed one. An
    output identical to the baseline's has p = 1. If a system has several runs, both systems' runs are shuffled in every
    segment (Clark et al., 2011).

    Args:
        metric: A metric or its name, such as "bleu", "chrf++" or "bleu:nltk". Several metrics in a list, or in a
            dictionary with labels.
        systems: Each system's rows, by name, as for `paired_bootstrap`.
        tests: The settings.
        units: A label per segment, such as its document. Outputs with the same label are swapped together.
        threads: The number of threads, by default all cores.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings by name, which replace the ones in `tests`. The test itself has no intervals and no win
            probability. With `tests` or `resamples`, `paired_bootstrap` adds both.

    Returns:
        The comparison. For several metrics, a dictionary from labels to comparisons.

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
    execution = {"units": units, "threads": threads, "progress": progress, "step": "swapping"}
    accepted = ["trials", "holm", "formulas"]
    chosen, sampling = check_draws(tests, settings, accepted, needs_resamples=False, **execution)
    return compare(metric, systems, sampling.units, lambda compared: compare_swapped(compared, chosen, sampling))


def compare_swapped(systems: ComparedSystems, tests: Tests, sampling: Sampling) -> dict[str, Comparison]:
    """Compare checked systems by each metric. With no resamples in `sampling`, there are no intervals."""
    test = sacrebleu_formulas.approximate_randomization if tests.formulas == "sacrebleu" else _swapped_outcomes
    outcomes = test(systems, replace(sampling, count=tests.trials), replace(sampling, progress=None))
    resamples, trials = sampling.count or None, tests.trials
    return systems.comparisons(outcomes, tests, resamples=resamples, trials=trials, test="approximate-randomization")


def _swapped_outcomes(
    systems: ComparedSystems, sampling: Sampling, for_intervals: Sampling
) -> dict[str, list[Outcome]]:
    trials = _trials(systems, sampling)
    scored = resampled_outcomes(systems, for_intervals) if for_intervals.count else systems.outcomes
    outcomes = {}
    for label, (baseline, *others) in scored.items():
        score = baseline.score
        outcomes[label] = [baseline]
        for outcome, drawn in zip(others, trials[label], strict=True):
            difference = outcome.score - score
            p = share_as_large(drawn[:, 1] - drawn[:, 0], difference, tie(drawn))
            outcomes[label].append(replace(outcome, difference=difference, p=p))
    return outcomes


def _trials(systems: ComparedSystems, sampling: Sampling) -> dict[str, Values]:
    """Return scores with the shape (systems, trials, 2), by metric: the baseline's and the system's in each trial.

    A system's scores do not depend on the other systems.
    """
    first, *others = systems.columns.values()
    scores = {label: np.empty((len(others), sampling.count, 2)) for label in systems.metrics}
    single = [k for k, columns in enumerate(others) if columns.stop - columns.start == first.stop == 1]
    several = [k for k in range(len(others)) if k not in single]
    # One round for all systems with one run, and one for each system with several runs.
    rounds = bool(single) + len(several)

    def in_round(index: int) -> Sampling:
        progress = sampling.progress
        if progress is None:
            return sampling

        def show(step: str, done: int, total: int) -> None:
            progress(step, (index * total + done) // rounds, total)

        return replace(sampling, progress=show)

    if single:
        tables = [others[k].start for k in single]
        threads = kernel_threads(sampling.threads)

        def draw(begin: int, end: int) -> Weights:
            return draws.swaps(sampling.seed, begin, end, systems.units, threads)

        swapped = systems.swapped(tables, draw, in_round(0))
        for label, drawn in swapped.items():
            scores[label][single] = drawn
    for index, k in enumerate(several, bool(single)):
        _shuffle(systems, others[k], {label: array[k] for label, array in scores.items()}, in_round(index))
    return scores


def _shuffle(systems: ComparedSystems, system: slice, scores: dict[str, Values], sampling: Sampling) -> None:
    """Run a system's trials if it or the baseline has several runs: shuffle all runs within each unit."""
    split = list(systems.tables.values())
    baseline_runs = next(iter(systems.runs.values()))
    stacks = [StackedTables(split, tables=[run]) for run in (*range(baseline_runs), *range(system.start, system.stop))]
    pool = len(stacks)

    def score(block: slice, weights: Weights) -> None:
        places = weights().reshape(-1, systems.units)
        sums: list[Any] = [0.0] * len(split)
        for run, stack in enumerate(stacks):
            part_sums = stack.part_sums((places == run).astype(np.float64))
            sums = [total + tables[0] for total, tables in zip(sums, part_sums, strict=True)]
        for (label, metric), tables, total in zip(systems.metrics.items(), split, sums, strict=True):
            values = metric.values(tables.join(total), threads=1).reshape(-1, pool)
            trials = scores[label][block]
            trials[:, 0], trials[:, 1] = values[:, :baseline_runs].mean(1), values[:, baseline_runs:].mean(1)

    # Permutations take more memory than weights. With few units, sums take more than permutations.
    width = pool * (4 * systems.units + 4 * stacks[0].width)

    def draw(begin: int, end: int) -> Weights:
        return partial(draws.shuffles, sampling.seed, begin, end, systems.units, pool)

    workers = kernel_threads(sampling.threads) or _native.usable_cores()
    in_blocks(draw, width, score, sampling, workers=workers)
