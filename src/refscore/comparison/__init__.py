"""Compare systems with a baseline by several metrics, as `refscore compare` does."""

from refscore.comparison.comparing import compare, compare_evaluation
from refscore.comparison.model import SystemComparison
from refscore.comparison.people import AgreementByDifference, PairsOfSystems, published_agreement

__all__ = [
    "AgreementByDifference",
    "PairsOfSystems",
    "SystemComparison",
    "compare",
    "compare_evaluation",
    "published_agreement",
]
