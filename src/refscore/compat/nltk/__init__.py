"""NLTK's metrics and `edit_distance` on refscore, with NLTK 3.10.4's names, arguments, defaults and numbers.

`from refscore.compat.nltk import corpus_bleu`, or the same from `refscore.compat.nltk.translate.bleu_score`, replaces
`from nltk.translate.bleu_score import corpus_bleu`. The modules for RIBES, GLEU, NIST, chrF and METEOR work the same
way. `refscore.compat.install("nltk")` replaces all imports at once. Only METEOR's synonyms need NLTK.

Tokens must be hashable, except in RIBES. `position_of_ngram` accepts both lists and tuples.
"""

from refscore.compat.nltk import translate
from refscore.compat.nltk.metrics.distance import edit_distance
from refscore.compat.nltk.translate import *  # noqa: F403
from refscore.compat.nltk.translate.bleu_score import *  # noqa: F403
from refscore.compat.nltk.translate.chrf_score import *  # noqa: F403
from refscore.compat.nltk.translate.gleu_score import *  # noqa: F403
from refscore.compat.nltk.translate.meteor_score import *  # noqa: F403
from refscore.compat.nltk.translate.nist_score import *  # noqa: F403
from refscore.compat.nltk.translate.ribes_score import *  # noqa: F403
from refscore.compat.overrides import take_missing_names as _take_missing_names

__all__ = [  # noqa: PLE0604
    *translate.__all__,
    *translate.bleu_score.__all__,
    *translate.chrf_score.__all__,
    *translate.gleu_score.__all__,
    *translate.meteor_score.__all__,
    *translate.nist_score.__all__,
    *translate.ribes_score.__all__,
    "edit_distance",
]

_take_missing_names(__name__)
