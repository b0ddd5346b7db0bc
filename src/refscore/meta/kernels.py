"""Native statistics of agreement with people. With 0 threads, they use all cores."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from refscore import _native
from refscore.errors import InputError
from refscore.significance.draws import native_generator

Rule = _native.AgreementRule
KINDS = {kind.name: kind for kind in _native.Agreement}

# The most pairs of scores within groups for acc*_eq: their differences take 1 GiB of memory in a test.
_MOST_PAIRS = 2**24


def calibrated_accuracy(
    human: NDArray[np.float64], metrics: NDArray[np.float64], starts: NDArray[np.int64], threads: int
) -> NDArray[np.float64]:
    """Return acc*_eq and its threshold for each row of metric scores."""
    _check_pairs(starts)
    return _native.calibrated_accuracy(human, metrics, starts, threads)


def _check_pairs(starts: NDArray[np.int64]) -> None:
    sizes = np.diff(starts)
    pairs = int((sizes * (sizes - 1) // 2).sum())
    if pairs > _MOST_PAIRS:
        problem = f"there are {pairs:,} pairs of scores to calibrate ties with, more than {_MOST_PAIRS:,}"
        raise InputError(None, problem, "group them by item")


def swap_test(
    rule: Rule | None, human: NDArray[np.float64], starts: NDArray[np.int64], bits: np.random.PCG64, draws: int
) -> _native.SwapTest:
    """Return PERM-BOTH for many pairs of metrics, with the same draws. Without a rule, the statistic is acc*_eq."""
    if rule is None:
        _check_pairs(starts)
    return _native.SwapTest(human, starts, rule, native_generator(bits), draws)
