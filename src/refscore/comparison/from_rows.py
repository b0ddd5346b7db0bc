"""Run the tests on rows of statistics."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from refscore.comparison.model import SystemComparison
from refscore.comparison.settings import TESTS, Settings
from refscore.metrics import RowMetric, metric_titles, sum_rows
from refscore.significance import (
    Comparison,
    Outcome,
    approximate_randomization,
    minimum_detectable_difference,
    paired_bootstrap,
)
from refscore.significance.inputs import (
    MetricByLabel,
    Runs,
    Systems,
    check_labelled,
    label_numbers,
    unit_numbers,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from refscore.comparison.settings import ComparisonSettings

Numbers = NDArray[np.int64]
CheckedRows = Mapping[str, Mapping[str, Runs]]


def compare_rows(
    metrics: MetricByLabel,
    systems: Mapping[str, Systems],
    *,
    titles: Mapping[str, str] | None = None,
    signatures: Mapping[str, str] | None = None,
    **settings: Unpack[ComparisonSettings],
) -> SystemComparison:
    """Compare systems with a baseline, from rows of statistics that are already computed.

    Use it for rows that were read in parts, or for the scores of other programs.

    Args:
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        systems: A dictionary from each label to the rows of statistics of each system, as for
            `refscore.significance.paired_bootstrap`. A list of arrays has the rows of several runs.
        titles: The names of the metrics in tables, by label.
        signatures: The signatures of the metrics, by label, if they have more than `metric.signature`.
        **settings: The settings of `compare`, from `test` on.

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
    checked_settings = Settings.check(settings)
    chosen, rows = check_labelled(metrics, systems)
    segments = len(next(iter(next(iter(rows.values())).values()))[0])
    units = unit_numbers(checked_settings.units, segments)
    groups = None if checked_settings.by is None else label_numbers(checked_settings.by, segments, "by")
    own_signatures = {label: metric.signature for label, metric in chosen.items()}
    names = (metric_titles(chosen) | dict(titles or {}), own_signatures | dict(signatures or {}))
    whole = _compare(chosen, rows, units, checked_settings, names)
    if groups is None:
        return whole
    labels, numbers = groups
    by_label: dict[Hashable, SystemComparison] = {}
    quiet = replace(checked_settings, progress=None)
    for number, label in enumerate(labels):
        members = np.flatnonzero(numbers == number)
        part = {
            metric: {name: tuple(run[members] for run in runs) for name, runs in by_system.items()}
            for metric, by_system in rows.items()
        }
        by_label[label] = _compare(chosen, part, None if units is None else units[members], quiet, names)
        if checked_settings.progress is not None:
            checked_settings.progress("groups", number + 1, len(labels))
    return replace(whole, groups=by_label)


def _compare(
    metrics: Mapping[str, RowMetric[Any]],
    rows: CheckedRows,
    units: Numbers | None,
    settings: Settings,
    names: tuple[Mapping[str, str], Mapping[str, str]],
) -> SystemComparison:
    """Return the comparison without groups.

    `units` has the index of each segment's unit. `names` are the titles and the signatures of the metrics.
    """
    first = next(iter(rows.values()))
    segments = len(next(iter(first.values()))[0])
    can_resample = segments > 1 if units is None else len(np.unique(units)) > 1
    draws: dict[str, Any] = {
        "seed": settings.seed,
        "confidence": settings.confidence,
        "units": units,
        "threads": settings.threads,
    }
    detectable: dict[str, dict[str, float]] = {}
    if settings.power is not None and can_resample:
        # Holm's method rejects whenever p is at most alpha divided by the number of systems.
        alpha = settings.alpha / (len(first) - 1 if settings.holm else 1)
        detectable = minimum_detectable_difference(
            dict(metrics), rows, alpha=alpha, power=settings.power, resamples=settings.resamples, **draws
        )
    return SystemComparison(
        metrics=metrics,
        titles=names[0],
        signatures=names[1],
        tests=_run_tests(metrics, rows, draws, settings) if can_resample else _untested(metrics, rows, settings),
        alpha=settings.alpha,
        power=settings.power,
        detectable=detectable,
    )


def _run_tests(
    metrics: Mapping[str, RowMetric[Any]], rows: CheckedRows, draws: Mapping[str, Any], settings: Settings
) -> dict[str, dict[str, Comparison]]:
    """Return the comparisons of each test by label."""
    comparisons = {}
    for test in settings.tests:
        arguments = {**draws, "resamples": settings.resamples, "holm": settings.holm, "paper": settings.paper}
        if settings.progress is not None:
            arguments["progress"] = partial(settings.progress, TESTS[test])
        if test == "bootstrap":
            comparisons[test] = paired_bootstrap(dict(metrics), rows, **arguments)
            continue
        if "bootstrap" in settings.tests and not settings.paper:
            arguments["resamples"] = 0  # tables show the intervals of the bootstrap
        comparisons[test] = approximate_randomization(dict(metrics), rows, trials=settings.trials, **arguments)
    return comparisons


def _untested(
    metrics: Mapping[str, RowMetric[Any]], rows: CheckedRows, settings: Settings
) -> dict[str, dict[str, Comparison]]:
    """Return comparisons with scores and differences only, for a group with a single segment or unit."""
    names = {"bootstrap": "paired-bootstrap", "randomization": "approximate-randomization"}
    comparisons: dict[str, dict[str, Comparison]] = {test: {} for test in settings.tests}
    for label, metric in metrics.items():
        outcomes = [
            Outcome(name, tuple(metric.score(sum_rows(run)) for run in runs)) for name, runs in rows[label].items()
        ]
        baseline = outcomes[0].score
        outcomes[1:] = [replace(outcome, difference=outcome.score - baseline) for outcome in outcomes[1:]]
        for test in settings.tests:
            comparisons[test][label] = Comparison(
                label=label,
                metric=metric,
                test=names[test],  # type: ignore[arg-type]
                systems=tuple(outcomes),
                segments=len(next(iter(rows[label].values()))[0]),
                seed=settings.seed,
                units=None if settings.units is None else 1,
                holm=settings.holm,
                paper=settings.paper,
            )
    return comparisons
