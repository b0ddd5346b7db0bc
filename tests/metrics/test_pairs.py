"""Alignments of a hypothesis with one reference: input handling of all metrics with alignments."""

import pytest

import refscore
from refscore.metrics import METRICS
from tests.locations import raises_at

ALIGNING = [metric() for metric in METRICS.values() if hasattr(metric, "alignment")]


def test_metrics_with_alignments():
    assert {metric.name for metric in ALIGNING} == {"cer", "character_ter", "meteor", "ribes", "suber", "ter", "wer"}


MISTAKES = [
    ("a b", ["a", "b"], {}),
    ([1, 2], "a b", {}),
    ([("a",), ["b"]], [("a",)], {"side": "hypothesis", "token": 1}),
    ([("a",)], [("a",), ["b"]], {"side": "reference", "token": 1}),
    (None, "a", {"side": "hypothesis"}),
    ("a", None, {"side": "reference"}),
    (5, "a", {"side": "hypothesis"}),
    ("a", b"a", {"side": "reference"}),
]


@pytest.mark.parametrize("metric", ALIGNING, ids=lambda metric: metric.name)
@pytest.mark.parametrize(("hypothesis", "reference", "location"), MISTAKES)
def test_mistakes(metric, hypothesis, reference, location):
    with raises_at(refscore.InputError, **location):
        metric.alignment(hypothesis, reference)
