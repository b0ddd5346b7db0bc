"""NLTK's metrics over refscore: the names, arguments, defaults and numbers of `nltk.translate` in NLTK 3.10.4.

`from refscore.compat.nltk import corpus_bleu`, or the same from `refscore.compat.nltk.translate.bleu_score`, takes the
place of `from nltk.translate.bleu_score import corpus_bleu`, and likewise for the modules of RIBES, GLEU, NIST, chrF
and METEOR; `refscore.compat.install("nltk")` does it for all imports at once. NLTK itself is not needed, but for the
synonyms of METEOR. What NLTK scores though it makes no sense is an error here: strings in place of token lists, RIBES
with negative powers. Tokens must be hashable, except in RIBES. `position_of_ngram` finds a list as well as a tuple.
"""

from refscore.compat.nltk import translate
from refscore.compat.nltk.translate import *  # noqa: F403
from refscore.compat.nltk.translate.bleu_score import *  # noqa: F403
from refscore.compat.nltk.translate.chrf_score import *  # noqa: F403
from refscore.compat.nltk.translate.gleu_score import *  # noqa: F403
from refscore.compat.nltk.translate.meteor_score import *  # noqa: F403
from refscore.compat.nltk.translate.nist_score import *  # noqa: F403
from refscore.compat.nltk.translate.ribes_score import *  # noqa: F403

__all__ = [  # noqa: PLE0604
    *translate.__all__,
    *translate.bleu_score.__all__,
    *translate.chrf_score.__all__,
    *translate.gleu_score.__all__,
    *translate.meteor_score.__all__,
    *translate.nist_score.__all__,
    *translate.ribes_score.__all__,
]
