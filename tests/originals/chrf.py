"""Other implementations of chrF."""

import sacrebleu
from hypothesis import strategies as st

from refscore import CHRF
from tests.differential import Expected, Original, each, streams
from tests.sacrebleu_options import chrf_settings


def sacrebleu_scores(hypotheses, references, **options):
    original = sacrebleu.CHRF(**options)
    rows = original._extract_corpus_statistics(hypotheses, streams(references))
    return Expected(
        segments=[score.score / 100 for score in each(original.sentence_score, hypotheses, references)],
        corpus=original.corpus_score(hypotheses, streams(references)).score / 100,
        rows=[list(map(int, row)) for row in rows],
    )


BETAS = st.sampled_from([0, 1, 2, 3, 0.5, 10.25, 1e-9, 1e9])
FLAGS = {"lowercase": st.booleans(), "whitespace": st.booleans(), "eps_smoothing": st.booleans()}

ORIGINALS = [
    Original(
        name="sacrebleu",
        metric=lambda **options: CHRF.preset("sacrebleu", **chrf_settings(**options)),
        scores=sacrebleu_scores,
        table=[
            {},
            {"char_order": 40, "word_order": 2, "lowercase": True},
            {"char_order": 0, "word_order": 3, "beta": 0.5},
            {"word_order": 2, "whitespace": True, "eps_smoothing": True},
        ],
        options=st.one_of(
            st.fixed_dictionaries(
                {"char_order": st.integers(1, 8), "word_order": st.integers(0, 3), "beta": BETAS, **FLAGS}
            ),
            st.fixed_dictionaries({"char_order": st.just(0), "word_order": st.integers(1, 4), **FLAGS}),
        ),
    ),
    Original(
        name="sacrebleu.sentence_chrf",
        metric=lambda: CHRF.preset("chrf++"),
        scores=lambda hypotheses, references: Expected(
            segments=[s.score / 100 for s in each(sacrebleu.sentence_chrf, hypotheses, references, word_order=2)],
            corpus=sacrebleu.corpus_chrf(hypotheses, streams(references), word_order=2).score / 100,
        ),
    ),
]
