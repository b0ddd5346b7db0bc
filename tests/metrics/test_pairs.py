"""Alignments of a hypothesis with one reference: how all metrics that have them read the two."""

import pytest

import refscore
from refscore.metrics import METRICS

ALIGNING = [metric() for metric in METRICS.values() if hasattr(metric, "alignment")]


@pytest.fixture(params=ALIGNING, ids=lambda metric: metric.name)
def metric(request):
    return request.param


def test_metrics_with_alignments():
    assert {metric.name for metric in ALIGNING} == {"cer", "meteor", "ribes", "ter", "wer"}


@pytest.mark.parametrize(("hypothesis", "reference"), [("a b", ["a", "b"]), ([1, 2], "a b")])
def test_text_and_tokens_do_not_go_together(metric, hypothesis, reference):
    with pytest.raises(refscore.InputError, match=r"^text and tokens cannot be aligned: pass both as text or both as"):
        metric.alignment(hypothesis, reference)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "place"),
    [([("a",), ["b"]], [("a",)], r"hypothesis\[1\]"), ([("a",)], [("a",), ["b"]], r"references(\[0\])?\[1\]")],
)
def test_tokens_must_be_hashable(metric, hypothesis, reference, place):
    with pytest.raises(refscore.InputError, match=f"^{place} is .*tokens must be hashable"):
        metric.alignment(hypothesis, reference)


@pytest.mark.parametrize(("hypothesis", "reference"), [(None, "a"), ("a", None), (5, "a"), ("a", b"a")])
def test_neither_text_nor_tokens(metric, hypothesis, reference):
    with pytest.raises(refscore.InputError, match=r"^(hypothesis|references) "):
        metric.alignment(hypothesis, reference)
