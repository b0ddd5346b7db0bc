"""RIBES: the metric, its presets and its worked steps."""

from refscore.metrics.ribes.metric import RIBES, AlignedWord, RIBESScore, ascending_pairs, ribes

__all__ = ["RIBES", "AlignedWord", "RIBESScore", "ascending_pairs", "ribes"]
