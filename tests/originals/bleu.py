"""Other implementations of BLEU."""

import sacrebleu
from hypothesis import strategies as st

from refscore import BLEU
from tests.differential import Expected, Original, each, streams

SMOOTHINGS = [
    *(("none", None), ("exp", None)),
    *((name, value) for name in ("floor", "add-k") for value in (None, 0.01, 1, 2.5)),
]


def smoothing_options(smoothing):
    return {"smoothing": smoothing[0], "smoothing_value": smoothing[1]}


def sacrebleu_fields(score):
    return {
        "value": score.score / 100,
        "percent": score.score,
        "brevity_penalty": score.bp,
        "hyp_len": score.sys_len,
        "ref_len": score.ref_len,
        "precisions": [precision / 100 for precision in score.precisions],
    }


def sacrebleu_scores(hypotheses, references, *, max_order=4, tokenizer="13a", **options):
    names = {"smoothing": "smooth_method", "smoothing_value": "smooth_value"}
    options = {names.get(name, name): value for name, value in options.items()}
    original = sacrebleu.BLEU(max_ngram_order=max_order, tokenize=tokenizer, **options)
    return Expected(
        segments=[sacrebleu_fields(score) for score in each(original.sentence_score, hypotheses, references)],
        corpus=sacrebleu_fields(original.corpus_score(hypotheses, streams(references))),
        rows=original._extract_corpus_statistics(hypotheses, streams(references)),
    )


ORIGINALS = [
    Original(
        name="sacrebleu",
        metric=lambda **options: BLEU.preset("sacrebleu", **options),
        scores=sacrebleu_scores,
        table=[
            {},
            *({"tokenizer": tokenizer} for tokenizer in ("none", "intl", "zh", "char")),
            {"smoothing": "floor", "max_order": 6},
            {"smoothing": "add-k", "smoothing_value": 2.5, "lowercase": True, "effective_order": True},
        ],
        options=st.builds(
            lambda smoothing, **options: {**smoothing_options(smoothing), **options},
            smoothing=st.sampled_from(SMOOTHINGS),
            tokenizer=st.sampled_from(["none", "13a", "intl", "zh", "char"]),
            max_order=st.integers(1, 6),
            lowercase=st.booleans(),
            effective_order=st.booleans(),
        ),
    ),
    Original(
        name="sacrebleu.sentence_bleu",
        metric=lambda: BLEU.preset("sacrebleu-sentence"),
        scores=lambda hypotheses, references: Expected(
            segments=[sacrebleu_fields(score) for score in each(sacrebleu.sentence_bleu, hypotheses, references)]
        ),
    ),
]
