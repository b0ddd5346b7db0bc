"""The names of NLTK's `nltk.translate.nist_score`: NIST over refscore."""

from refscore.compat.nltk.nist import corpus_nist, nist_length_penalty, sentence_nist

__all__ = ["corpus_nist", "nist_length_penalty", "sentence_nist"]
