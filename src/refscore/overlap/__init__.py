"""Overlap between a test set and a corpus: does this text occur in that training data?"""

from refscore.overlap.corpus import Files
from refscore.overlap.finding import find
from refscore.overlap.ngram_filter import NgramFilter
from refscore.overlap.results import Overlap, SegmentOverlap
from refscore.overlap.settings import PRESETS, OverlapSettings

__all__ = ["PRESETS", "Files", "NgramFilter", "Overlap", "OverlapSettings", "SegmentOverlap", "find"]
