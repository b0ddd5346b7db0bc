"""Scores that a different program computed: the metric, its kernel and its worked steps."""
