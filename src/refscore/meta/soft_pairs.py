"""Soft pairwise accuracy (Thompson et al., 2024): do people and the metric find pairs of systems equally different?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.errors import InputError
from refscore.meta.judgments import Judgments, Matrix, Vector
from refscore.significance import draws

# The native product needs a multiple of this many columns.
_TILE_COLUMNS = 32
# Sums that differ by less than this share of all differences are equal: another order of summation rounds differently.
_TIE = 1e-12


class SoftPairs:
    """The scores of segments that people rated for all systems, and draws that swap systems in segments.

    A p-value of a pair of systems is the share of draws in which the sum of score differences is at least the observed
    sum. All pairs share their draws.
    """

    def __init__(self, judgments: Judgments, permutations: int, seed: int, threads: int) -> None:
        rated: NDArray[np.bool_] = np.isfinite(judgments.human).all(axis=0)  # type: ignore[assignment]
        if not rated.any() or len(judgments.systems) < 2:
            problem = "soft pairwise accuracy needs two systems, and segments that people rated for all systems"
            raise InputError(None, problem, "leave out systems with few ratings, or choose a different statistic")
        self._threads, self._systems = threads, len(judgments.systems)
        self._signs = 1 - 2 * draws.swaps(seed, 0, permutations, int(rated.sum()), threads)
        self.rated = rated
        self._one, self._other = np.triu_indices(len(judgments.systems), 1)
        self.human = self.p_values([judgments.human[:, rated]])[0]

    def p_values(self, scores: Sequence[Matrix]) -> Matrix:
        """Return the p-value of each pair of systems, for each matrix of systems × rated segments."""
        systems = len(scores[0])
        table = np.zeros((self._signs.shape[1], -(-systems * len(scores) // _TILE_COLUMNS) * _TILE_COLUMNS))
        table[:, : systems * len(scores)] = np.concatenate(scores).T
        sums = np.zeros((len(self._signs), table.shape[1]))
        _native.add_products(self._signs, table, sums, self._threads)
        values = []
        for k, matrix in enumerate(scores):
            drawn = sums[:, k * systems : (k + 1) * systems]
            observed = matrix.sum(axis=1)
            scale = np.abs(matrix).sum(axis=1)
            near = _TIE * (scale[self._one] + scale[self._other])
            differences = drawn[:, self._one] - drawn[:, self._other]
            values.append((differences >= (observed[self._one] - observed[self._other] - near)).mean(axis=0))
        return np.array(values)

    def accuracies(self, scores: Sequence[Matrix]) -> Vector:
        accuracies: Vector = 1 - np.abs(self.p_values(scores) - self.human).mean(axis=1)
        return accuracies

    def swaps(self, seed: int, count: int) -> NDArray[np.bool_]:
        """Return the places where the scores of two metrics change places, one matrix per draw."""
        segments = self._signs.shape[1]
        drawn = draws.swaps(seed, 0, count, self._systems * segments, self._threads, stream=draws.METRICS)
        swapped: NDArray[np.bool_] = drawn.reshape(count, self._systems, segments) == 1
        return swapped

    def swap_p_value(self, one: Matrix, other: Matrix, swapped: NDArray[np.bool_]) -> float:
        """Return the p-value of "the second metric agrees better" by PERM-BOTH. `swapped` has one matrix per draw."""
        pairs: list[Matrix] = [one, other]
        first = self.accuracies(pairs)
        observed, as_large = first[1] - first[0], 1
        for places in swapped:
            drawn = self.accuracies([np.where(places, other, one), np.where(places, one, other)])
            as_large += bool(drawn[1] - drawn[0] >= observed - _TIE)
        return as_large / (len(swapped) + 1)
