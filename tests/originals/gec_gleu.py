"""Other implementations of the GLEU of corrections: its definition. tests/golden has numbers of the programs."""

import math

from hypothesis import strategies as st

from refscore import GECGLEU
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original, drawn
from tests.reference import gec_gleu as oracle


def definition(hypotheses, references, *, sources, penalty="absent", max_order=4, **rules):
    segments = zip(hypotheses, references, sources, strict=True)
    rows = [oracle.row(*segment, max_order=max_order, penalty=penalty) for segment in segments]
    total = [math.fsum(column) for column in zip(*rows, strict=True)]
    return Expected(
        segments=[oracle.value(row, max_order=max_order, **rules) for row in rows],
        corpus=oracle.value(total, max_order=max_order, **rules),
        rows=rows,
    )


ORIGINALS = [
    Original(
        name="definition",
        metric=GECGLEU,
        scores=definition,
        inputs=(TEXT, TOKENS, IDS, OBJECTS),
        split=lambda text, **_: text.split(),
        table=[
            {},
            {"smoothing": "one"},
            {"penalty": "excess", "short_order": "perfect"},
            {"max_order": 2, "short_order": "perfect"},
        ],
        options=drawn(
            max_order=st.integers(1, 6),
            penalty=st.sampled_from(["absent", "excess"]),
            short_order=st.sampled_from(["zero", "perfect"]),
            smoothing=st.sampled_from(["none", "one"]),
        ),
        long=False,
    ),
]
