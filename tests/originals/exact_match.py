"""Other implementations of exact match: the definitions of SQuAD, MLQA and evaluate, and torchmetrics."""

from hypothesis import strategies as st

from refscore import ExactMatch
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original, drawn, each
from tests.reference import answers as oracle, tokenizers


def expected(rows):
    matches = sum(row[0] for row in rows)
    return Expected(
        segments=[{"value": row[0], "matches": row[0], "segments": 1} for row in rows],
        corpus={"value": matches / len(rows), "matches": matches, "segments": len(rows)},
        rows=rows,
    )


def definition(skip_empty):
    def scores(hypotheses, references):
        return expected(each(oracle.exact_match_row, hypotheses, references, skip_empty=skip_empty))

    return scores


def evaluate_scores(hypotheses, references, *, lowercase, ignore_punctuation, ignore_numbers, ignore_patterns):
    matches = oracle.evaluate_matches(
        hypotheses,
        [refs[0] for refs in references],
        ignore_patterns or None,
        case=lowercase,
        punctuation=ignore_punctuation,
        numbers=ignore_numbers,
    )
    return expected([[int(match), 1] for match in matches])


def torchmetrics_scores(hypotheses, references):
    from torchmetrics.functional.text import squad

    def score(text, refs):
        prediction = {"prediction_text": text, "id": "1"}
        target = {"answers": {"answer_start": [0] * len(refs), "text": refs}, "id": "1"}
        return [round(squad([prediction], [target])["exact_match"].item() / 100), 1]

    return expected(each(score, hypotheses, references))


PATTERNS = [[], ["the "], ["t", "e"], ["\x00", "a$"], ["[0-9]+", r"\W"], [r"\s", "b$"]]
OPTIONS = {
    "lowercase": st.booleans(),
    "ignore_punctuation": st.booleans(),
    "ignore_numbers": st.booleans(),
    "ignore_patterns": st.sampled_from(PATTERNS),
}

ORIGINALS = [
    *(
        Original(
            name=name,
            metric=lambda name=name: ExactMatch.preset(name),
            scores=definition(name == "squad_v2"),
            inputs=(TEXT, TOKENS, IDS, OBJECTS),
            split=lambda text, name=name: tokenizers.prepare(
                text, tokenizer="mlqa-zh" if name == "mlqa-zh" else "squad", lowercase=True
            ),
        )
        for name in ("squad", "squad_v2", "mlqa-zh")
    ),
    Original(
        name="evaluate",
        metric=lambda **options: ExactMatch.preset("evaluate", **options),
        scores=evaluate_scores,
        table=[
            {"lowercase": case, "ignore_punctuation": punct, "ignore_numbers": digits, "ignore_patterns": patterns}
            for case, punct, digits, patterns in [
                *((False, False, False, patterns) for patterns in PATTERNS),
                *((True, False, False, []), (False, True, False, []), (False, False, True, []), (True, True, True, [])),
            ]
        ],
        options=drawn(**OPTIONS),
        references=1,
    ),
    Original(
        name="torchmetrics",
        metric=lambda: ExactMatch.preset("squad"),
        scores=torchmetrics_scores,
        needs="torchmetrics",
        long=False,
    ),
]
