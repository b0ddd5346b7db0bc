"""METEOR: the metric, its presets and its worked steps."""

from refscore.metrics.meteor.metric import METEOR, METEORScore, meteor
from refscore.metrics.meteor.word_matches import MatchedWord

__all__ = ["METEOR", "METEORScore", "MatchedWord", "meteor"]
