"""NLTK's scoring functions in `nltk.translate`, one per metric. Its modules have the others."""

from refscore.compat.nltk.translate.bleu_score import sentence_bleu as bleu
from refscore.compat.nltk.translate.chrf_score import sentence_chrf as chrf
from refscore.compat.nltk.translate.gleu_score import sentence_gleu as gleu
from refscore.compat.nltk.translate.meteor_score import meteor_score as meteor
from refscore.compat.nltk.translate.nist_score import sentence_nist as nist
from refscore.compat.nltk.translate.ribes_score import sentence_ribes as ribes

__all__ = ["bleu", "chrf", "gleu", "meteor", "nist", "ribes"]
