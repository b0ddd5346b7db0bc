"""Confidence intervals of an evaluation's scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from statistics import fmean
from typing import TYPE_CHECKING

from refscore.errors import InputError
from refscore.metrics import sum_rows
from refscore.progress import Progress
from refscore.significance import Interval, Tests, bootstrap
from refscore.significance.settings import check_draws

if TYPE_CHECKING:
    from refscore.evaluation.evaluation import Evaluation


def intervals(
    evaluation: Evaluation, tests: Tests | None, *, progress: Progress | None, threads: int | None, **settings: object
) -> dict[str, dict[str, Interval]]:
    """Return the bootstrap confidence interval of each score, by system and label."""
    pairs = [(system, label) for system in evaluation.systems for label in evaluation.metrics]
    found: dict[str, dict[str, Interval]] = {system: {} for system in evaluation.systems}
    for done, (system, label) in enumerate(pairs):

        def show(step: str, count: int, total: int, done: int = done) -> None:
            if progress is not None:
                progress(step, done * total + count, len(pairs) * total)

        found[system][label] = interval(evaluation, label, system, tests, progress=show, threads=threads, **settings)
    return found


def interval_settings(tests: Tests | None, settings: Mapping[str, object]) -> Tests:
    """Return the checked settings of intervals."""
    if "units" in settings:
        raise InputError(None, "units belong to the whole evaluation", "pass units to refscore.evaluate")
    return check_draws(tests, settings, ["formulas"])[0]


def interval(
    evaluation: Evaluation,
    label: str,
    system: str | None,
    tests: Tests | None,
    *,
    threads: int | None,
    progress: Progress | None,
    **settings: object,
) -> Interval:
    """Return the bootstrap confidence interval of a score."""
    chosen = interval_settings(tests, settings)
    runs, metric = evaluation.run_indexes(system), evaluation.metrics[label]
    value = fmean(score.value for score in evaluation.run_scores(label, system))
    rows = [evaluation.rows_of_run(label, run) for run in runs]
    drawn = bootstrap(metric, rows, chosen, units=evaluation.units, threads=threads, progress=progress)
    if len(rows[0]) == evaluation.segments:
        return drawn
    # The rows of a sample: the error of a score shrinks with the square root of the number of segments.
    scale = sqrt(len(rows[0]) / evaluation.segments)
    sample_value = fmean(metric.score(sum_rows(each)).value for each in rows)
    return replace(
        drawn,
        mean=value + scale * scale * (drawn.mean - sample_value),  # the bias shrinks with the number of segments
        low=value + scale * (drawn.low - sample_value),
        high=value + scale * (drawn.high - sample_value),
        sample=len(rows[0]),
    )
