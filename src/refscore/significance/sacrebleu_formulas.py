"""sacrebleu's random generator and formulas, to check published tables.

They differ from refscore's:

- Differences lose their sign before they are centred.
- A difference counts only if it is larger than the observed one, so a system compared with itself is "significant".
- The interval is the resamples' mean plus and minus half the distance between two quantiles.

sacrebleu sums in float32, which changes the sixth digit. It reads its seed from the environment variable
SACREBLEU_SEED. refscore takes an argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from refscore.errors import SettingError
from refscore.metrics import Values
from refscore.significance.draws import Weights
from refscore.significance.results import Interval, Outcome
from refscore.significance.scoring import ComparedSystems
from refscore.significance.settings import Sampling

# NumPy draws bits in 32-bit words: a block continues the stream only if the blocks before it used whole words.
_WORD = 32
# Blocks of draws at least, because one thread draws the next block while the others score the last one.
_PARTS = 8


def bootstrap(systems: ComparedSystems, sampling: Sampling) -> Interval:
    """Return one system's interval as `corpus_score(…, n_bootstrap=count)` computes it."""
    _check(systems, sampling)
    ((values,),) = _resampled(systems, np.random.default_rng(sampling.seed), sampling).values()
    return _interval(values, sampling.seed)


def paired_bootstrap(systems: ComparedSystems, sampling: Sampling) -> dict[str, list[Outcome]]:
    """Return what `PairedTest(…, test_type="bs")` computes."""
    _check(systems, sampling)
    resampled = _resampled(systems, np.random.default_rng(sampling.seed), sampling)
    outcomes = {}
    for label, scored in systems.outcomes.items():
        baseline, *others = resampled[label]
        distances = [np.abs(values - baseline) for values in others]
        centred = [values - values.mean() for values in distances]
        outcomes[label] = _outcomes(scored, centred, [_interval(values, sampling.seed) for values in resampled[label]])
    return outcomes


def approximate_randomization(
    systems: ComparedSystems, sampling: Sampling, for_intervals: Sampling
) -> dict[str, list[Outcome]]:
    """Return what `PairedTest(…, test_type="ar", n_ar_confidence=…)` computes, without intervals if that is 0."""
    _check(systems, sampling)
    generator = np.random.default_rng(sampling.seed)
    distances = _swapped(systems, generator, sampling)
    intervals: dict[str, list[Interval | None]] = {label: [None] * len(systems.runs) for label in systems.metrics}
    if for_intervals.count:
        # The systems' resamples continue after the swaps, the baseline's use a new generator.
        continued = _resampled(systems, generator, for_intervals)
        restarted = _resampled(systems, np.random.default_rng(sampling.seed), for_intervals)
        for label in systems.metrics:
            drawn = [restarted[label][0], *continued[label][1:]]
            intervals[label] = [_interval(values, sampling.seed) for values in drawn]
    return {label: _outcomes(scored, distances[label], intervals[label]) for label, scored in systems.outcomes.items()}


def _check(systems: ComparedSystems, sampling: Sampling) -> None:
    if sampling.confidence != 0.95:
        raise SettingError(f"sacrebleu's formulas need confidence=0.95, not {sampling.confidence:g}")
    if systems.grouped is not None:
        raise SettingError("sacrebleu only resamples segments: omit units, or choose refscore's formulas")
    if any(count > 1 for count in systems.runs.values()):
        raise SettingError("sacrebleu compares one run per system: pass one run each, or choose refscore's formulas")
    if sampling.seed == 0 and len(systems.runs) > 1:
        raise SettingError("sacrebleu's tests treat seed 0 as no seed: pass a different seed")


def _swapped(systems: ComparedSystems, generator: np.random.Generator, sampling: Sampling) -> dict[str, Values]:
    """Return how far each system's score is from the baseline's after random swaps, by metric."""

    def draw(begin: int, end: int) -> Weights:
        chosen = generator.integers(2, size=(end - begin, systems.units), dtype=bool)
        return lambda: chosen.astype(np.float64)

    swapped = systems.swapped(range(1, len(systems.runs)), draw, sampling, multiple=_WORD, parts=_PARTS)
    return {label: np.abs(scores[..., 0] - scores[..., 1]) for label, scores in swapped.items()}


def _resampled(systems: ComparedSystems, generator: np.random.Generator, sampling: Sampling) -> dict[str, list[Values]]:
    units = systems.units

    def draw(begin: int, end: int) -> Weights:
        weights = np.empty((end - begin, units))
        for row in weights:
            # `choice` continues the same stream from call to call.
            row[:] = np.bincount(generator.choice(units, size=units), minlength=units)
        return lambda: weights

    return {label: list(columns.T) for label, columns in systems.resampled(draw, sampling, parts=_PARTS).items()}


def _interval(values: Values, seed: int) -> Interval:
    ordered, outside = np.sort(values), len(values) // 40
    mean, half = float(ordered.mean()), float(ordered[len(values) - outside - 1] - ordered[outside]) / 2
    return Interval(mean, mean - half, mean + half, 0.95, len(values), seed, formulas="sacrebleu")


def _outcomes(
    scored: Sequence[Outcome], drawn: Iterable[Values], intervals: Sequence[Interval | None]
) -> list[Outcome]:
    """Return all outcomes from the drawn distances. sacrebleu computes nothing else."""
    baseline, *others = [replace(outcome, interval=each) for outcome, each in zip(scored, intervals, strict=True)]
    outcomes = [baseline]
    for outcome, distances in zip(others, drawn, strict=True):
        difference = outcome.score - baseline.score
        larger = int(np.count_nonzero(distances > abs(difference)))
        outcomes.append(replace(outcome, difference=difference, p=(larger + 1) / (len(distances) + 1)))
    return outcomes
