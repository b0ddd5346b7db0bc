"""Other implementations of token F1: the definitions of SQuAD and MLQA, and torchmetrics."""

import numpy as np

from refscore import TokenF1
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original, each
from tests.reference import answers as oracle, tokenizers

NAMES = ("value", "precision", "recall", "exact_match")


def expected(rows):
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return Expected(
        segments=[dict(zip(NAMES, row, strict=False)) for row in rows],
        corpus=dict(zip(NAMES, means, strict=False)),
        rows=rows,
    )


def definition(**rules):
    def scores(hypotheses, references):
        return expected(each(oracle.f1_row, hypotheses, references, **rules))

    return scores


def torchmetrics_scores(hypotheses, references):
    from torchmetrics.functional.text import squad

    def score(text, refs):
        prediction = {"prediction_text": text, "id": "1"}
        target = {"answers": {"answer_start": [0] * len(refs), "text": refs}, "id": "1"}
        return squad([prediction], [target])["f1"].item() / 100

    return Expected(segments=each(score, hypotheses, references))


RULES = {"squad": {}, "squad_v2": {"skip_empty": True, "both_empty": 1}, "mlqa-zh": {}}

ORIGINALS = [
    *(
        Original(
            name=name,
            metric=lambda name=name: TokenF1.preset(name),
            scores=definition(**rules),
            inputs=(TEXT, TOKENS, IDS, OBJECTS),
            split=lambda text, name=name: tokenizers.prepare(
                text, tokenizer="mlqa-zh" if name == "mlqa-zh" else "squad", lowercase=True
            ),
        )
        for name, rules in RULES.items()
    ),
    Original(
        name="torchmetrics",
        metric=lambda: TokenF1.preset("torchmetrics"),
        scores=torchmetrics_scores,
        close=lambda actual, expected: np.float32(actual) == np.float32(expected) or abs(actual - expected) < 1e-6,
        needs="torchmetrics",
        long=False,
    ),
]
