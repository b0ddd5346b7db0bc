"""Re-segmentation: cut a system's output into the references' segments."""

from refscore.resegmentation.cutting import Resegmentation, Resegmenter, resegment
from refscore.resegmentation.subtitles import align_cues

__all__ = ["Resegmentation", "Resegmenter", "align_cues", "resegment"]
