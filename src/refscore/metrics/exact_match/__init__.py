"""Exact match: the metric, its presets and its worked steps."""

from refscore.metrics.exact_match.metric import ExactMatch, ExactMatchScore, exact_match

__all__ = ["ExactMatch", "ExactMatchScore", "exact_match"]
