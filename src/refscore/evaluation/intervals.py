"""Confidence intervals of an evaluation's scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import sqrt
from statistics import fmean
from typing import TYPE_CHECKING, Any

from refscore.errors import InputError
from refscore.metrics import sum_rows
from refscore.significance import Interval, bootstrap

if TYPE_CHECKING:
    from refscore.evaluation.evaluation import Evaluation


def intervals(
    evaluation: Evaluation, *, progress: Callable[[int, int], object] | None = None, **settings: Any
) -> dict[str, dict[str, Interval]]:
    """Return the bootstrap confidence interval of each score, by system and label."""
    pairs = [(system, label) for system in evaluation.systems for label in evaluation.metrics]
    found: dict[str, dict[str, Interval]] = {system: {} for system in evaluation.systems}
    for done, (system, label) in enumerate(pairs):

        def show(count: int, total: int, done: int = done) -> None:
            if progress is not None:
                progress(done * total + count, len(pairs) * total)

        found[system][label] = interval(evaluation, label, system, progress=show, **settings)
    return found


def interval(evaluation: Evaluation, label: str, system: str | None, **settings: Any) -> Interval:
    """Return the bootstrap confidence interval of a score."""
    if "units" in settings:
        raise InputError(None, "units belong to the whole evaluation", "pass units to refscore.evaluate")
    runs, metric = evaluation.run_indexes(system), evaluation.metrics[label]
    value = fmean(score.value for score in evaluation.run_scores(label, system))
    rows = [evaluation.rows_of_run(label, run) for run in runs]
    drawn = bootstrap(metric, rows, units=evaluation.units, **settings)
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
