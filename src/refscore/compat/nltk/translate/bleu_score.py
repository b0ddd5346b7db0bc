"""The names of NLTK's `nltk.translate.bleu_score`: BLEU over refscore."""

from refscore.compat.nltk.bleu import corpus_bleu, sentence_bleu
from refscore.compat.nltk.counts import brevity_penalty, closest_ref_length, modified_precision
from refscore.compat.nltk.fraction import Fraction
from refscore.compat.nltk.smoothing import SmoothingFunction

__all__ = [
    "Fraction",
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "modified_precision",
    "sentence_bleu",
]
