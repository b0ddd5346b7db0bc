"""sacrebleu's own numbers, so that published tables can be checked: its generator, its formulas.

They differ from refscore's: differences are taken without their sign before they are centred, a difference counts only
if it is larger than the real one, so that a system compared with itself is "significant", and the interval is the mean
of the resamples plus and minus half the distance of two of them. sacrebleu sums in float32, which shows in the sixth
digit. Its seed comes from the environment (SACREBLEU_SEED), here from an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from refscore.errors import SettingError
from refscore.metrics.core.score import Rows, Score, Values
from refscore.significance.inputs import Progress
from refscore.significance.results import Interval, Outcome
from refscore.significance.scoring import Field

# A block of swaps continues the stream of those before only if they came to a whole number of 32-bit words.
_WORD = 32


def check(runs: Sequence[int], confidence: float, units: Any, seed: int) -> None:
    """Raises an error for settings that sacrebleu does not have."""
    if confidence != 0.95:
        raise SettingError(f"sacrebleu's intervals are of 95 %: with paper=True, confidence cannot be {confidence:g}")
    if units is not None:
        raise SettingError("sacrebleu resamples segments alone: with paper=True, units cannot be given")
    if any(count > 1 for count in runs):
        raise SettingError("sacrebleu knows one run of a system: with paper=True, several cannot be given")
    if seed == 0 and len(runs) > 1:
        raise SettingError("sacrebleu's tests take the seed 0 for none at all, and draw anew each time: give another")


def bootstrap(field: Field, count: int, seed: int, threads: int | None, progress: Progress | None) -> Interval:
    """The interval of `corpus_score(…, n_bootstrap=count)`, for a field of one system."""
    ((values,),) = _resampled(field, np.random.default_rng(seed), count, threads, progress).values()
    return _interval(values, seed)


def paired_bootstrap(
    field: Field, count: int, seed: int, threads: int | None, progress: Progress | None
) -> dict[str, list[Outcome]]:
    """The numbers of `PairedTest(…, test_type="bs")`."""
    resampled = _resampled(field, np.random.default_rng(seed), count, threads, progress)
    made = {}
    for label, scores in field.scores().items():
        first, *others = resampled[label]
        ps = []
        for own, (score,) in zip(others, scores[1:], strict=True):
            away = np.abs(own - first)
            ps.append(_p(away - away.mean(), abs(scores[0][0].value - score.value)))
        made[label] = _outcomes(field, scores, ps, [_interval(values, seed) for values in resampled[label]])
    return made


def approximate_randomization(
    field: Field, count: int, resamples: int, seed: int, threads: int | None, progress: Progress | None
) -> dict[str, list[Outcome]]:
    """The numbers of `PairedTest(…, test_type="ar", n_ar_confidence=resamples)`; without intervals if that is 0."""
    generator = np.random.default_rng(seed)
    away = _swapped(field, generator, count, threads, progress)
    intervals: dict[str, list[Interval | None]] = {label: [None] * len(field.names) for label in field.metrics}
    if resamples:
        # The systems' resamples go on where the swaps ended, the baseline's begin anew.
        theirs = _resampled(field, generator, resamples, threads)
        ours = _resampled(field, np.random.default_rng(seed), resamples, threads)
        for label in field.metrics:
            intervals[label] = [_interval(values, seed) for values in [ours[label][0], *theirs[label][1:]]]
    made = {}
    for label, scores in field.scores().items():
        real = [abs(scores[0][0].value - score.value) for (score,) in scores[1:]]
        ps = [_p(found, difference) for found, difference in zip(away[label].T, real, strict=True)]
        made[label] = _outcomes(field, scores, ps, intervals[label])
    return made


def _swapped(
    field: Field, generator: np.random.Generator, count: int, threads: int | None, progress: Progress | None
) -> dict[str, Values]:
    """For each metric the distance of the scores of each system and the baseline, with some segments swapped."""
    others = range(1, len(field.names))
    away = {label: np.empty((count, len(others))) for label in field.metrics}

    def keep(label: str, here: slice, place: int, first: Values, second: Values) -> None:
        away[label][here, place] = np.abs(first - second)

    def draw(begin: int, end: int) -> Callable[[], Rows]:
        chosen = generator.integers(2, size=(end - begin, field.units), dtype=bool)
        return lambda: chosen.astype(np.float64)

    field.swapped(others, draw, keep, count, threads, progress, multiple=_WORD)
    return away


def _resampled(
    field: Field,
    generator: np.random.Generator,
    count: int,
    threads: int | None,
    progress: Progress | None = None,
) -> dict[str, list[Values]]:
    """For each metric and system the score of each resample."""

    def draw(begin: int, end: int) -> Callable[[], Rows]:
        weights = np.empty((end - begin, field.units))
        for row in weights:
            # `choice` goes on in the same stream from call to call.
            row[:] = np.bincount(generator.choice(field.units, size=field.units), minlength=field.units)
        return lambda: weights

    values = field.resampled(draw, count, threads, progress)
    return {label: list(columns.T) for label, columns in values.items()}


def _p(found: Values, real: float) -> float:
    return (int(np.count_nonzero(found > real)) + 1) / (len(found) + 1)


def _interval(values: Values, seed: int) -> Interval:
    ordered, outside = np.sort(values), len(values) // 40
    mean, half = float(ordered.mean()), float(ordered[len(values) - outside - 1] - ordered[outside]) / 2
    return Interval(mean, mean - half, mean + half, 0.95, len(values), seed, paper=True)


def _outcomes(
    field: Field, scores: list[tuple[Score, ...]], ps: list[float], intervals: Sequence[Interval | None]
) -> list[Outcome]:
    """The outcomes of all systems; what sacrebleu does not compute is left out."""
    first, *others = [Outcome(*known) for known in zip(field.names, scores, intervals, strict=True)]
    return [
        first,
        *(replace(own, difference=own.score - first.score, p=p) for own, p in zip(others, ps, strict=True)),
    ]
