"""The presets `sacrebleu` and `sacrebleu-sentence` compared with sacrebleu."""

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import close

TOKENIZERS = ["none", "13a", "intl", "zh", "char"]
SMOOTHINGS = [
    ("none", None),
    ("exp", None),
    *((name, value) for name in ("floor", "add-k") for value in (None, 0.01, 1, 2.5)),
]


def streams(references):
    """Convert references per segment to sacrebleu's streams; a missing reference is None."""
    width = max(len(refs) for refs in references)
    return [[refs[i] if i < len(refs) else None for refs in references] for i in range(width)]


def assert_same(ours, theirs):
    assert close(ours.percent, theirs.score)
    assert close(ours.value * 100, theirs.score)
    assert close(ours.brevity_penalty, theirs.bp)
    assert (ours.hyp_len, ours.ref_len) == (theirs.sys_len, theirs.ref_len)
    assert len(ours.precisions) == len(theirs.precisions)
    assert all(close(p * 100, q) for p, q in zip(ours.precisions, theirs.precisions, strict=True))


def check(hypotheses, references, *, tokenizer="13a", smoothing=("exp", None), **options):
    """Compare the corpus, every single segment, and all segments at once."""
    original = sacrebleu.BLEU(
        tokenize=tokenizer,
        smooth_method=smoothing[0],
        smooth_value=smoothing[1],
        max_ngram_order=options.get("max_order", 4),
        lowercase=options.get("lowercase", False),
        effective_order=options.get("effective_order", False),
    )
    metric = refscore.BLEU.preset(
        "sacrebleu", tokenizer=tokenizer, smoothing=smoothing[0], smoothing_value=smoothing[1], **options
    )
    assert_same(metric.corpus(hypotheses, references), original.corpus_score(hypotheses, streams(references)))
    expected = [original.sentence_score(*pair) for pair in zip(hypotheses, references, strict=True)]
    for hypothesis, refs, theirs in zip(hypotheses, references, expected, strict=True):
        assert_same(metric.segment(hypothesis, refs), theirs)
    values = metric.segments(hypotheses, references)
    assert all(close(value * 100, theirs.score) for value, theirs in zip(values, expected, strict=True))


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@given(
    corpus=strategies.text_corpora,
    smoothing=st.sampled_from(SMOOTHINGS),
    max_order=st.integers(1, 6),
    lowercase=st.booleans(),
    effective_order=st.booleans(),
)
@examples(120)
def test_equal_to_sacrebleu(*, tokenizer, corpus, smoothing, max_order, lowercase, effective_order):
    check(
        *corpus,
        tokenizer=tokenizer,
        smoothing=smoothing,
        max_order=max_order,
        lowercase=lowercase,
        effective_order=effective_order,
    )


CORPUS = (
    [
        "The cat sat on the mat.",
        "A test",
        "",
        "Nothing in common",
        "It costs 1,000.50 euros, e.g.",
        "Ich sah's „gestern“.",
    ],
    [
        ["The cat is on the mat.", "There is a cat on the mat.", ""],
        ["a test", "A test"],
        ["something"],
        ["entirely other words here"],
        ["It costs 1,000.50 euros.", "The price is 1,000.50 euros, e.g."],
        ["Ich habe es „gestern“ gesehen.", "Ich sah's gestern."],
    ],
)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@pytest.mark.parametrize("effective_order", [False, True])
def test_every_setting_on_one_corpus(smoothing, effective_order):
    for max_order in (1, 2, 4, 6):
        check(*CORPUS, smoothing=smoothing, max_order=max_order, effective_order=effective_order)


def test_sentence_preset_is_sentence_bleu():
    metric = refscore.BLEU.preset("sacrebleu-sentence")
    for hypothesis, references in zip(*CORPUS, strict=True):
        assert_same(metric.segment(hypothesis, references), sacrebleu.sentence_bleu(hypothesis, references))


def test_streams():
    hypotheses, references = CORPUS
    ours = refscore.bleu(hypotheses, refscore.from_streams(streams(references)))
    assert_same(ours, sacrebleu.corpus_bleu(hypotheses, streams(references)))


def test_one_reference_needs_no_list():
    hypotheses, references = CORPUS[0], [refs[0] for refs in CORPUS[1]]
    assert_same(refscore.bleu(hypotheses, references), sacrebleu.corpus_bleu(hypotheses, [references]))


def test_chinese_keeps_the_defect_only_in_the_preset():
    """sacrebleu treats U+2026 as Chinese, but not extension B."""
    hypotheses, references = ["他说……𠮷野家"], [["他说…𠮷野屋"]]
    check(hypotheses, references, tokenizer="zh")
    assert refscore.BLEU.preset("sacrebleu", tokenizer="zh") == refscore.BLEU(tokenizer="zh-sacrebleu")
    own = refscore.BLEU(tokenizer="zh").corpus(hypotheses, references)
    assert own.hyp_len == len(["他", "说", "……", "𠮷", "野", "家"])
