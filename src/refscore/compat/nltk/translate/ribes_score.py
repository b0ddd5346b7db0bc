"""The names of NLTK's `nltk.translate.ribes_score`: RIBES over refscore."""

from refscore.compat.nltk.ribes import (
    corpus_ribes,
    find_increasing_sequences,
    kendall_tau,
    position_of_ngram,
    sentence_ribes,
    spearman_rho,
    word_rank_alignment,
)

__all__ = [
    "corpus_ribes",
    "find_increasing_sequences",
    "kendall_tau",
    "position_of_ngram",
    "sentence_ribes",
    "spearman_rho",
    "word_rank_alignment",
]
