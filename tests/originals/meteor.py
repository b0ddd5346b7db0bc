"""Other implementations of METEOR."""

import nltk.translate.meteor_score as nltk
from hypothesis import strategies as st

from refscore import METEOR
from tests.corpora import IDS, TEXT, TOKENS, Inputs, generated
from tests.differential import Expected, Original, each
from tests.reference import meteor as oracle, tokenizers
from tests.strategies import AWKWARD_TOKENS, corpora, text_settings, token_segment
from tests.wordnets import WITHOUT_SYNONYMS

# Words that share stems, with letters whose case changes their number or their neighbours.
STEMS = ["walk", "relat", "happ", "agre", "hop", "sk", "di", "cat", "naïv", "straß", "日本", "é", "y", "👍", "x" * 15]
ENDINGS = ["", "s", "ed", "ing", "ies", "ied", "ational", "y", "i", "e", "fulness", "ization", "ll"]
OTHERS = ["the", "The", "THE", ".", "'s", "İs", "ΟΔΟΣ", "οδος", "ΣΑΣ", "ẞ", "\u212aing", "𐐀ing", "𐐨ing", "", " "]
FAMILIES = [stem + ending for stem in STEMS for ending in ENDINGS] + OTHERS * 4
FEW = ["cat", "cats", "catting", "dog", "dogs", "Dog", "the", "sky", "skies", *OTHERS]
STEMMED = Inputs(
    name="stems",
    drawn=corpora(token_segment(st.sampled_from(FEW))),
    named={"stems": generated("stems", 60, 20, FAMILIES), "few stems": generated("few stems", 60, 12, FEW)},
)
# METEOR stems strings, so it rejects them among other tokens.
NO_STRINGS = [token for token in AWKWARD_TOKENS if not isinstance(token, str)]
OBJECTS = Inputs(
    name="objects",
    drawn=corpora(token_segment(st.sampled_from(NO_STRINGS))),
    named={"objects": generated("objects", 20, 15, NO_STRINGS)},
)
WEIGHTS = {
    "alpha": st.sampled_from([0, 0.3, 0.5, 0.9, 1]),
    "beta": st.sampled_from([0, 0.2, 0.5, 3, 7.5]),
    "gamma": st.sampled_from([0, 0.3, 0.5, 1]),
}


def same(text):
    return text


def nltk_scores(hypotheses, references, wordnet=WITHOUT_SYNONYMS, **weights):
    def score(words, refs):
        return nltk.meteor_score(refs, words, preprocess=same, wordnet=wordnet, **weights)

    segments = each(score, hypotheses, references)
    return Expected(segments=segments, corpus=sum(segments) / len(segments))


def split(text, *, tokenizer="none", lowercase=True, normalize="none", **weights):
    return tokenizers.prepare(text, tokenizer=tokenizer, lowercase=lowercase, normalize=normalize)


def definition(hypotheses, references, alpha=0.9, beta=3, gamma=0.5, **text):
    rows = each(
        lambda words, refs: oracle.row(oracle.Settings(alpha, beta, gamma), words, refs), hypotheses, references
    )
    names = ("value", *oracle.COLUMNS[1:-1])
    return Expected(
        segments=[dict(zip(names, row[:-1], strict=True)) for row in rows],
        corpus={**dict(zip(names, oracle.means(rows), strict=True)), "segments": len(rows)},
        rows=rows,
    )


ORIGINALS = [
    Original(
        name="nltk",
        metric=lambda **weights: METEOR.preset("nltk", synonyms=None, **weights),
        scores=nltk_scores,
        inputs=(TEXT, TOKENS, STEMMED),
        table=[{}, {"alpha": 0, "beta": 0.2, "gamma": 1}],
        options=st.fixed_dictionaries(WEIGHTS),
        split=split,
        long=False,
    ),
    Original(
        name="definition",
        metric=METEOR,
        scores=definition,
        inputs=(TEXT, TOKENS, STEMMED, IDS, OBJECTS),
        table=[{}, {"tokenizer": "char", "lowercase": False, "alpha": 1, "beta": 0, "gamma": 1}],
        options=st.fixed_dictionaries({**WEIGHTS, **text_settings}),
        split=split,
        long=False,
    ),
]
