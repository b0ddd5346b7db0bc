"""Alignments of a hypothesis with one reference: input handling of all metrics with alignments."""

import pytest

import refscore
from refscore.metrics import METRICS
from tests.locations import raises_at

ALIGNING = [metric() for metric in METRICS.values() if hasattr(metric, "alignment")]


@pytest.fixture(params=ALIGNING, ids=lambda metric: metric.name)
def metric(request):
    return request.param


def test_metrics_with_alignments():
    assert {metric.name for metric in ALIGNING} == {"cer", "meteor", "ribes", "ter", "wer"}


MISTAKES = [
    ("a b", ["a", "b"], "cannot be aligned", {}),
    ([1, 2], "a b", "cannot be aligned", {}),
    ([("a",), ["b"]], [("a",)], "hashable", {"side": "hypothesis", "token": 1}),
    ([("a",)], [("a",), ["b"]], "hashable", {"side": "reference", "token": 1}),
    (None, "a", "is None", {"side": "hypothesis"}),
    ("a", None, "is None", {"side": "reference"}),
    (5, "a", "is 5", {"side": "hypothesis"}),
    ("a", b"a", "is bytes", {"side": "reference"}),
]


@pytest.mark.parametrize(("hypothesis", "reference", "problem", "location"), MISTAKES)
def test_mistakes(metric, hypothesis, reference, problem, location):
    with raises_at(refscore.InputError, problem, **location):
        metric.alignment(hypothesis, reference)
