"""Other implementations of CIDEr: pycocoevalcap, whose Cider is CIDEr-D, and the oracle, which also has plain CIDEr."""

import math

import pytest
from hypothesis import strategies as st

from refscore import CIDER
from tests.corpora import IDS, TEXT, TOKENS
from tests.differential import Expected, Original, drawn, each
from tests.reference import cider as oracle, tokenizers


def close(ours, theirs):
    return math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-14)


def oracle_scores(hypotheses, references, *, max_order=4, clip=True, sigma=6.0, **_):
    counts, documents = oracle.frequencies(references, max_order), len(references)
    settings = {"max_order": max_order, "clip": clip, "sigma": sigma}
    rows = each(lambda own, refs: oracle.row(counts, documents, own, refs, **settings), hypotheses, references)
    summed = [math.fsum(column) for column in zip(*rows, strict=True)]
    return Expected(segments=[oracle.score(row) for row in rows], corpus=oracle.score(summed), rows=rows)


def coco_scores(hypotheses, references, *, sigma=6.0):
    reason = "needs pycocoevalcap: pip install pycocoevalcap"
    coco = pytest.importorskip("pycocoevalcap.cider.cider", reason=reason).Cider(sigma=sigma)
    captions = {i: [hypothesis] for i, hypothesis in enumerate(hypotheses)}
    try:
        corpus, segments = coco.compute_score(dict(enumerate(references)), captions)
    except ValueError:  # the largest document frequency, if no reference has a token
        assert not any(reference.split() for refs in references for reference in refs)
        return Expected(segments=[0.0] * len(hypotheses), corpus=0.0)
    return Expected(segments=segments.tolist(), corpus=float(corpus))


def split(text, *, tokenizer="none", **_):
    return tokenizer(text) if callable(tokenizer) else tokenizers.tokenize(text, tokenizer)


ORIGINALS = [
    Original(
        name="coco-caption",
        metric=lambda **options: CIDER.preset("coco-caption", tokenizer="none", **options),
        scores=coco_scores,
        table=[{}, {"sigma": 1.5}],
        options=drawn(sigma=st.floats(0.5, 20)),
        close=close,
    ),
    Original(
        name="definition",
        metric=lambda **options: CIDER(**{"tokenizer": "none", **options}),
        scores=oracle_scores,
        inputs=(TEXT, TOKENS, IDS),
        split=split,
        table=[{}, {"clip": False, "sigma": None}, {"max_order": 1}, {"max_order": 7, "tokenizer": "13a"}],
        options=drawn(
            max_order=st.integers(1, 8),
            clip=st.booleans(),
            sigma=st.none() | st.floats(0.5, 20),
            tokenizer=st.sampled_from(["none", "13a", "char", str.split]),
        ),
        close=close,
    ),
]
