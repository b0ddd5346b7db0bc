"""Other implementations of NIST: NLTK, and the oracle, which also has segments."""

import math
from unittest.mock import patch

from hypothesis import strategies as st
from nltk.translate import nist_score

from refscore import NIST
from tests.corpora import IDS, TEXT, TOKENS
from tests.differential import Expected, Original, drawn, each
from tests.reference import nist as oracle, tokenizers


def close(ours, theirs):
    return math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-14)


def nltk_value(hypotheses, references, max_order=5):
    """Return NLTK's number, or None if it divides by 0, the number of n-grams.

    Sums are exact: before Python 3.12 they depend on the order of terms, so ties are broken randomly.
    """
    try:
        with patch.object(nist_score, "sum", math.fsum, create=True):
            return nist_score.corpus_nist(references, hypotheses, max_order)
    except ZeroDivisionError:
        longest = max(map(len, hypotheses))
        assert longest < max_order or not any(len(reference) for refs in references for reference in refs)
        return None


def scores(hypotheses, references, *, max_order=5, **_):
    weights = oracle.information(references, max_order)
    rows = each(lambda hypothesis, refs: oracle.row(weights, hypothesis, refs, max_order), hypotheses, references)
    value = oracle.corpus(hypotheses, references, max_order)
    theirs = nltk_value(hypotheses, references, max_order)
    assert theirs is None or close(value, theirs)
    return Expected(segments=[oracle.score(row, max_order) for row in rows], corpus=value, rows=rows)


def split(text, *, tokenizer="none", **_):
    return tokenizer(text) if callable(tokenizer) else tokenizers.tokenize(text, tokenizer)


ORIGINALS = [
    Original(
        name="nltk",
        metric=lambda **options: NIST.preset("nltk", **options),
        scores=scores,
        inputs=(TEXT, TOKENS, IDS),
        split=split,
        table=[{}, {"max_order": 1}, {"max_order": 9, "tokenizer": "13a"}],
        options=drawn(max_order=st.integers(1, 8), tokenizer=st.sampled_from(["none", "13a", "char", str.split])),
        close=close,
    ),
]
