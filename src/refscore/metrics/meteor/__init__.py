"""METEOR: the metric, its presets and its worked steps."""

from refscore.metrics.meteor.metric import METEOR, METEORScore, meteor
from refscore.metrics.meteor.word_matches import MatchedWord, Stem, Synonyms, WordKernel, porter_stem

__all__ = ["METEOR", "METEORScore", "MatchedWord", "Stem", "Synonyms", "WordKernel", "meteor", "porter_stem"]
