"""Other implementations of GLEU: NLTK, with the rows of the oracle."""

from hypothesis import strategies as st
from nltk.translate import gleu_score

from refscore import GLEU
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original, each
from tests.reference import gleu as oracle
from tests.reference.tokenizers import tokenize_13a


def nltk_scores(hypotheses, references, *, min_order=1, max_order=4):
    orders = min_order, max_order
    rows = each(lambda hypothesis, refs: oracle.row(hypothesis, refs, *orders), hypotheses, references)
    values = each(lambda hypothesis, refs: gleu_score.sentence_gleu(refs, hypothesis, *orders), hypotheses, references)
    return Expected(
        segments=[
            {"value": value, "matches": matches, "total": total}
            for value, (matches, total) in zip(values, rows, strict=True)
        ],
        corpus=gleu_score.corpus_gleu(references, hypotheses, *orders),
        rows=rows,
    )


ORIGINALS = [
    Original(
        name="nltk",
        metric=lambda **options: GLEU.preset("nltk", **options),
        scores=nltk_scores,
        inputs=(TEXT, TOKENS, IDS, OBJECTS),
        split=lambda text, **_: text.split(),
        table=[
            {"min_order": low, "max_order": high} for low, high in [(1, 4), (2, 4), (1, 1), (3, 3), (1, 9), (4, 70)]
        ],
        options=st.builds(
            lambda low, more: {"min_order": low, "max_order": low + more}, st.integers(1, 6), st.integers(0, 5)
        ),
    ),
    # evaluate passes text tokenized by sacrebleu's 13a to NLTK.
    Original(
        name="evaluate",
        metric=lambda: GLEU.preset("evaluate"),
        scores=nltk_scores,
        split=tokenize_13a,
        long=False,
    ),
]
