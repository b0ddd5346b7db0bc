"""Alignments of hypotheses with references: views for people, and the most frequent errors."""

from refscore.alignments.frequent_errors import FrequentError, WordErrors, WordRate, word_errors
from refscore.alignments.totals import ErrorTotals, GroupTotals, error_totals
from refscore.alignments.view import AlignedSegment, AlignmentView, alignment_view

__all__ = [
    "AlignedSegment",
    "AlignmentView",
    "ErrorTotals",
    "FrequentError",
    "GroupTotals",
    "WordErrors",
    "WordRate",
    "alignment_view",
    "error_totals",
    "word_errors",
]
