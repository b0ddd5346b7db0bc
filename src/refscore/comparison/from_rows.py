"""Run the tests on the rows of an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore.comparison.model import SystemComparison
from refscore.errors import InputError, Location
from refscore.evaluation import Evaluation
from refscore.metrics import RowMetric, kernel_threads, sum_rows
from refscore.significance import (
    Comparison,
    Outcome,
    Resampling,
    Tests,
    approximate_randomization,
    minimum_detectable_difference,
    paired_bootstrap,
)
from refscore.significance.inputs import Runs, label_numbers, unit_numbers

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.significance.settings import TestsSettings

Progress: TypeAlias = Callable[[str, int, int], object]
Numbers = NDArray[np.int64]
CheckedRows = Mapping[str, Mapping[str, Runs]]


def compare_evaluation(
    evaluation: Evaluation,
    baseline: str | None = None,
    *,
    by: str | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Unpack[TestsSettings],
) -> SystemComparison:
    """Compare the systems of an evaluation with a baseline. Its rows must be retained.

    Args:
        evaluation: The evaluation, which may come from texts, files, frames, or scores of other programs.
        baseline: The name of the baseline; the first system by default.
        by: The name of a grouping. Each group of segments is also compared.
        threads: The number of threads; all cores by default.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings of `refscore.significance.Tests`.

    Returns:
        The comparison.

    Example:
        >>> import refscore
        >>> from refscore.comparison import compare_evaluation
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> result = compare_evaluation(refscore.evaluate(outputs, refs, "chrf"), test="bootstrap")
        >>> result.verdict("chrf", "new")
        'better'
    """
    tests = Tests(**settings)
    kernel_threads(threads)
    systems = evaluation.systems
    if len(systems) < 2:
        fix = "pass the baseline first, and at least one more system"
        raise InputError(Location("systems"), f"has {len(systems)} system{'' if len(systems) == 1 else 's'}", fix)
    if baseline is not None:
        evaluation.run_indexes(baseline)  # raises an error for an unknown name
        systems = [baseline, *(name for name in systems if name != baseline)]
    names = (evaluation.titles, evaluation.signatures)
    units = unit_numbers(evaluation.units, evaluation.segments)
    groups = {} if by is None else evaluation.by(by)
    whole = _compare(evaluation.metrics, _rows(evaluation, systems), units, tests, names, threads, progress)
    whole = replace(whole, evaluation=evaluation)
    if by is None:
        return whole
    by_label: dict[Hashable, SystemComparison] = {}
    for done, (label, group) in enumerate(groups.items(), 1):
        numbers = None if group.units is None else label_numbers(group.units, group.segments, "units")[1]
        by_label[label] = _compare(group.metrics, _rows(group, systems), numbers, tests, names, threads)
        if progress is not None:
            progress("groups", done, len(groups))
    return replace(whole, groups=by_label)


def _rows(evaluation: Evaluation, systems: Sequence[str]) -> CheckedRows:
    return {
        label: {
            name: tuple(evaluation.rows_of_run(label, run) for run in evaluation.run_indexes(name)) for name in systems
        }
        for label in evaluation.metrics
    }


def _compare(
    metrics: Mapping[str, RowMetric[Any]],
    rows: CheckedRows,
    units: Numbers | None,
    settings: Tests,
    names: tuple[Mapping[str, str], Mapping[str, str]],
    threads: int | None,
    progress: Progress | None = None,
) -> SystemComparison:
    """Return the comparison without groups.

    `units` has the index of each segment's unit. `names` are the titles and the signatures of the metrics.
    """
    first = next(iter(rows.values()))
    segments = len(next(iter(first.values()))[0])
    can_resample = segments > 1 if units is None else len(np.unique(units)) > 1
    draws: dict[str, Any] = {name: getattr(settings, name) for name in Resampling.settings()}
    draws |= {"units": units, "threads": threads}
    detectable: dict[str, dict[str, float]] = {}
    if settings.power is not None and can_resample:
        # Holm's method rejects whenever p is at most alpha divided by the number of systems.
        alpha = settings.alpha / (len(first) - 1 if settings.holm else 1)
        detectable = minimum_detectable_difference(dict(metrics), rows, alpha=alpha, power=settings.power, **draws)
    return SystemComparison(
        metrics=metrics,
        titles=names[0],
        signatures=names[1],
        tests=(
            _run_tests(metrics, rows, draws, settings, progress)
            if can_resample
            else _untested(metrics, rows, settings, units)
        ),
        alpha=settings.alpha,
        power=settings.power,
        detectable=detectable,
    )


def _run_tests(
    metrics: Mapping[str, RowMetric[Any]],
    rows: CheckedRows,
    draws: Mapping[str, Any],
    settings: Tests,
    progress: Progress | None,
) -> dict[str, dict[str, Comparison]]:
    """Return the comparisons of each test by label."""
    comparisons = {}
    words = Tests.settings()["test"].words
    for test in settings.chosen:
        arguments = {**draws, "holm": settings.holm, "paper": settings.paper}
        if progress is not None:
            arguments["progress"] = partial(progress, words[test])
        if test == "bootstrap":
            comparisons[test] = paired_bootstrap(dict(metrics), rows, **arguments)
            continue
        if "bootstrap" in settings.chosen and not settings.paper:
            arguments["resamples"] = 0  # tables show the intervals of the bootstrap
        comparisons[test] = approximate_randomization(dict(metrics), rows, trials=settings.trials, **arguments)
    return comparisons


def _untested(
    metrics: Mapping[str, RowMetric[Any]], rows: CheckedRows, settings: Tests, units: Numbers | None
) -> dict[str, dict[str, Comparison]]:
    """Return comparisons with scores and differences only, for a group with a single segment or unit."""
    names = {"bootstrap": "paired-bootstrap", "randomization": "approximate-randomization"}
    comparisons: dict[str, dict[str, Comparison]] = {test: {} for test in settings.chosen}
    for label, metric in metrics.items():
        outcomes = [
            Outcome(name, tuple(metric.score(sum_rows(run)) for run in runs)) for name, runs in rows[label].items()
        ]
        baseline = outcomes[0].score
        outcomes[1:] = [replace(outcome, difference=outcome.score - baseline) for outcome in outcomes[1:]]
        for test in settings.chosen:
            comparisons[test][label] = Comparison(
                label=label,
                metric=metric,
                test=names[test],  # type: ignore[arg-type]
                systems=tuple(outcomes),
                segments=len(next(iter(rows[label].values()))[0]),
                seed=settings.seed,
                units=None if units is None else 1,
                holm=settings.holm,
                paper=settings.paper,
            )
    return comparisons
