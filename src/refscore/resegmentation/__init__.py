"""Re-segmentation: cut the output of a system into the segments of references."""

from refscore.resegmentation.cutting import Resegmentation, Resegmenter, resegment

__all__ = ["Resegmentation", "Resegmenter", "resegment"]
