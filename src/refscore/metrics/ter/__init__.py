"""TER: the metric, its presets and its worked steps."""

from refscore.metrics.core.word_moves import Shift
from refscore.metrics.ter.metric import TER, TERAlignment, TEREdit, TERScore, ter

__all__ = ["TER", "Shift", "TERAlignment", "TEREdit", "TERScore", "ter"]
