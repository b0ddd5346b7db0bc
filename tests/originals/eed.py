"""Other implementations of EED."""

from hypothesis import strategies as st

from refscore import EED
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS, Inputs
from tests.differential import Expected, Original, each
from tests.reference import eed as oracle, tokenizers
from tests.strategies import corpora, text_settings

NAMES = ("value", *oracle.COLUMNS[1:-1])
COSTS = {
    "alpha": st.sampled_from([0.0, 0.5, 2.0, 7.25]),
    "rho": st.sampled_from([0.0, 0.3, 1.0]),
    "deletion": st.sampled_from([0.0, 0.1, 0.2, 1.0]),
    "insertion": st.sampled_from([0.0, 0.7, 1.0]),
}
# What the rules for English change.
PARTS = [
    *("a", "b", " ", "  ", ".", ",", "!", "?", " . ", " , ", "1", "23", "٣", "½", "²", "\n", "\t", "\u3000", "\xa0"),
    *(
        "Dr",
        "Dr ",
        "Mr. ",
        "Mrs .",
        "Ms X",
        "Prof",
        "Gen ",
        "Mt",
        "Mr Mr",
        "e.g.",
        "e. g. ",
        "i . e .",
        "U.S.",
        "U. S.",
    ),
]
LINES = st.lists(st.sampled_from(PARTS), max_size=12).map("".join)
RULES = Inputs(
    name="rules",
    drawn=corpora(st.tuples(LINES, st.lists(LINES, min_size=1, max_size=3))),
    named={
        "rules": (
            ["Mr Smith paid 3.5, or 3 . 5 . 7, e. g. today.", "U. S. !", "Dr", "Dr ", "1 , 2 , 3 , 4", ".,!?"],
            [
                ["Mr. Smith paid 3 . 5, i . e . a lot"],
                ["U.S.!", "U . S ."],
                ["Dr."],
                ["Dr .", ""],
                ["1,2 , 3,4"],
                [" "],
            ],
        )
    },
)


def torchmetrics_scores(hypotheses, references, language="en", **costs):
    """Return the scores as Python computes them, before torchmetrics rounds them to float32."""
    from torchmetrics.functional.text import eed

    clean = {"en": eed._preprocess_en, "ja": eed._preprocess_ja}[language]

    def score(text, refs):
        return min(eed._eed_function(clean(text), clean(reference), **costs) for reference in refs)

    def is_defined(refs):  # it divides by the length plus the coverage
        return language == "en" or costs.get("rho") != 0 or all(map(clean, refs))

    segments = [
        score(text, refs) if is_defined(refs) else None for text, refs in zip(hypotheses, references, strict=True)
    ]
    return Expected(segments=segments, corpus=None if None in segments else sum(segments) / len(segments))


def metric(language="en", **costs):
    return EED.preset({"en": "torchmetrics", "ja": "torchmetrics-ja"}[language], **costs)


def definition(hypotheses, references, alpha=2.0, rho=0.3, deletion=0.2, insertion=1.0, **text):
    settings = oracle.Settings(alpha, rho, deletion, insertion)
    rows = each(lambda tokens, refs: oracle.row(settings, tokens, refs), hypotheses, references)
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return Expected(
        segments=[dict(zip(NAMES, row[:-1], strict=True)) for row in rows],
        corpus={**dict(zip(NAMES, means[:-1], strict=True)), "segments": len(rows)},
        rows=rows,
    )


def split(text, *, tokenizer="eed-en", lowercase=False, normalize="none", **costs):
    return tokenizers.prepare(text, tokenizer=tokenizer, lowercase=lowercase, normalize=normalize)


ORIGINALS = [
    Original(
        name="torchmetrics",
        metric=metric,
        scores=torchmetrics_scores,
        inputs=(TEXT, RULES),
        table=[{}, {"language": "ja"}, {"alpha": 0.5, "rho": 0.0, "deletion": 1.0, "insertion": 0.7}],
        options=st.fixed_dictionaries({"language": st.sampled_from(["en", "ja"]), **COSTS}),
        clean=lambda text: text[:60],  # the table is quadratic
        long=False,
        needs="torchmetrics",
    ),
    Original(
        name="definition",
        metric=EED,
        scores=definition,
        inputs=(TEXT, TOKENS, IDS, OBJECTS, RULES),
        table=[{}, {"tokenizer": "eed-ja", "normalize": "NFKC", "rho": 0.0}],
        options=st.fixed_dictionaries({**text_settings, **COSTS}),
        split=split,
        clean=lambda text: text[:60],
        long=False,
    ),
]
