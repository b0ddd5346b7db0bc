"""NLTK's metrics over refscore: the names, arguments, defaults and numbers of `nltk.translate` in NLTK 3.10.4.

`from refscore.compat.nltk import corpus_bleu`, or the same from `refscore.compat.nltk.translate.bleu_score`, takes the
place of `from nltk.translate.bleu_score import corpus_bleu`, and likewise for the modules of RIBES, GLEU, NIST, chrF
and METEOR; `refscore.compat.install("nltk")` does it for all imports at once. NLTK itself is not needed, but for the
synonyms of METEOR. What NLTK scores though it makes no sense is an error here: strings in place of token lists, RIBES
with negative powers, tokens that cannot be hashed. `position_of_ngram` finds a list as well as a tuple.
"""

from refscore.compat.nltk.bleu import corpus_bleu, sentence_bleu
from refscore.compat.nltk.chrf import chrf_precision_recall_fscore_support, corpus_chrf, sentence_chrf
from refscore.compat.nltk.counts import brevity_penalty, closest_ref_length, modified_precision
from refscore.compat.nltk.gleu import corpus_gleu, sentence_gleu
from refscore.compat.nltk.meteor import (
    align_words,
    exact_match,
    meteor_score,
    single_meteor_score,
    stem_match,
    wordnetsyn_match,
)
from refscore.compat.nltk.nist import corpus_nist, nist_length_penalty, sentence_nist
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
    "align_words",
    "brevity_penalty",
    "chrf_precision_recall_fscore_support",
    "closest_ref_length",
    "corpus_bleu",
    "corpus_chrf",
    "corpus_gleu",
    "corpus_nist",
    "corpus_ribes",
    "exact_match",
    "find_increasing_sequences",
    "kendall_tau",
    "meteor_score",
    "modified_precision",
    "nist_length_penalty",
    "position_of_ngram",
    "sentence_bleu",
    "sentence_chrf",
    "sentence_gleu",
    "sentence_nist",
    "sentence_ribes",
    "single_meteor_score",
    "spearman_rho",
    "stem_match",
    "word_rank_alignment",
    "wordnetsyn_match",
]
