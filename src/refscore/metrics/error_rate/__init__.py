"""WER and CER: word and character error rates."""

from refscore.metrics.error_rate.cer import CER, CERScore, cer
from refscore.metrics.error_rate.metric import EditRun, WordEdit
from refscore.metrics.error_rate.wer import WER, WERScore, wer

__all__ = ["CER", "WER", "CERScore", "EditRun", "WERScore", "WordEdit", "cer", "wer"]
