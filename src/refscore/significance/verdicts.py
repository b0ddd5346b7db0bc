"""The rule for verdicts, which `refscore compare`, reports and plots share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, TypeAlias

from refscore.significance.settings import check_alpha

if TYPE_CHECKING:
    from refscore.significance.results import Comparison

Verdict: TypeAlias = Literal["baseline", "better", "worse", "unclear", "equal"]


def decide(difference: float | None, p: float | None, *, higher_is_better: bool, alpha: float) -> Verdict:
    """Return the verdict for a difference from the baseline and its p-value. The baseline has no difference.

    >>> decide(-0.02, 0.01, higher_is_better=False, alpha=0.05)
    'better'
    """
    check_alpha(alpha)
    if difference is None:
        return "baseline"
    if difference == 0:
        return "equal"
    if p is None or p > alpha:
        return "unclear"
    return "better" if (difference > 0) == higher_is_better else "worse"


def deciding(comparisons: Iterable[Comparison]) -> Comparison:
    """Return the comparison that decides the verdict: that of the paired bootstrap if there is one, else the first.

    A single test has the error rate alpha. Taking the better of two tests would have a higher one.
    """
    return min(comparisons, key=lambda comparison: comparison.test != "paired-bootstrap")
