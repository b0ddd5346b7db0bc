"""CrystalBLEU: the metric, its presets and its worked steps."""

from refscore.metrics.crystalbleu.metric import CrystalBLEU, CrystalBLEUScore, crystalbleu
from refscore.metrics.crystalbleu.ngrams import FrequentNgrams

__all__ = ["CrystalBLEU", "CrystalBLEUScore", "FrequentNgrams", "crystalbleu"]
