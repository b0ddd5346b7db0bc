"""BLEU: the metric, its presets and its worked steps."""

from refscore.metrics.bleu.metric import BLEU, BLEUScore, bleu, ngram_precision_score

__all__ = ["BLEU", "BLEUScore", "bleu", "ngram_precision_score"]
