"""The names of NLTK's `nltk.translate.chrf_score`: chrF over refscore."""

from refscore.compat.nltk.chrf import chrf_precision_recall_fscore_support, corpus_chrf, sentence_chrf

__all__ = ["chrf_precision_recall_fscore_support", "corpus_chrf", "sentence_chrf"]
