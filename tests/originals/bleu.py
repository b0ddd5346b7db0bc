"""Other implementations of BLEU: sacrebleu, NLTK, four more tools, and the oracle."""

import math
import warnings
from dataclasses import asdict

import nltk.translate.bleu_score as nltk_bleu
import pytest
import sacrebleu
from hypothesis import strategies as st

from refscore import BLEU
from tests.corpora import IDS, OBJECTS, TEXT, TOKENS
from tests.differential import Expected, Original, drawn, each, streams
from tests.reference import bleu as oracle, bleu_tools, tokenizers

# sacrebleu

SMOOTHINGS = [("none", None), ("exp", None)]
SMOOTHINGS += [(name, value) for name in ("floor", "add-k") for value in (None, 0, 0.01, 1, 2.5)]


def sacrebleu_fields(score):
    return {
        "value": score.score / 100,
        "percent": score.score,
        "brevity_penalty": score.bp,
        "hyp_len": score.sys_len,
        "ref_len": score.ref_len,
        "precisions": [precision / 100 for precision in score.precisions],
    }


def sacrebleu_scores(hypotheses, references, *, max_order=4, tokenizer="13a", smoothing=("exp", None), **options):
    options |= {"tokenize": tokenizer, "smooth_method": smoothing[0], "smooth_value": smoothing[1]}
    original = sacrebleu.BLEU(max_ngram_order=max_order, **options)
    return Expected(
        segments=[sacrebleu_fields(score) for score in each(original.sentence_score, hypotheses, references)],
        corpus=sacrebleu_fields(original.corpus_score(hypotheses, streams(references))),
        rows=original._extract_corpus_statistics(hypotheses, streams(references)),
    )


def sacrebleu_metric(*, smoothing=("exp", None), **options):
    return BLEU.preset("sacrebleu", smoothing=smoothing[0], smoothing_value=smoothing[1], **options)


# NLTK

NLTK_VALUES = {1: "epsilon", 4: "k", 6: "alpha", 7: "k"}
UNIFORM = (0.25,) * 4


def nltk_scores(hypotheses, references, *, method=0, weights=UNIFORM, value=None):
    options = {} if value is None else {NLTK_VALUES[method]: value}
    smoothing = getattr(nltk_bleu.SmoothingFunction(**options), f"method{method}")

    def score(hypotheses, references):
        try:
            return nltk_bleu.corpus_bleu(references, hypotheses, weights, smoothing)
        except (AssertionError, ZeroDivisionError):
            assert method == 6  # is not defined without a matching trigram
            return None

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Expected(
            segments=each(lambda hypothesis, refs: score([hypothesis], [refs]), hypotheses, references),
            # In a corpus, the other methods only use the last segment.
            corpus=score(hypotheses, references) if method < 5 else None,
        )


def nltk_metric(*, method=0, weights=UNIFORM, value=None):
    settings = {"max_order": len(weights), "weights": weights, "smoothing_value": value}
    return BLEU.preset("nltk", smoothing=f"nltk-{method}", **settings)


@st.composite
def nltk_options(draw):
    method = draw(st.integers(0, 7))
    return {
        "method": method,
        "weights": tuple(draw(st.lists(st.floats(0.05, 1), min_size=3 if method == 6 else 1, max_size=7))),
        "value": draw(st.sampled_from([None, 0.3, 2])) if method in NLTK_VALUES else None,
    }


# Other tools


def as_line(text):
    """Return text for the Perl script, which reads lines: without line breaks and lone surrogates."""
    return text.replace("\n", " ").encode("utf-8", "replace").decode()


def of_corpora(score):
    """Return the numbers of a tool that scores corpora, in which a segment is a corpus of one."""

    def scores(hypotheses, references, **options):
        return Expected(
            segments=each(lambda hypothesis, refs: score([hypothesis], [refs], **options), hypotheses, references),
            corpus=score(hypotheses, references, **options),
        )

    return scores


def nmt_fields(hypotheses, references, **options):
    theirs = bleu_tools.nmt_bleu(hypotheses, references, **options)
    if 0 in (theirs["translation_length"], theirs["reference_length"]):
        return None  # evaluate returns 0 with any settings
    names = {"bleu": "value", "length_ratio": "ratio", "translation_length": "hyp_len", "reference_length": "ref_len"}
    return {names.get(name, name): value for name, value in theirs.items()}


def torchmetrics_value(hypotheses, references, *, smooth=False, weights=UNIFORM):
    from torchmetrics.functional.text import bleu_score

    return float(bleu_score(hypotheses, references, n_gram=len(weights), smooth=smooth, weights=weights))


def torchmetrics_metric(*, smooth=False, weights=UNIFORM):
    return BLEU.preset("torchmetrics-smooth" if smooth else "torchmetrics", max_order=len(weights), weights=weights)


def coco_scores(hypotheses, references, *, max_order=4):
    reason = "needs pycocoevalcap: pip install pycocoevalcap"
    coco = pytest.importorskip("pycocoevalcap.bleu.bleu", reason=reason).Bleu(4)
    captions = {i: [hypothesis] for i, hypothesis in enumerate(hypotheses)}
    corpus, segments = coco.compute_score(dict(enumerate(references)), captions, verbose=0)
    return Expected(segments=segments[max_order - 1], corpus=corpus[max_order - 1])


# The oracle


def make(setting, **text_settings):
    return BLEU(**{"tokenizer": "none", **text_settings, **asdict(setting)})


def oracle_scores(hypotheses, references, *, setting, **_):
    def fields(row):
        if setting.smoothing == "nltk-6" and row[3] == 0:
            return None  # is not defined without a matching bigram
        score, orders = oracle.score(setting, row), setting.counted_orders
        return {
            "value": score.value,
            "brevity_penalty": score.brevity_penalty,
            "precisions": score.precisions,
            "counts": row[2:][: setting.max_order],
            "totals": row[2 + orders :][: setting.max_order],
        }

    rows = oracle.rows(setting, hypotheses, references)
    total = [sum(column) for column in zip(*rows, strict=True)]
    return Expected(segments=list(map(fields, rows)), corpus=fields(total), rows=rows)


@st.composite
def settings(draw):
    max_order = draw(st.integers(1, 9))
    smoothing = draw(st.sampled_from(oracle.SMOOTHINGS).filter(lambda name: name != "nltk-6" or max_order > 2))
    weights = draw(st.none() | st.lists(st.integers(1, 9), min_size=max_order, max_size=max_order))
    return oracle.Settings(
        max_order=max_order,
        weights=weights and tuple(weight / sum(weights) for weight in weights),
        smoothing=smoothing,
        smoothing_value=draw(st.sampled_from([None, 0.25, 3])) if smoothing in oracle.DEFAULT_VALUES else None,
        effective_order=draw(st.booleans()),
        reference_length=draw(st.sampled_from(["closest", "closest-first", "shortest", "average"])),
        short_order=draw(st.sampled_from(["zero", "pad", "perfect"])),
        no_match=draw(st.sampled_from(["zero", "smooth", "zero-if-any"])),
    )


TEXT_SETTINGS = {
    "tokenizer": st.sampled_from(sorted(tokenizers.TOKENIZERS)),
    "lowercase": st.sampled_from([False, True, "ascii"]),
    "normalize": st.sampled_from(["none", "NFC", "NFKC"]),
}


def split(text, *, tokenizer="none", lowercase=False, normalize="none", **_):
    return tokenizers.prepare(text, tokenizer=tokenizer, lowercase=lowercase, normalize=normalize)


ORACLE = Original(
    name="oracle",
    metric=make,
    scores=oracle_scores,
    inputs=(TEXT, TOKENS, IDS, OBJECTS),
    split=split,
    table=[
        {"setting": oracle.Settings()},
        {"setting": oracle.Settings(), "tokenizer": "13a", "lowercase": True, "normalize": "NFKC"},
        {"setting": oracle.Settings(max_order=8, short_order="pad", smoothing="nltk-6")},
        {"setting": oracle.Settings(max_order=20, short_order="perfect", reference_length="average")},
    ],
    options=drawn(setting=settings(), **TEXT_SETTINGS),
)

ORIGINALS = [
    Original(
        name="sacrebleu",
        metric=sacrebleu_metric,
        scores=sacrebleu_scores,
        table=[
            {},
            *({"tokenizer": tokenizer} for tokenizer in ("none", "intl", "zh", "char")),
            {"smoothing": ("floor", None), "max_order": 6},
            {"smoothing": ("add-k", 2.5), "lowercase": True, "effective_order": True},
        ],
        options=drawn(
            smoothing=st.sampled_from(SMOOTHINGS),
            tokenizer=st.sampled_from(["none", "13a", "intl", "zh", "char"]),
            max_order=st.integers(1, 6),
            lowercase=st.booleans(),
            effective_order=st.booleans(),
        ),
    ),
    Original(
        name="nltk",
        metric=nltk_metric,
        scores=nltk_scores,
        inputs=(TEXT, TOKENS, IDS),
        split=lambda text, **_: text.split(),
        table=[
            *({"method": method} for method in range(8)),
            *({"method": 4, "weights": weights} for weights in [(0.0, 1.0), (0.0, 0.0, 0.0, 1.0), (0.125,) * 8]),
            {"method": 6, "value": 0},
            {"method": 1, "value": 0, "weights": (0.0, 0.0, 0.5, 0.5)},
        ],
        options=nltk_options(),
    ),
    Original(
        name="multi-bleu",
        metric=lambda *, lowercase=False: BLEU.preset("multi-bleu", lowercase="ascii" if lowercase else False),
        scores=of_corpora(bleu_tools.multi_bleu),
        table=[{}, {"lowercase": True}],
        options=drawn(lowercase=st.booleans()),
        clean=as_line,
        long=False,
    ),
    Original(
        name="evaluate",
        metric=lambda smooth=False, **options: BLEU.preset("evaluate-smooth" if smooth else "evaluate", **options),
        scores=of_corpora(nmt_fields),
        inputs=(TEXT, TOKENS),
        split=lambda text, **_: tokenizers.tokenize_13a(text),
        table=[{}, {"smooth": True, "max_order": 2}],
        options=drawn(smooth=st.booleans(), max_order=st.integers(1, 6)),
        long=False,
    ),
    Original(
        name="torchmetrics",
        metric=torchmetrics_metric,
        scores=of_corpora(torchmetrics_value),
        table=[{}, {"smooth": True}],
        options=drawn(smooth=st.booleans(), weights=st.lists(st.floats(0.1, 1), min_size=1, max_size=5).map(tuple)),
        needs="torchmetrics",
        close=lambda ours, theirs: math.isclose(ours, theirs, rel_tol=2e-6, abs_tol=1e-38),  # single precision
    ),
    Original(
        name="coco-caption",
        metric=lambda **options: BLEU.preset("coco-caption", **options),
        scores=coco_scores,
        table=[{"max_order": order} for order in (4, 3, 2, 1)],
        options=drawn(max_order=st.integers(1, 4)),
    ),
    ORACLE,
    Original(
        name="oracle of presets",
        metric=lambda preset, setting: BLEU.preset(preset),
        scores=oracle_scores,
        inputs=(TOKENS, IDS),
        table=[{"preset": name, "setting": setting} for name, setting in oracle.PRESETS.items()],
        options=st.sampled_from(list(oracle.PRESETS.items())).map(lambda pair: {"preset": pair[0], "setting": pair[1]}),
        long=False,
    ),
]
