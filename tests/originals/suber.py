"""Another implementation of SubER: its definition. tests/golden has numbers of subtitle-edit-rate."""

from hypothesis import strategies as st

from refscore import SubER
from tests.corpora import Inputs
from tests.differential import Expected, Original, drawn
from tests.reference import suber as oracle
from tests.strategies import corpora

LINES = st.lists(st.sampled_from(["a", "b", "It", "it.", "c d", "<eol>"]), max_size=3).map("\n".join)
CUES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), LINES), max_size=4).map(
    lambda cues: "\n\n".join(f"0:{start} --> 0:{start + length}.5\n{lines}" for start, length, lines in sorted(cues))
)
TEXTS = st.one_of(CUES, LINES)
SUBTITLES = Inputs(
    name="subtitles",
    drawn=corpora(st.tuples(TEXTS, st.lists(TEXTS, min_size=1, max_size=2))),
    named={
        "subtitles": (
            [
                "0 --> 1\na b\nc\n\n1 --> 2\nd",
                "",
                "2 --> 3\nb\n\n0 --> 1\na",
                "a b c d e",
                "1 --> 1\na",
                "0 --> 9\nc d a b",
            ],
            [
                ["0 --> 1\na b c\n\n1 --> 2\nd", "5 --> 6\na"],
                ["", "0 --> 1\na"],
                ["0 --> 1\na\n\n2 --> 3\nb"],
                ["a b d", "0 --> 1\na b c"],
                ["1 --> 1\na", "0 --> 2\na"],
                ["0 --> 5\na b\n\n5 --> 9\nc d"],
            ],
        )
    },
)


def definition(hypotheses, references, **_):
    rows = []
    for hypothesis, targets in zip(hypotheses, references, strict=True):
        rows.append(min((oracle.row(hypothesis, target) for target in targets), key=oracle.value))

    def score(row):
        return {"value": oracle.value(row), "edits": sum(row[:7]), "length": sum(row[7:])}

    total = [sum(column) for column in zip(*rows, strict=True)]
    return Expected(segments=[*map(score, rows)], corpus=score(total), rows=rows)


def split(text, tokenizer="subtitles", lowercase=True):
    return SubER(tokenizer=tokenizer, lowercase=lowercase).pipeline.tokens(text)


ORIGINALS = [
    Original(
        name="definition",
        metric=SubER,
        scores=definition,
        inputs=(SUBTITLES,),
        split=split,
        table=[{}, {"tokenizer": "subtitles-tercom", "lowercase": False}],
        options=drawn(tokenizer=st.sampled_from(["subtitles", "subtitles-tercom"]), lowercase=st.booleans()),
        long=False,
    )
]
