"""The presets `multi-bleu`, `evaluate`, `torchmetrics` and `coco-caption` compared with the originals or oracles."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import refscore
from tests import strategies
from tests.examples import examples
from tests.reference import bleu_tools as oracle
from tests.reference import close
from tests.reference.tokenizers import tokenize_13a

BLEU = refscore.BLEU


def lines(corpus):
    """Return text for the Perl script, which reads lines: without line breaks and lone surrogates."""

    def line(text):
        return text.replace("\n", " ").encode("utf-8", "replace").decode()

    hypotheses, references = corpus
    return list(map(line, hypotheses)), [list(map(line, refs)) for refs in references]


@given(corpus=strategies.text_corpora.map(lines), lowercase=st.booleans())
@examples(150)
def test_multi_bleu(corpus, lowercase):
    metric = BLEU.preset("multi-bleu", lowercase="ascii" if lowercase else False)
    assert close(metric.corpus(*corpus).value, oracle.multi_bleu(*corpus, lowercase=lowercase))
    expected = [oracle.multi_bleu([h], [refs], lowercase=lowercase) for h, refs in zip(*corpus, strict=True)]
    assert all(map(close, metric.segments(*corpus), expected))


@pytest.mark.parametrize("smooth", [False, True])
@given(corpus=strategies.word_corpora, max_order=st.integers(1, 6))
@examples(150)
def test_nmt_on_tokens(smooth, corpus, max_order):
    check_nmt(BLEU.preset(EVALUATE[smooth], max_order=max_order), corpus, corpus, smooth)


@pytest.mark.parametrize("smooth", [False, True])
@given(corpus=strategies.text_corpora)
@examples(150)
def test_evaluate_on_text(smooth, corpus):
    hypotheses, references = corpus
    tokens = list(map(tokenize_13a, hypotheses)), [list(map(tokenize_13a, refs)) for refs in references]
    check_nmt(BLEU.preset(EVALUATE[smooth]), corpus, tokens, smooth)


EVALUATE = {False: "evaluate", True: "evaluate-smooth"}


def check_nmt(metric, corpus, tokens, smooth):
    ours, theirs = metric.corpus(*corpus), oracle.nmt_bleu(*tokens, max_order=metric.max_order, smooth=smooth)
    if 0 in (theirs["translation_length"], theirs["reference_length"]):  # the original returns 0 with any settings
        assert 0 <= ours.value <= 1
        return
    assert close(ours.value, theirs["bleu"])
    assert close(ours.brevity_penalty, theirs["brevity_penalty"])
    assert (ours.hyp_len, ours.ref_len) == (theirs["translation_length"], theirs["reference_length"])
    assert close(ours.ratio, theirs["length_ratio"])
    if ours.counts[0]:
        assert all(map(close, ours.precisions, theirs["precisions"]))


def test_a_hyphen_before_the_last_line_break_is_dropped_by_evaluate_alone():
    assert BLEU.preset("evaluate").segment("Well -\n", "Well").hyp_len == 1
    assert BLEU.preset("sacrebleu").segment("Well -\n", "Well").hyp_len == 2


def test_documented_call_of_evaluate():
    predictions = ["hello there general kenobi", "foo bar foobar"]
    references = [["hello there general kenobi", "hello there!"], ["foo bar foobar"]]
    assert BLEU.preset("evaluate").corpus(predictions, references).value == 1.0


DOCUMENTED = ["the cat is on the mat"], [["there is a cat on the mat", "a cat is on the mat"]]


@pytest.fixture
def torchmetrics_bleu():
    from torchmetrics.functional.text import bleu_score

    return bleu_score


@pytest.mark.parametrize("smooth", [False, True])
def test_torchmetrics(torchmetrics_bleu, smooth):
    """torchmetrics uses single precision, so values agree to 1e-6."""

    @given(corpus=strategies.text_corpora, weights=st.none() | st.lists(st.floats(0.1, 1), min_size=1, max_size=5))
    @example(corpus=DOCUMENTED, weights=None)
    @example(corpus=(["a b c x"], [["a b c d"]]), weights=None)  # smoothing does not help an order without a match
    @examples(150)
    def check(corpus, weights):
        orders = 4 if weights is None else len(weights)
        name = "torchmetrics-smooth" if smooth else "torchmetrics"
        metric = BLEU.preset(name, max_order=orders, weights=weights and tuple(weights))
        for part in (corpus, *(([h], [refs]) for h, refs in zip(*corpus, strict=True))):
            theirs = float(torchmetrics_bleu(*part, n_gram=orders, smooth=smooth, weights=weights))
            assert metric.corpus(*part).value == pytest.approx(theirs, rel=2e-6, abs=1e-38)

    check()


@pytest.fixture
def coco_bleu():
    return pytest.importorskip("pycocoevalcap.bleu.bleu", reason="needs pycocoevalcap: pip install pycocoevalcap").Bleu


def test_coco_caption(coco_bleu):
    @given(corpus=strategies.text_corpora)
    @example(
        corpus=(
            ["", "", "a", "a b", "a b c d", "x", "a b c d e f g"],
            [["a b"], [""], ["a"], ["a b", "a"], ["a b c d"], ["a b c"], ["a b c", "a b c d e f g h i j k"]],
        )
    )
    @examples(200)
    def check(corpus):
        hypotheses, references = corpus
        captions = {i: [hypothesis] for i, hypothesis in enumerate(hypotheses)}
        whole, segments = coco_bleu(4).compute_score(dict(enumerate(references)), captions, verbose=0)
        for order in (1, 2, 3, 4):
            metric = BLEU.preset("coco-caption", max_order=order)
            assert close(metric.corpus(hypotheses, references).value, whole[order - 1])
            assert all(map(close, metric.segments(hypotheses, references), segments[order - 1]))

    check()


def test_coco_caption_counts_next_to_nothing_for_orders_without_a_match():
    metric = BLEU.preset("coco-caption")
    assert close(metric.segment("a b", "a b").value, (2e-12 / (2 + 1e-9) / (1 + 1e-9)) ** 0.25 * math.exp(-5e-10))
    assert metric.segment("", "").value == metric.segment("", "a").value == 0
    assert 0 < metric.segment("x", "a").value < 1e-6


@pytest.mark.parametrize(
    "name", ["multi-bleu", *EVALUATE.values(), "torchmetrics", "torchmetrics-smooth", "coco-caption"]
)
def test_steps_end_in_the_score(name):
    metric = BLEU.preset(name)
    for segment in [("a b c d e", ["a b c d f", "a"]), ("a b", ["a b c"]), ("x", ["a"]), ("", ["a"])]:
        score, steps = metric.segment(*segment), metric.explain(*segment)
        assert steps.result == f"BLEU = {score.value:.4f} ({score.percent:.2f} %)"
