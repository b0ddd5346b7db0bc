"""Re-segmentation: cut the output of a system into the segments of references."""

from refscore.resegmentation.cutting import Resegmenter, resegment
from refscore.resegmentation.results import Resegmentation

__all__ = ["Resegmentation", "Resegmenter", "resegment"]
