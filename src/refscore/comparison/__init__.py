"""Compare systems with a baseline by several metrics, as `refscore compare` does."""

from refscore.comparison.from_rows import compare_evaluation
from refscore.comparison.from_texts import compare
from refscore.comparison.model import SystemComparison

__all__ = ["SystemComparison", "compare", "compare_evaluation"]
