"""Other implementations of accuracy: the definitions of VQA, TextVQA, ChartQA, MMStar and containment."""

from hypothesis import strategies as st

from refscore import Accuracy
from tests.corpora import TEXT, TOKENS, Inputs
from tests.differential import Expected, Original, drawn, each
from tests.reference import accuracy as oracle, tokenizers
from tests.strategies import corpora

# Parts of answers, numbers and choices.
PARTS = [
    *("a", "an", "the", "The ", "two", "none", "Ten ", "dont", "yall", "twas", "couldnt've", "Paris", "paris", "it's"),
    *("1", "2", "0", "5", "12", "1,000", "1,,000", "1.5", ".5", "5.", "1e3", "1e999", "1e-999", "nan", "inf", "-inf"),
    *("-", "+", "_", "%", "%%", " %", "$", ".", ",", "?", "!", "'s", "/", "(", ")", ";", " ", " ", "  ", "\n", "\t"),
    *(
        "A",
        "b",
        "(b",
        "(B)",
        "option b",
        "Option A",
        "the answer is b",
        "The answer\nis A",
        "٣",
        "５",
        "²",
        "\u3000",
        "é",
    ),
    *("1_000", "1__0", "_1", "\x00", "İ", "Σ", "." * 40),
]
ANSWERS = st.lists(st.sampled_from(PARTS), max_size=4).map("".join)
BENCHMARKS = Inputs(
    name="answers",
    drawn=corpora(st.tuples(ANSWERS, st.lists(ANSWERS, min_size=1, max_size=10))),
    named={
        "parts": (
            PARTS * 3,
            [
                *([part] for part in PARTS),
                *([PARTS[i - 1], part.upper()] for i, part in enumerate(PARTS)),
                *([part] * 2 + [f"{part} "] + [PARTS[i - 3]] * 3 for i, part in enumerate(PARTS)),
            ],
        )
    },
)


def definition(**rules):
    def scores(hypotheses, references):
        rows = each(oracle.row, hypotheses, references, **rules)
        total = sum(row[0] for row in rows)
        return Expected(
            segments=[{"value": row[0], "correct": row[0], "segments": 1} for row in rows],
            corpus={"value": total / len(rows), "correct": total, "segments": len(rows)},
            rows=rows,
        )

    return scores


def without_null(text):
    """Return a text without NUL characters, which the tokenizer `text` ignores at its end."""
    return text.replace("\0", "")


RULES = {
    "vqa": {"processing": "vqa", "annotators": "vote"},
    "textvqa": {"processing": "textvqa", "annotators": "vote"},
    "chartqa": {"match": "number"},
    "mmstar": {"match": "letter"},
}

ORIGINALS = [
    *(
        Original(
            name=name,
            metric=lambda name=name: Accuracy.preset(name),
            scores=definition(**rules),
            clean=(lambda text: without_null(text).lower()) if name in ("chartqa", "mmstar") else without_null,
            inputs=(TEXT, BENCHMARKS),
            long=False,
        )
        for name, rules in RULES.items()
    ),
    Original(
        name="containment",
        metric=lambda: Accuracy.preset("containment"),
        scores=definition(match="contains"),
        inputs=(TEXT, BENCHMARKS),
        long=False,
    ),
    Original(
        name="containment of words",
        metric=lambda: Accuracy(match="contains", tokenizer="squad", lowercase=True),
        scores=lambda hypotheses, references: definition(match="contains")(
            [*map(list, hypotheses)], [[*map(list, refs)] for refs in references]
        ),
        split=lambda text: tokenizers.prepare(text, tokenizer="squad", lowercase=True),
        inputs=(TEXT, TOKENS),
        long=False,
    ),
    Original(
        name="equality",
        metric=lambda **rules: Accuracy(tokenizer="text", **rules),
        scores=lambda hypotheses, references, **rules: definition(**rules)(hypotheses, references),
        clean=without_null,
        options=drawn(annotators=st.sampled_from(["any", "vote"])),
        long=False,
    ),
]
