"""WER and CER: word and character error rates."""

from refscore.metrics.core.word_edits import WordEdit
from refscore.metrics.error_rate.cer import CER, CERScore, cer
from refscore.metrics.error_rate.glm import GLM, GLMRule
from refscore.metrics.error_rate.metric import EditRun
from refscore.metrics.error_rate.wer import WER, WERScore, wer
from refscore.metrics.error_rate.word_list import WordList

__all__ = [
    "CER",
    "GLM",
    "WER",
    "CERScore",
    "EditRun",
    "GLMRule",
    "WERScore",
    "WordEdit",
    "WordList",
    "cer",
    "wer",
]
