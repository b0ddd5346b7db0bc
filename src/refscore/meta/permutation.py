"""PERM-BOTH: does one metric agree better with people than another? (Deutsch, Dror and Roth, 2021)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.meta.judgments import Matrix, Vector
from refscore.meta.statistics import PERMUTATIONS, TILE_COLUMNS, Sample, SoftPairs, Statistic, check_pairs
from refscore.progress import Progress
from refscore.significance import draws
from refscore.significance.draws import native_generator

# Between two reports of progress: pairs of metrics, and terms of sums. About a second of work.
_PAIRS_AT_ONCE = 16
_SUMS_AT_ONCE = 20_000_000_000
# Standardized scores of different metrics are equal if they differ by at most this many times the rounding error of
# their scores.
_ROUNDINGS = 64

# Differences of leads that come from adding the same numbers in a different order.
_EQUAL_LEADS = 1e-12
# Whole numbers up to 2**53 are exact, also as sums of many.
_LARGEST_UNIT = 2**30
_DRAWS_AT_ONCE = 2**16

Pairs: TypeAlias = NDArray[np.int64]
"""Two metrics in each row. The second one is assumed to agree better."""

_STEP = "testing pairs of metrics"


def p_values_of_pairs(
    found: Statistic,
    sample: Sample,
    order: Sequence[int],
    count: int,
    seed: int,
    threads: int,
    progress: Progress | None,
    *,
    zero_if_undefined: bool = False,
) -> Matrix:
    """Return each pair's p-value, the better metric first. The lower triangle is NaN."""
    pairs = worse_first(len(order))
    metrics = _comparable(found, [sample.metrics[k] for k in order])
    rule = found.rule(zero_if_undefined=zero_if_undefined)
    if rule is None:
        check_pairs(sample.starts)
    test = _native.SwapTest(sample.human, sample.starts, rule, _bits(seed), count)
    p_values = np.empty(len(pairs))
    for begin in range(0, len(pairs), _PAIRS_AT_ONCE):
        some = slice(begin, begin + _PAIRS_AT_ONCE)
        p_values[some] = test.p_values(metrics, pairs[some], threads)
        if progress is not None:
            progress(_STEP, min(some.stop, len(pairs)), len(pairs))
    return _as_matrix(p_values, pairs, len(order))


def soft_p_values(
    soft: SoftPairs,
    scores: Sequence[Matrix],
    count: int,
    seed: int,
    threads: int,
    progress: Progress | None,
) -> Matrix:
    """Return the p-values of soft pairwise accuracy. All pairs share their draws, so progress is by draw."""
    pairs = worse_first(len(scores))
    test = _soft_test(soft, scores, pairs, _bits(seed))
    as_large = np.zeros(len(pairs), dtype=np.int64)
    for begin, end in _blocks(count, scores):
        as_large += (test.leads(begin, end, threads) >= test.observed()).sum(axis=0)
        if progress is not None:
            progress(_STEP, end, count)
    # The observed scores count as a draw.
    return _as_matrix((as_large + 1) / (count + 1), pairs, len(scores))


def leads_of_pairs(
    found: Statistic,
    sample: Sample,
    pairs: Pairs,
    count: int,
    generator: _native.Pcg64,
    threads: int,
) -> Matrix:
    """Return by how much the second metric of each pair leads: as observed, and in each draw."""
    metrics = _comparable(found, [*sample.metrics])
    test = _native.SwapTest(sample.human, sample.starts, found.rule(), generator, count)
    return test.leads(metrics, pairs, threads)


def soft_leads(
    soft: SoftPairs,
    scores: Sequence[Matrix],
    pairs: Pairs,
    count: int,
    generator: _native.Pcg64,
    threads: int,
) -> Matrix:
    """Return the same for soft pairwise accuracy."""
    test = _soft_test(soft, scores, pairs, generator)
    drawn = [test.leads(begin, end, threads) for begin, end in _blocks(count, scores)]
    leads: Matrix = np.concatenate([test.observed()[None], *drawn]).T / (PERMUTATIONS * len(soft.human))
    return leads


def calibrated_leads(
    sample: Sample, thresholds: Vector, pairs: Pairs, count: int, generator: _native.Pcg64, threads: int
) -> Matrix:
    """Return the same for acc*_eq, where whole comparisons of two outputs are swapped, and thresholds are fixed.

    WMT's leaderboards do so, because calibrating two mixed metrics again mixes their scales.
    """
    sizes = np.diff(sample.starts)
    groups = len(sizes)
    numbers = sizes * (sizes - 1) // 2
    # Each group counts equally, so pairs count by the number of pairs in their group. Sums of whole numbers are exact.
    unit = math.lcm(*{int(number) for number in numbers})
    unit = unit if unit < _LARGEST_UNIT else 1
    tables = []
    for size in np.unique(sizes).tolist():
        begins = sample.starts[:-1][sizes == size]
        places = begins[:, None] + np.arange(size)
        one, other = np.triu_indices(size, 1)
        people = np.sign(sample.human[places][:, one] - sample.human[places][:, other])
        for_metrics = []
        for scores, threshold in zip(sample.metrics, thresholds.tolist(), strict=True):
            difference = scores[places][:, one] - scores[places][:, other]
            signs = np.where(np.abs(difference) <= threshold, 0, np.sign(difference))
            for_metrics.append((signs == people).reshape(-1))
        tables.append(np.array(for_metrics, dtype=np.float64).T * (unit / len(one)))
    agrees = np.concatenate(tables)
    columns = -(-agrees.shape[1] // TILE_COLUMNS) * TILE_COLUMNS
    table = np.zeros((len(agrees), columns))
    table[:, : agrees.shape[1]] = agrees
    swapped = np.zeros((count, columns))
    generator.add_swapped(0, table, swapped, threads)
    observed = table.sum(axis=0)
    values = np.concatenate([observed[None], observed - 2 * swapped]) / (unit * groups)
    leads: Matrix = (values[:, pairs[:, 1]] - values[:, pairs[:, 0]]).T
    return leads


def p_values_of_leads(leads: Matrix) -> Vector:
    """Return the share of draws in which the lead is at least the observed one, which is the first."""
    p_values: Vector = (leads >= leads[:, :1] - _EQUAL_LEADS).mean(axis=1)
    return p_values


def _comparable(found: Statistic, scores: Sequence[Vector]) -> Matrix:
    standardized, ranks = standardize(scores)
    return ranks if found.by_order else standardized


def _soft_test(
    soft: SoftPairs, scores: Sequence[Matrix], pairs: Pairs, generator: _native.Pcg64
) -> _native.SoftSwapTest:
    standardized, _ = standardize([matrix.reshape(-1) for matrix in scores])
    metrics = standardized.reshape(len(scores), *scores[0].shape)
    people = np.rint(soft.human * PERMUTATIONS).astype(np.int64)
    return _native.SoftSwapTest(soft.signs, people, metrics, pairs, generator)


def _blocks(count: int, scores: Sequence[Matrix]) -> Iterator[tuple[int, int]]:
    size = sum(matrix.size for matrix in scores)
    step = min(_DRAWS_AT_ONCE, max(1, _SUMS_AT_ONCE // (PERMUTATIONS * size)))
    for begin in range(0, count, step):
        yield begin, min(begin + step, count)


def standardize(scores: Sequence[Vector]) -> tuple[Matrix, Matrix]:
    """Return scores with mean 0 and standard deviation 1, or zeros if all are equal, and their ranks among all metrics.

    Which scores of a metric are equal is decided before scaling. Scores of different metrics are equal if their
    standardized scores differ only by rounding. Equal scores get the same number and rank. So a metric on two scales
    is one metric.
    """
    numbers, owners, errors, inverses = [], [], [], []
    for owner, own in enumerate(scores):
        values, inverse = np.unique(own, return_inverse=True)
        standardized, error = _standardized(values, inverse)
        numbers.append(standardized)
        owners.append(np.full(len(values), owner))
        errors.append(np.full(len(values), error))
        inverses.append(inverse.reshape(-1))
    everything, owner_of, error_of = map(np.concatenate, (numbers, owners, errors))
    order = np.argsort(everything, kind="stable")  # scores of one metric stay in order
    everything, owner_of, error_of = everything[order], owner_of[order], error_of[order]
    starts = np.ones(len(order), dtype=bool)
    starts[1:] = np.diff(everything) > _ROUNDINGS * (error_of[1:] + error_of[:-1])
    _separate(starts, owner_of)
    classes = np.empty(len(order), dtype=np.int64)
    classes[order] = np.cumsum(starts) - 1
    shared = everything[starts]
    # A metric with equal scores has zeros exactly, whatever nearly equals 0 elsewhere: sums of zeros do not round.
    shared[np.logical_or.reduceat(everything == 0, np.flatnonzero(starts))] = 0
    ends = np.cumsum([0, *map(len, numbers)])
    places = [classes[begin:end][inverse] for begin, end, inverse in zip(ends[:-1], ends[1:], inverses, strict=True)]
    return np.array([shared[place] for place in places]), np.array(places, dtype=np.float64)


def _standardized(values: Vector, inverse: NDArray[np.intp]) -> tuple[Vector, float]:
    """Return the standardized numbers of a metric's different scores, and their rounding error."""
    if len(values) == 1:
        return np.zeros(1), 0.0
    # A power of 2 prevents overflow of squares, and does not round.
    scaled = np.ldexp(values, -int(np.frexp(np.abs(values).max())[1]))
    scores = scaled[inverse]
    mean = scores.mean()
    deviation = float(np.sqrt(np.square(scores - mean).mean()))
    return (scaled - mean) / deviation, float(np.spacing(1.0)) / deviation


def _separate(starts: NDArray[np.bool_], owners: NDArray[np.int64]) -> None:
    """Start a new class where a class would have two scores of the same metric, which are different."""
    begins = np.flatnonzero(starts)
    for begin, end in zip(begins, [*begins[1:], len(starts)], strict=True):
        if end - begin > 1 and len(set(owners[begin:end].tolist())) < end - begin:
            seen: set[int] = set()
            for k in range(begin, end):
                owner = int(owners[k])
                if owner in seen:
                    starts[k] = True
                    seen = set()
                seen.add(owner)


def worse_first(metrics: int) -> NDArray[np.int64]:
    """Return all pairs of metrics in the order of a ranking, each with the worse one first."""
    return np.array([(worse, better) for better, worse in combinations(range(metrics), 2)], dtype=np.int64)


def _as_matrix(p_values: Vector, pairs: NDArray[np.int64], metrics: int) -> Matrix:
    matrix = np.full((metrics, metrics), np.nan)
    matrix[pairs[:, 1], pairs[:, 0]] = p_values
    return matrix


def _bits(seed: int) -> _native.Pcg64:
    return native_generator(draws.generator(seed, draws.METRICS))
