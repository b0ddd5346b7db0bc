"""Other implementations of edit similarity: the definition, the packages anls and anls-star, and OmniDocBench."""

import math

from hypothesis import strategies as st

from refscore import EditSimilarity
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original, drawn, each
from tests.reference import edit_similarity as oracle, tokenizers


def expected(rows, average):
    total = [math.fsum(column) for column in zip(*rows, strict=True)]
    names = ("edits", "longer", "segments")

    def score(row):
        return {"value": oracle.value(row, average=average), **dict(zip(names, row[1:], strict=True))}

    return Expected(segments=[score(row) for row in rows], corpus=score(total), rows=rows)


def definition(hypotheses, references, *, average="segments", **rules):
    return expected(each(oracle.row, hypotheses, references, **rules), average)


def anls_scores(hypotheses, references):
    from anls import anls_score

    return Expected(segments=each(anls_score, hypotheses, references))


def anls_star_scores(hypotheses, references):
    from anls_star import anls_score

    def score(text, refs):
        return anls_score(tuple(refs), text)  # a tuple has alternatives

    return Expected(segments=each(score, hypotheses, references))


def omnidocbench_scores(hypotheses, references, *, average):
    """Compute `edit_whole` and `edit_sample_avg` with OmniDocBench's formulas on its package for the edits."""
    from rapidfuzz.distance import Levenshtein

    pairs = [(text, refs[0]) for text, refs in zip(hypotheses, references, strict=True) if text or refs[0]]
    edits = [Levenshtein.distance(*pair) for pair in pairs]
    longer = [max(map(len, pair)) for pair in pairs]
    if not pairs:
        corpus = None  # it prints NaN
    elif average == "characters":
        corpus = 1 - sum(edits) / sum(longer)
    else:
        corpus = 1 - sum(edit / length for edit, length in zip(edits, longer, strict=True)) / len(pairs)
    ratios = iter([1 - edit / length for edit, length in zip(edits, longer, strict=True)])
    segments = [next(ratios) if text or refs[0] else None for text, refs in zip(hypotheses, references, strict=True)]
    return Expected(segments=segments, corpus=corpus)


def without_long_capitals(text):
    """Return a text without characters like ß, which anls counts twice: it divides by the length in upper case."""
    return "".join(char for char in text if all(len(part.upper()) == 1 for part in char.lower()))


RULES = {
    "threshold": st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]),
    "at_threshold": st.sampled_from(["zero", "count"]),
    "both_empty": st.sampled_from(["one", "skip"]),
}

ORIGINALS = [
    Original(
        name="definition",
        metric=EditSimilarity,
        scores=definition,
        inputs=(TEXT, TOKENS, IDS, OBJECTS),
        split=lambda text, **rules: list(text),
        table=[
            {},
            {"average": "characters", "both_empty": "skip"},
            {"threshold": 0.5},
            {"threshold": 0.5, "at_threshold": "count", "both_empty": "skip"},
        ],
        options=drawn(**RULES),
        long=False,
    ),
    Original(
        name="definition of ANLS",
        metric=lambda **rules: EditSimilarity.preset("anls", **rules),
        scores=lambda *sides, **rules: definition(*sides, **{"threshold": 0.5, **rules}),
        split=lambda text, **rules: tokenizers.prepare(text, tokenizer="char-words", lowercase=True),
        options=drawn(**RULES),
        long=False,
    ),
    Original(
        name="anls",
        metric=lambda: EditSimilarity.preset("anls"),
        scores=anls_scores,
        clean=without_long_capitals,
        needs="anls",
        long=False,
    ),
    Original(
        name="anls-star",
        metric=lambda: EditSimilarity.preset("anls-star"),
        scores=anls_star_scores,
        needs="anls_star",
        long=False,
    ),
    *(
        Original(
            name=f"OmniDocBench, {average}",
            metric=lambda average=average: EditSimilarity(average=average, both_empty="skip"),
            scores=lambda *sides, average=average: omnidocbench_scores(*sides, average=average),
            references=1,
            needs="rapidfuzz",
            long=False,
        )
        for average in ("characters", "segments")
    ),
]
