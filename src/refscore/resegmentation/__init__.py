"""Re-segmentation: cut a system's output into the references' segments."""

from refscore.resegmentation.cutting import Resegmentation, Resegmenter, resegment

__all__ = ["Resegmentation", "Resegmenter", "resegment"]
