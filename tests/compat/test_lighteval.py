"""refscore's metrics in lighteval: their scores, and standard errors with lighteval's numbers."""

import math
import pickle
import random
import statistics

import numpy as np
import pytest
from lighteval.metrics import apply_metric
from lighteval.metrics.metrics_corpus import CorpusLevelTranslationMetric
from lighteval.metrics.sample_preparator import GenerativeCorpusMetricInput
from lighteval.metrics.utils import stderr
from lighteval.metrics.utils.metric_utils import CorpusLevelMetric, SampleLevelMetric
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc

import refscore
from refscore import compat
from refscore.compat.lighteval import corpus_metric, sample_metric
from tests.corpora import WORDS, generated, joined

HYPOTHESES, REFERENCES = joined(generated(1, 12, 15, WORDS))
DOCS = [Doc(query="", choices=texts, gold_index=list(range(len(texts)))) for texts in REFERENCES]
RESPONSES = [ModelResponse(text=[text, "a second sample"]) for text in HYPOTHESES]
NAMES = ["bleu", "chrf", "chrf++", "ter", "rougeL", "wer", "bleu:nltk"]


@pytest.fixture(autouse=True)
def _undone(monkeypatch):
    monkeypatch.setattr("nltk.download", lambda *_, **__: False)
    yield
    compat.uninstall("lighteval")
    assert stderr.bootstrap_stderr.__module__ == "lighteval.metrics.utils.stderr"


def drawn(function, items, count):
    """Return the scores of lighteval's samples, without its pool of processes."""
    generator = random.Random(0)
    return [function(generator.choices(items, k=len(items))) for _ in range(count)]


@pytest.mark.parametrize("name", NAMES)
def test_corpus_metrics(name):
    metric, own = corpus_metric(name), refscore.metrics.parse_metric(name)[1]
    assert isinstance(metric, CorpusLevelMetric)
    assert metric.higher_is_better is own.higher_is_better
    rows = [result[name] for result in apply_metric(RESPONSES, DOCS, [metric])]
    aggregation = metric.get_corpus_aggregations()[name]
    assert aggregation(rows) == own.corpus(HYPOTHESES, REFERENCES).percent
    compat.install("lighteval")
    scores = drawn(aggregation, rows, 30)
    expected = statistics.stdev(scores) / math.sqrt(30)
    assert stderr.get_stderr_function(aggregation, 30)(rows) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_sample_metrics(name):
    metric, own = sample_metric(name, "mine"), refscore.metrics.parse_metric(name, for_segments=True)[1]
    assert isinstance(metric, SampleLevelMetric)
    values = [result["mine"] for result in apply_metric(RESPONSES, DOCS, [metric])]
    assert values == own.segments(HYPOTHESES, REFERENCES).tolist()
    aggregation = metric.get_corpus_aggregations()["mine"]
    assert aggregation(values) == np.mean(values)
    compat.install("lighteval")
    expected = statistics.stdev(values) / math.sqrt(len(values))
    assert stderr.get_stderr_function(aggregation, 30)(values) == pytest.approx(expected, rel=1e-12)


def test_lighteval_bleu_has_the_same_numbers():
    items = [
        GenerativeCorpusMetricInput(golds=golds, preds=[text])
        for golds, text in zip(REFERENCES, HYPOTHESES, strict=True)
    ]
    metric = CorpusLevelTranslationMetric("bleu")
    expected = stderr.mean_stderr(drawn(metric.compute_corpus, items, 20))
    compat.install("lighteval")
    assert stderr.get_stderr_function(metric.compute_corpus, 20)(items) == pytest.approx(expected, rel=1e-9)
    first = [[texts[0]] for texts in REFERENCES]
    assert metric.compute_corpus(items) == pytest.approx(refscore.BLEU().corpus(HYPOTHESES, first).percent, rel=1e-12)


def test_other_metrics_keep_the_errors_of_lighteval(monkeypatch):
    original = stderr.bootstrap_stderr
    monkeypatch.setattr(stderr._bootstrap_internal, "__call__", lambda self, job: drawn(self.metric, job[0], 10))
    values = [1.0, 2.0, 5.0]
    for function in (max, CorpusLevelTranslationMetric("chrf").compute_corpus):
        items = values if function is max else [GenerativeCorpusMetricInput(["a b"], ["a c"])] * 3
        expected = original(function, items, 10)
        compat.install("lighteval")
        assert stderr.bootstrap_stderr(function, items, 10) == expected
        compat.uninstall("lighteval")


def test_metrics_can_be_pickled_and_printed():
    for metric in (corpus_metric("chrf"), sample_metric("chrf")):
        copied = pickle.loads(pickle.dumps(metric))
        assert copied.metric_name == "chrf"
        assert "nc:6" in str(copied.sample_level_fn)
    assert "nc:6" in str(corpus_metric("chrf").corpus_level_fn)


def test_errors_name_the_document():
    metric = corpus_metric("chrf")
    with pytest.raises(refscore.InputError, match=r"responses\[1\] has no text"):
        metric.compute_sample(docs=DOCS[:2], responses=[RESPONSES[0], ModelResponse(text=[])])
    with pytest.raises(refscore.InputError, match=r"docs\[0\]"):
        metric.compute_sample(docs=[Doc(query="", choices=[], gold_index=[])], responses=RESPONSES[:1])
