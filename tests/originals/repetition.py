"""Another implementation of repetition: the oracle, which compares every n-gram with the next ones."""

from hypothesis import strategies as st

from refscore.metrics import Repetition
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original, drawn
from tests.reference import repetition as oracle, tokenizers


def oracle_scores(hypotheses, references, *, unit="tokens", **settings):
    rows = [oracle.row(tokens, **settings) for tokens in hypotheses]
    part, whole = (2, 3) if unit == "segments" else (0, 1)

    def value(row):
        return row[part] / row[whole] if row[whole] else 0

    return Expected(
        segments=[value(row) for row in rows],
        corpus=value([sum(column) for column in zip(*rows, strict=True)]),
        rows=rows,
    )


ORIGINALS = [
    Original(
        name="oracle",
        metric=lambda **options: Repetition(**{"tokenizer": "13a", "max_order": 20, **options}),
        scores=lambda *sides, **options: oracle_scores(*sides, **{"max_order": 20, **options}),
        inputs=(TEXT, TOKENS, IDS, OBJECTS),
        split=lambda text, **_: tokenizers.prepare(text, tokenizer="13a"),
        table=[{}, {"repeats": 2}, {"repeats": 3, "unit": "segments"}, {"max_order": 1, "repeats": 2}],
        options=drawn(
            max_order=st.integers(1, 6), repeats=st.integers(2, 4), unit=st.sampled_from(["tokens", "segments"])
        ),
    )
]
