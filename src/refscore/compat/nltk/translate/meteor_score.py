"""The names of NLTK's `nltk.translate.meteor_score`: METEOR over refscore."""

from refscore.compat.nltk.meteor import (
    align_words,
    exact_match,
    meteor_score,
    single_meteor_score,
    stem_match,
    wordnetsyn_match,
)

__all__ = ["align_words", "exact_match", "meteor_score", "single_meteor_score", "stem_match", "wordnetsyn_match"]
