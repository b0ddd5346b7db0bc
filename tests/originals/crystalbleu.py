"""Other implementations of CrystalBLEU: the package crystalbleu, and the definition."""

import math
import warnings
from collections import Counter

from hypothesis import strategies as st
from nltk.util import ngrams

from refscore import CrystalBLEU
from tests.corpora import IDS, TEXT, TOKENS
from tests.differential import Expected, Original, drawn, each
from tests.reference import crystalbleu as oracle, tokenizers


def frequent(references, max_order, k):
    """Return the most frequent n-grams as crystalbleu's documentation does, but without n-grams of two texts."""
    texts = [text for refs in references for text in refs]
    counts = Counter(ngram for order in range(1, max_order + 1) for text in texts for ngram in ngrams(text, order))
    return dict(counts.most_common(k))


def original_scores(hypotheses, references, *, k, max_order=4, smoothing="nltk-0"):
    import crystalbleu

    ignored = frequent(references, max_order, k)
    weights = (1 / max_order,) * max_order
    method = getattr(crystalbleu.SmoothingFunction(), f"method{smoothing[-1]}")

    def value(targets, candidates):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(crystalbleu.corpus_bleu(targets, candidates, weights, method, ignoring=ignored))

    return Expected(
        segments=each(lambda hypothesis, refs: value([refs], [hypothesis]), hypotheses, references),
        corpus=value(references, hypotheses),
    )


def definition(hypotheses, references, *, k, max_order=4, **_):
    ignored = oracle.frequent(references, max_order, k)
    rows = each(lambda hypothesis, refs: oracle.row(ignored, hypothesis, refs, max_order), hypotheses, references)
    return Expected(
        segments=[oracle.score(row, max_order) for row in rows],
        corpus=oracle.score([sum(column) for column in zip(*rows, strict=True)], max_order),
        rows=rows,
    )


def close(ours, theirs):
    """Precisions of 0 become 2.2e-308, with a logarithm of -708: sums of such terms lose three digits."""
    return math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-70)


def split(text, *, tokenizer="none", **_):
    return tokenizer(text) if callable(tokenizer) else tokenizers.tokenize(text, tokenizer)


ORIGINALS = [
    Original(
        name="crystalbleu",
        metric=lambda **options: CrystalBLEU.preset("original", **options),
        scores=original_scores,
        inputs=(TEXT, TOKENS, IDS),
        split=split,
        table=[
            *({"k": k} for k in (0, 1, 5, 50, 500)),
            *({"k": 7, "smoothing": f"nltk-{number}"} for number in (1, 2, 3)),
            {"k": 20, "max_order": 2},
        ],
        options=drawn(
            k=st.integers(0, 30),
            max_order=st.integers(1, 6),
            smoothing=st.sampled_from(["nltk-0", "nltk-1", "nltk-2", "nltk-3"]),
        ),
        close=close,
        needs="crystalbleu",
    ),
    Original(
        name="definition",
        metric=CrystalBLEU,
        scores=definition,
        inputs=(TEXT, TOKENS, IDS),
        split=split,
        table=[{"k": 3}, {"k": 40, "max_order": 6}],
        options=drawn(
            k=st.integers(0, 30),
            max_order=st.integers(1, 6),
            tokenizer=st.sampled_from(["none", "13a", "char", str.split]),
        ),
        close=close,
    ),
]
