"""Hugging Face's evaluation modules on refscore, without downloads.

`refscore.compat.evaluate.load("bleu")` replaces `evaluate.load("bleu")` and needs no Hugging Face package. If evaluate
is installed, `evaluate.load(refscore.compat.evaluate.script("bleu"))` returns one of evaluate's modules. After
`refscore.compat.install("evaluate")`, `evaluate.load("bleu")` does the same.

The modules are bleu, sacrebleu, chrf, ter, rouge, wer, cer, meteor, google_bleu, nist_mt, exact_match, squad, squad_v2
and sari. Their options, defaults, results and numbers equal the Hub's modules for evaluate 0.4.6. Some
nonsensical input that these accept is an error: a string as predictions, references that mix strings and lists,
segments without a reference, and an empty corpus.
"""

from refscore.compat.evaluate.loading import CombinedEvaluations, combine, load, script
from refscore.compat.evaluate.module import EvaluationModule
from refscore.compat.overrides import take_missing_names as _take_missing_names

__all__ = ["CombinedEvaluations", "EvaluationModule", "combine", "load", "script"]

_take_missing_names(__name__)
