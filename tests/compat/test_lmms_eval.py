"""lmms-eval with refscore: the same scores and standard errors, for its own metrics and for refscore's."""

import random

import lmms_eval.api.metrics as theirs
import numpy as np
import pytest
from lmms_eval.api import registry

import refscore
from refscore import compat
from refscore.compat import lmms_eval as ours
from tests.corpora import WORDS, generated, joined

METRICS = ["bleu", "chrf", "ter"]
REGISTRIES = ("METRIC_REGISTRY", "AGGREGATION_REGISTRY", "METRIC_AGGREGATION_REGISTRY", "HIGHER_IS_BETTER_REGISTRY")
# Without lone surrogates: a process that lmms-eval starts cannot print them.
AWKWARD = [
    ("", "a b c d"),
    ("a b c d", ""),
    ("", ""),
    ("a", "a"),
    ("a a a a a a", "a a a"),
    ("日本語の文章です。", "日本語の文です。"),
    ("שלום עולם טוב מאוד", "שלום עולם רע מאוד"),
    ("with \0 a NUL", "with a \0 NUL"),
    ("e\u0301te\u0301 👩\u200d👩\u200d👧 ok", "été 👩\u200d👩\u200d👧 ok"),
    ("word " * 150, "word " * 120 + "other " * 40),
]


@pytest.fixture(autouse=True)
def _undone():
    before = [dict(getattr(registry, name)) for name in REGISTRIES]
    yield
    compat.uninstall("lmms_eval")
    assert theirs.bootstrap_stderr.__module__ == "lmms_eval.api.metrics"
    assert theirs.sacrebleu.__name__ == "sacrebleu"
    for name, objects in zip(REGISTRIES, before, strict=True):
        getattr(registry, name).clear()
        getattr(registry, name).update(objects)


def corpora():
    hypotheses, references = joined(generated(1, 12, 15, WORDS))
    references = [(texts * 2)[:2] for texts in references]
    first = [texts[0] for texts in references]
    yield "one reference", list(zip(first, hypotheses, strict=True))
    yield "two references", list(zip(references, hypotheses, strict=True))
    yield "predictions in lists", [(text, [hypothesis]) for text, hypothesis in zip(first, hypotheses, strict=True)]
    yield "varying numbers", [(["a b", "a c"], "a b"), (["a d"], "a c d"), (["x y", "x", "y"], "x")] * 3
    yield "awkward", AWKWARD


CORPORA = dict(corpora())


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("name", METRICS)
def test_scores_and_standard_errors(name, corpus):
    items, aggregation = CORPORA[corpus], getattr(theirs, name)
    score, error = aggregation(items), theirs.stderr_for_metric(aggregation, bootstrap_iters=12)(items)
    compat.install("lmms_eval")
    assert aggregation(items) == pytest.approx(score, rel=1e-12, abs=1e-12)
    assert theirs.stderr_for_metric(aggregation, bootstrap_iters=12)(items) == pytest.approx(error, rel=1e-9, abs=1e-12)


def test_other_metrics_keep_their_errors():
    values = [0.0, 1.0, 1.0, 0.5]
    expected = [theirs.stderr_for_metric(function, 20)(values) for function in (theirs.mean, theirs.median)]
    compat.install("lmms_eval", resamples=1000)
    assert [theirs.stderr_for_metric(function, 20)(values) for function in (theirs.mean, theirs.median)] == expected
    assert theirs.stderr_for_metric(theirs.bypass_agg, 20) is None
    assert theirs.stderr_for_metric(theirs.bleu, 0) is None


def test_registered_metrics():
    items = CORPORA["two references"]
    name = ours.register("rougeL")
    metric = refscore.ROUGE(variant="L")
    references, hypotheses = zip(*items, strict=True)
    aggregation = registry.get_aggregation(name)
    assert aggregation(items) == metric.corpus(hypotheses, references).percent
    assert theirs.stderr_for_metric(aggregation, 50) is None
    compat.install("lmms_eval", resamples=50)
    generator = random.Random(0)
    rows = metric.stats(hypotheses, references)
    scores = [100 * metric.score(np.sum(generator.choices(rows, k=len(rows)), 0)).value for _ in range(50)]
    assert theirs.stderr_for_metric(aggregation, 100)(items) == pytest.approx(theirs.sample_stddev(scores), rel=1e-9)
