"""NLTK's `nltk.metrics`: the edit distance."""

from refscore.compat.nltk.metrics.distance import edit_distance

__all__ = ["edit_distance"]
