"""sacrebleu's `metrics`: BLEU, chrF and TER."""

from refscore.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from refscore.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from refscore.compat.sacrebleu.metrics.ter import TER, TERScore

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "TERScore"]

METRICS = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}
