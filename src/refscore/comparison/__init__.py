"""Compare systems with a baseline by several metrics, as `refscore compare` does."""

from refscore.comparison.comparing import compare, compare_evaluation
from refscore.comparison.model import SystemComparison

__all__ = ["SystemComparison", "compare", "compare_evaluation"]
