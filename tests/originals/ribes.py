"""Other implementations of RIBES."""

from dataclasses import replace

import nltk.translate.ribes_score as nltk
from hypothesis import strategies as st

from refscore import RIBES
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original, each
from tests.reference import ribes as oracle, tokenizers
from tests.strategies import text_settings

WEIGHTS = {name: st.sampled_from([0, 0.25, 1, 2.5]) for name in ("alpha", "beta")}
RULES = {
    "first_context": oracle.FIRST_CONTEXTS,
    "context_limit": oracle.CONTEXT_LIMITS,
    "correlation": oracle.CORRELATIONS,
    "single_word": oracle.SINGLE_WORDS,
}


def nltk_scores(hypotheses, references, alpha=0.25, beta=0.1):
    return Expected(
        segments=each(lambda words, refs: nltk.sentence_ribes(refs, words, alpha, beta), hypotheses, references),
        corpus=nltk.corpus_ribes(references, hypotheses, alpha, beta),
    )


def split(text, *, tokenizer="none", lowercase=True, normalize="none", preset=None, **rules):
    lowercase = lowercase if preset is None else oracle.LOWERCASE[preset]
    return tokenizers.prepare(text, tokenizer=tokenizer, lowercase=lowercase, normalize=normalize)


def definition(hypotheses, references, preset="official", tokenizer=None, lowercase=None, normalize=None, **rules):
    settings = replace(oracle.PRESETS[preset], empty_reference="zero", **rules)
    rows = oracle.rows(settings, hypotheses, references, oracle.align_any)
    names = ("value", "nkt", "precision", "brevity_penalty")
    return Expected(
        segments=[dict(zip(names, row[:4], strict=True)) for row in rows],
        corpus={**dict(zip(names, oracle.means(rows), strict=True)), "segments": len(rows)},
        rows=rows,
    )


ORIGINALS = [
    Original(
        name="nltk",
        metric=lambda **weights: RIBES.preset("nltk", **weights),
        scores=nltk_scores,
        inputs=(TEXT, TOKENS, IDS),
        table=[{}, {"alpha": 0, "beta": 0}, {"alpha": 2.5, "beta": 0.25}],
        options=st.fixed_dictionaries(WEIGHTS),
        split=lambda text, **weights: text.split(),
        long=False,
    ),
    # The other values of empty_reference leave segments without a score: test_ribes.py.
    Original(
        name="definition",
        metric=lambda preset="official", **options: RIBES.preset(preset, empty_reference="zero", **options),
        scores=definition,
        inputs=(TEXT, TOKENS, IDS, OBJECTS),
        table=[{"preset": preset} for preset in oracle.PRESETS],
        options=st.fixed_dictionaries(
            {**WEIGHTS, **{name: st.sampled_from(values) for name, values in RULES.items()}, **text_settings}
        ),
        split=split,
        long=False,
    ),
]
