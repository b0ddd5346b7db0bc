"""Slow, simple significance tests: PCG64 words one by one, exact sums as fractions, one score at a time."""

from fractions import Fraction
from statistics import fmean

import numpy as np

_MASK = 2**128 - 1
_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645  # O'Neill (2014), PCG

SEGMENTS, SWAPS, BASELINE_RUNS, SYSTEM_RUNS, SHUFFLES = range(5)


def words(seed, stream):
    """Yield the raw words of a stream without end; only the initial state of a seed is NumPy's."""
    state = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(stream,))).state["state"]
    value, increment = state["state"], state["inc"]
    while True:
        value = (value * _MULTIPLIER + increment) & _MASK
        folded, turn = (value >> 64) ^ (value & (2**64 - 1)), value >> 122
        yield ((folded >> turn) | (folded << (64 - turn))) & (2**64 - 1)


def below(word, bound):
    return word * bound >> 64


def resamples(seed, count, units):
    source = words(seed, SEGMENTS)
    return [[below(next(source), units) for _ in range(units)] for _ in range(count)]


def swaps(seed, count, units):
    source = words(seed, SWAPS)
    found = []
    for _ in range(count):
        bits = sum(next(source) << (64 * k) for k in range(-(-units // 64)))
        found.append([bits >> unit & 1 for unit in range(units)])
    return found


def shuffles(seed, count, units, pool):
    """Return the order of the pool for each trial and unit."""
    source = words(seed, SHUFFLES)
    found = []
    for _ in range(count):
        trial = []
        for _ in range(units):
            order = list(range(pool))
            for last in range(pool - 1, 0, -1):
                other = below(next(source), last + 1)
                order[last], order[other] = order[other], order[last]
            trial.append(order)
        found.append(trial)
    return found


def run_choices(seed, stream, count, runs):
    source = words(seed, stream)
    return [[below(next(source), runs) for _ in range(runs)] for _ in range(count)]


def unit_rows(rows, units):
    """Return rows as lists of fractions, summed per unit, in the order of first segments."""
    found = {}
    for row, unit in zip(rows, range(len(rows)) if units is None else units, strict=True):
        exact = [Fraction(value) for value in np.asarray(row).tolist()]
        found[unit] = [a + b for a, b in zip(found[unit], exact, strict=True)] if unit in found else exact
    return list(found.values())


def value(metric, rows):
    return metric.score([float(sum(column)) for column in zip(*rows, strict=True)]).value


def tolerance(values):
    return 1e-12 * max(map(abs, values))


def interval(values, confidence):
    """Return the mean, and the values that exclude the same share at both ends."""
    ordered = sorted(values)

    def at(share):
        place = min(max((len(ordered) + 1) * share - 1, 0), len(ordered) - 1)
        low = int(place)
        high = min(low + 1, len(ordered) - 1)
        return ordered[low] + (place - low) * (ordered[high] - ordered[low])

    return fmean(values), at((1 - confidence) / 2), at((1 + confidence) / 2)


def resampled(metric, runs, draws, choices):
    """Return the score of each resample: the mean over the chosen runs."""
    found = []
    for draw, chosen in zip(draws, choices, strict=True):
        scores = {run: value(metric, [runs[run][unit] for unit in draw]) for run in set(chosen)}
        found.append(fmean(scores[run] for run in chosen))
    return found


def bootstrap(metric, runs, count, seed, confidence, units=None, stream=BASELINE_RUNS):
    runs = [unit_rows(rows, units) for rows in runs]
    draws = resamples(seed, count, len(runs[0]))
    return resampled(metric, runs, draws, run_choices(seed, stream, count, len(runs)))


def paired_bootstrap(metric, baseline, system, count, seed, confidence, units=None):
    """Compare two lists of runs: difference, p, win probability, and intervals of the system and the difference."""
    first = bootstrap(metric, baseline, count, seed, confidence, units)
    own = bootstrap(metric, system, count, seed, confidence, units, SYSTEM_RUNS)
    near = tolerance(first + own)
    real = corpus(metric, system) - corpus(metric, baseline)
    found = [b - a for a, b in zip(first, own, strict=True)]
    p = (sum(abs(d - real) >= abs(real) - near for d in found) + 1) / (count + 1)
    sign = 1 if metric.higher_is_better else -1
    wins = sum(1 if sign * d > near else 0.5 if abs(d) <= near else 0 for d in found) / count
    return real, p, wins, interval(own, confidence), interval(found, confidence)


def approximate_randomization(metric, baseline, system, count, seed, units=None):
    """Compare two lists of runs: difference and p."""
    pool = [unit_rows(rows, units) for rows in [*baseline, *system]]
    size = len(pool[0])
    if len(pool) == 2:
        orders = [[[1, 0] if bit else [0, 1] for bit in trial] for trial in swaps(seed, count, size)]
    else:
        orders = shuffles(seed, count, size, len(pool))
    sides = []
    for trial in orders:
        scores = [
            value(metric, [pool[order[place]][unit] for unit, order in enumerate(trial)]) for place in range(len(pool))
        ]
        sides.append((fmean(scores[: len(baseline)]), fmean(scores[len(baseline) :])))
    real = corpus(metric, system) - corpus(metric, baseline)
    near = tolerance([score for side in sides for score in side])
    return real, (sum(abs(b - a) >= abs(real) - near for a, b in sides) + 1) / (count + 1)


def corpus(metric, runs):
    return fmean(value(metric, unit_rows(rows, None)) for rows in runs)
