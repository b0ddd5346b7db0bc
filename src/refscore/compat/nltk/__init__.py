"""NLTK's BLEU and RIBES over refscore: the names, arguments, defaults and numbers of NLTK 3.10.4.

`from refscore.compat.nltk import corpus_bleu` takes the place of `from nltk.translate.bleu_score import corpus_bleu`,
and likewise for `nltk.translate.ribes_score`; `refscore.compat.install("nltk")` does it for all imports at once. NLTK
itself is not needed. What NLTK scores though it makes no sense is an error here: strings in place of token lists, RIBES
with negative powers, tokens that cannot be hashed. `position_of_ngram` finds a list as well as a tuple.
"""

from refscore.compat.nltk.bleu import corpus_bleu, sentence_bleu
from refscore.compat.nltk.counts import brevity_penalty, closest_ref_length, modified_precision
from refscore.compat.nltk.ribes import (
    corpus_ribes,
    find_increasing_sequences,
    kendall_tau,
    position_of_ngram,
    sentence_ribes,
    spearman_rho,
    word_rank_alignment,
)
from refscore.compat.nltk.smoothing import SmoothingFunction

__all__ = [
    "SmoothingFunction",
    "brevity_penalty",
    "closest_ref_length",
    "corpus_bleu",
    "corpus_ribes",
    "find_increasing_sequences",
    "kendall_tau",
    "modified_precision",
    "position_of_ngram",
    "sentence_bleu",
    "sentence_ribes",
    "spearman_rho",
    "word_rank_alignment",
]
