"""Run the tests on rows of statistics."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore.comparison.model import SystemComparison
from refscore.metrics import Metric, kernel_threads, metric_titles, sum_rows
from refscore.significance import (
    Comparison,
    Outcome,
    Resampling,
    Tests,
    approximate_randomization,
    minimum_detectable_difference,
    paired_bootstrap,
)
from refscore.significance.inputs import (
    RowScorer,
    Runs,
    ScorerChoices,
    Systems,
    check_labelled,
    label_numbers,
    unit_numbers,
)
from refscore.significance.settings import Units

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.significance.settings import TestsSettings

Progress: TypeAlias = Callable[[str, int, int], object]
Numbers = NDArray[np.int64]
CheckedRows = Mapping[str, Mapping[str, Runs]]


def compare_rows(
    metrics: ScorerChoices,
    systems: Mapping[str, Systems],
    *,
    titles: Mapping[str, str] | None = None,
    signatures: Mapping[str, str] | None = None,
    units: Units | None = None,
    by: Units | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    **settings: Unpack[TestsSettings],
) -> SystemComparison:
    """Compare systems with a baseline, from rows of statistics that are already computed.

    Use it for rows that were read in parts, or for the scores of other programs.

    Args:
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        systems: A dictionary from each label to the rows of statistics of each system, as for
            `refscore.significance.paired_bootstrap`. A list of arrays has the rows of several runs.
        titles: The names of the metrics in tables, by label.
        signatures: The signatures of the metrics, by label, if they have more than `metric.signature`.
        units: A label per segment, such as its document. Segments with the same label are resampled together.
        by: A label per segment, such as its domain. Each group of segments with the same label is also compared.
        threads: The number of threads; all cores by default.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **settings: Settings of `refscore.significance.Tests`.

    Returns:
        The comparison.

    Example:
        >>> import refscore
        >>> from refscore.comparison import compare_rows
        >>> refs = ["the cat sat on the mat", "it rained all day", "we went home early today", "nobody came"]
        >>> outputs = {"old": ["a cat sat on a mat", "it rains", "we go home", "no one came"], "new": refs}
        >>> metric = refscore.CHRF()
        >>> rows = {name: metric.stats(texts, refs) for name, texts in outputs.items()}
        >>> result = compare_rows({"chrf": metric}, {"chrf": rows}, test="bootstrap")
        >>> result.verdict("chrf", "new")
        'better'
    """
    tests = Tests(**settings)
    kernel_threads(threads)
    scorers, rows = check_labelled(metrics, systems)
    segments = len(next(iter(next(iter(rows.values())).values()))[0])
    numbers = unit_numbers(units, segments)
    groups = None if by is None else label_numbers(by, segments, "by")
    own_signatures = {label: getattr(metric, "signature", "") for label, metric in scorers.items()}
    names = (_titles(scorers) | dict(titles or {}), own_signatures | dict(signatures or {}))
    whole = _compare(scorers, rows, numbers, tests, names, threads, progress)
    if groups is None:
        return whole
    labels, group_numbers = groups
    by_label: dict[Hashable, SystemComparison] = {}
    for number, label in enumerate(labels):
        chosen = np.flatnonzero(group_numbers == number)
        part = {
            metric: {name: tuple(run[chosen] for run in runs) for name, runs in by_system.items()}
            for metric, by_system in rows.items()
        }
        by_label[label] = _compare(scorers, part, None if numbers is None else numbers[chosen], tests, names, threads)
        if progress is not None:
            progress("groups", number + 1, len(labels))
    return replace(whole, groups=by_label)


def _titles(metrics: Mapping[str, RowScorer]) -> dict[str, str]:
    if all(isinstance(metric, Metric) for metric in metrics.values()):
        return metric_titles(metrics)  # type: ignore[arg-type]
    plain = [metric.title for metric in metrics.values()]
    return {label: metric.title if plain.count(metric.title) == 1 else label for label, metric in metrics.items()}


def _compare(
    metrics: Mapping[str, RowScorer],
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
    metrics: Mapping[str, RowScorer],
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
    metrics: Mapping[str, RowScorer], rows: CheckedRows, settings: Tests, units: Numbers | None
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
