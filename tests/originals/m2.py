"""Other implementations of M²: its definition, with corrected texts. tests/golden has numbers of m2scorer."""

from hypothesis import strategies as st

from refscore import M2
from tests.corpora import Inputs
from tests.differential import Expected, Original, drawn
from tests.reference import m2 as oracle
from tests.strategies import corpora

NAMES = ("correct", "proposed", "gold")
WORDS = st.lists(st.sampled_from(["a", "b", "c", "the"]), max_size=6).map(" ".join)
SHORT = Inputs(
    name="short sentences",
    drawn=corpora(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=2))),
    named={
        "short sentences": (
            ["a b c", "", "a", "a b a b", "the a c b", "b"],
            [["a c", "a b"], ["", "a"], [""], ["b a b a", "a b"], ["the c a b"], ["a b c the a b", "c"]],
        )
    },
)


def definition(hypotheses, references, *, sources, max_unchanged=2, beta=0.5):
    segments = zip(hypotheses, references, sources, strict=True)
    rows = [oracle.row(*segment, max_unchanged=max_unchanged, beta=beta) for segment in segments]

    def score(row):
        return {"value": oracle.f_score(*row, beta), **dict(zip(NAMES, row, strict=True))}

    total = [sum(column) for column in zip(*rows, strict=True)]
    return Expected(segments=[*map(score, rows)], corpus=score(total), rows=rows)


ORIGINALS = [
    Original(
        name="definition",
        metric=M2,
        scores=definition,
        inputs=(SHORT,),
        split=lambda text, **_: text.split(),
        table=[{}, {"max_unchanged": 0, "beta": 1.0}],
        options=drawn(max_unchanged=st.integers(0, 3), beta=st.sampled_from([0.0, 0.5, 1.0, 2.0])),
        long=False,
    )
]
