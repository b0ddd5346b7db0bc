"""Hugging Face's evaluation modules over refscore: loaded from this package, offline.

`refscore.compat.evaluate.load("bleu")` takes the place of `evaluate.load("bleu")` and needs none of Hugging Face's
packages. With evaluate installed, `evaluate.load(refscore.compat.evaluate.script("bleu"))` gives a module of its own
kind, and `refscore.compat.install("evaluate")` lets `evaluate.load("bleu")` give that. There are bleu, sacrebleu, chrf,
ter, rouge, wer, cer, meteor, google_bleu and nist_mt, with the options, defaults, results and numbers of the modules
on the Hub at evaluate 0.4.6. What these score though it makes no sense is an error here: a string as predictions,
references of which some are lists, segments without a reference, an empty corpus.
"""

from refscore.compat.evaluate.combined import CombinedEvaluations, combine
from refscore.compat.evaluate.loading import load, script
from refscore.compat.evaluate.module import EvaluationModule

__all__ = ["CombinedEvaluations", "EvaluationModule", "combine", "load", "script"]
