"""Alignments of hypotheses with references: views for people, and the most frequent errors."""

from refscore.alignments.frequent_errors import FrequentError, WordErrors, WordRate, word_errors
from refscore.alignments.view import AlignedSegment, AlignmentView, alignment_view

__all__ = [
    "AlignedSegment",
    "AlignmentView",
    "FrequentError",
    "WordErrors",
    "WordRate",
    "alignment_view",
    "word_errors",
]
