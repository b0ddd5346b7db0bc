"""McNemar's exact test: which of two systems wins the segments on which only one of them is right?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import overload

import numpy as np

from refscore.errors import InputError
from refscore.metrics import MetricChoice, Values
from refscore.significance.bootstrap import resampled_outcomes
from refscore.significance.inputs import MetricByLabel, Systems
from refscore.significance.results import Comparison
from refscore.significance.scoring import ComparedSystems, compare
from refscore.significance.settings import Sampling, Tests, check_draws

_FIX = "use the paired bootstrap or approximate randomization"


@overload
def mcnemar(metric: MetricChoice, systems: Systems, tests: Tests | None = ..., **settings: object) -> Comparison: ...
@overload
def mcnemar(
    metric: MetricByLabel, systems: Mapping[str, Systems], tests: Tests | None = ..., **settings: object
) -> dict[str, Comparison]: ...
def mcnemar(
    metric: MetricChoice | MetricByLabel,
    systems: Systems | Mapping[str, Systems],
    tests: Tests | None = None,
    **settings: object,
) -> Comparison | dict[str, Comparison]:
    """Compare systems with a baseline by McNemar's exact test, for segments that are right (1) or wrong (0).

    Only segments that one system gets right and the other wrong count. If the systems were equal, each would win such
    a segment with probability 1/2. The two-sided p-value is computed from the binomial distribution, without draws.

    Args:
        metric: A metric or its name. Several metrics in a list, or in a dictionary with labels.
        systems: Each system's rows, by name, as for `paired_bootstrap`. Each system has one run.
        tests: The settings.
        **settings: Settings by name, which replace the ones in `tests`. The test itself has no intervals. With `tests`
            or `resamples`, it has the intervals of `paired_bootstrap`.

    Returns:
        The comparison. For several metrics, a dictionary from labels to comparisons.

    Example:
        >>> import refscore
        >>> from refscore.significance import mcnemar
        >>> accuracy = refscore.Given("accuracy")
        >>> rows = {"old": accuracy.stats([1, 0, 0, 0, 0, 0, 1]), "new": accuracy.stats([1, 1, 1, 1, 1, 1, 0])}
        >>> mcnemar(accuracy, rows)["new"].p       # 5 wins of 6: 2 * (1 + 6) / 2**6
        0.21875
    """
    chosen, sampling = check_draws(tests, settings, ["holm"], needs_resamples=False)
    return compare(metric, systems, None, lambda compared: compare_discordant(compared, chosen, sampling))


def compare_discordant(systems: ComparedSystems, tests: Tests, sampling: Sampling) -> dict[str, Comparison]:
    """Compare checked systems by each metric. With no resamples in `sampling`, there are no intervals."""
    if systems.grouped is not None:
        raise InputError(None, "McNemar's test compares single segments, not units", f"omit the units, or {_FIX}")
    values = {label: _right_or_wrong(systems, label) for label in systems.metrics}
    scored = resampled_outcomes(systems, sampling) if sampling.count else systems.outcomes
    outcomes = {}
    for label, (baseline, *others) in scored.items():
        first, *rest = values[label]
        outcomes[label] = [baseline]
        for outcome, scores in zip(others, rest, strict=True):
            p = exact_p(int((scores > first).sum()), int((scores < first).sum()))
            outcomes[label].append(replace(outcome, difference=outcome.score - baseline.score, p=p))
    return systems.comparisons(outcomes, tests, resamples=sampling.count or None, test="mcnemar")


def _right_or_wrong(systems: ComparedSystems, label: str) -> list[Values]:
    """Return each system's scores of segments: 0, 1, or NaN for segments that were left out."""
    title = systems.metrics[label].title
    if any(count > 1 for count in systems.runs.values()):
        raise InputError(None, "McNemar's test compares systems with one run", _FIX)
    scores = systems.segment_values(label)
    for name, values in zip(systems.runs, scores, strict=True):
        if not np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
            problem = f"McNemar's test needs scores of 0 or 1, but {title} gives a segment of {name!r} another score"
            raise InputError(None, problem, _FIX)
    return scores


def exact_p(wins: int, losses: int) -> float:
    """Return the two-sided p-value of `wins` and `losses` that are equally probable.

    Binomial coefficients are computed as multiples of the largest one, so none overflows.

    >>> exact_p(5, 1), exact_p(3, 3), exact_p(0, 0)
    (0.21875, 1.0, 1.0)
    """
    count, fewer = wins + losses, min(wins, losses)
    if 2 * fewer >= count - 1:  # both tails together contain every outcome
        return 1.0
    middle = count // 2
    k = np.arange(middle, 0, -1.0)
    coefficients = np.concatenate([[1.0], np.cumprod(k / (count - k + 1))])[::-1]  # of 0 to middle
    # An odd count has two middle coefficients, so the coefficients are half of all of them.
    total = 2.0 * coefficients.sum() - (1.0 if count % 2 == 0 else 0.0)
    return float(min(1.0, 2.0 * coefficients[: fewer + 1].sum() / total))
