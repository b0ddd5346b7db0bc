"""Scores that a different program computed: the metric, its kernel and its worked steps."""

from refscore.metrics.given.metric import Given, GivenScore

__all__ = ["Given", "GivenScore"]
