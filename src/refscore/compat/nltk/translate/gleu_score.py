"""The names of NLTK's `nltk.translate.gleu_score`: GLEU over refscore."""

from refscore.compat.nltk.gleu import corpus_gleu, sentence_gleu

__all__ = ["corpus_gleu", "sentence_gleu"]
