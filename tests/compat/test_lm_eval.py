"""lm-evaluation-harness with refscore: the same scores and standard errors, for its own metrics and for refscore's."""

import json
import os
import random

import lm_eval.api.metrics as theirs
import numpy as np
import pytest
from lm_eval.api import registry

import refscore
from refscore import compat
from refscore.compat import lm_eval as ours
from tests.compat.programs import run
from tests.corpora import WORDS, generated, joined

METRICS = [name for name in ("bleu", "chrf", "chrfpp", "ter") if hasattr(theirs, name)]
AWKWARD = [
    ("", "a b c d"),
    ("a b c d", ""),
    ("", ""),
    ("a", "a"),
    ("a a a a a a", "a a a"),
    ("日本語の文章です。", "日本語の文です。"),
    ("שלום עולם טוב מאוד", "שלום עולם רע מאוד"),
    ("e\u0301te\u0301 👩‍👩‍👧 ok now", "été 👩‍👩‍👧 ok then"),
    ("\ud800 lone surrogate here", "a lone \ud800 surrogate here"),
    ("with \0 a NUL byte", "with a \0 NUL byte"),
    ("word " * 150, "word " * 120 + "other " * 40),
]


@pytest.fixture(autouse=True)
def _undone(monkeypatch):
    monkeypatch.setenv("DISABLE_MULTIPROC", "1")
    before = [dict(table._objs) for table in _registries()]
    yield
    compat.uninstall("lm_eval")
    assert theirs.bootstrap_stderr.__module__ == theirs.stderr_for_metric.__module__ == "lm_eval.api.metrics"
    assert not theirs.sacrebleu.__name__.startswith("refscore")
    for table, objects in zip(_registries(), before, strict=True):
        table._objs.clear()
        table._objs.update(objects)


def _registries():
    names = ("metric_registry", "aggregation_registry", "metric_agg_registry", "higher_is_better_registry")
    return [getattr(registry, name) for name in names]


def corpora():
    hypotheses, references = joined(generated(1, 12, 15, WORDS))
    references = [(texts * 2)[:2] for texts in references]
    first = [texts[0] for texts in references]
    yield "one reference", list(zip(first, hypotheses, strict=True))
    yield "a list of one", [([text], hypothesis) for text, hypothesis in zip(first, hypotheses, strict=True)]
    yield "two references", list(zip(references, hypotheses, strict=True))
    yield "tuples", [(tuple(texts), hypothesis) for texts, hypothesis in zip(references, hypotheses, strict=True)]
    yield "predictions in lists", [(text, [hypothesis]) for text, hypothesis in zip(first, hypotheses, strict=True)]
    yield "varying numbers", [(["a b", "a c"], "a b"), (["a d"], "a c d"), (["x y", "x", "y"], "x")] * 3
    yield "awkward", AWKWARD


CORPORA = dict(corpora())


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("name", METRICS)
def test_scores_and_standard_errors_are_those_of_lm_eval(name, corpus):
    items, aggregation = CORPORA[corpus], getattr(theirs, name)
    score, error = aggregation(items), theirs.stderr_for_metric(aggregation, 12)(items)
    compat.install("lm_eval")
    assert aggregation(items) == pytest.approx(score, rel=1e-12, abs=1e-12)
    assert theirs.stderr_for_metric(aggregation, 12)(items) == pytest.approx(error, rel=1e-9, abs=1e-12)


def test_more_than_one_seed():
    """lm_eval draws 1,000 samples per seed, and no samples for the rest."""
    items = [(f"a b {i % 3}", f"a {i % 2} c") for i in range(7)]
    metric = refscore.BLEU()
    rows = metric.stats([prediction for _, prediction in items], [reference for reference, _ in items])
    scores = []
    for seed in range(2):
        generator = random.Random(seed)
        scores += [100 * metric.score(np.sum(generator.choices(rows, k=7), 0)).value for _ in range(1000)]
    compat.install("lm_eval")
    expected = theirs.sample_stddev(scores)
    assert theirs.bootstrap_stderr(theirs.bleu, items, 2700) == pytest.approx(expected, rel=1e-9)
    assert theirs.bootstrap_stderr(theirs.bleu, items, 2000) == pytest.approx(expected, rel=1e-9)


def test_resamples_override_the_limit_of_lm_eval():
    items = CORPORA["one reference"]
    compat.install("lm_eval")
    few, many = (theirs.bootstrap_stderr(theirs.chrf, items, count) for count in (100, 1000))
    compat.install("lm_eval", resamples=1000)
    assert theirs.stderr_for_metric(theirs.chrf, 100)(items) == many != few
    compat.install("lm_eval")
    assert theirs.stderr_for_metric(theirs.chrf, 100)(items) == few
    for resamples in (1, 0, -5, 2.5, "many"):
        with pytest.raises(refscore.SettingError, match="resamples"):
            compat.install("lm_eval", resamples=resamples)
    with pytest.raises(refscore.SettingError, match="has no effect on sacrebleu"):
        compat.install("sacrebleu", resamples=1000)


def test_other_metrics_keep_the_errors_of_lm_eval():
    values = [0.0, 1.0, 1.0, 0.5]
    cases = [theirs.mean, theirs.median, theirs.perplexity, theirs.nanmean]
    expected = [theirs.stderr_for_metric(function, 20)(values) for function in cases]
    compat.install("lm_eval", resamples=1000)
    assert [theirs.stderr_for_metric(function, 20)(values) for function in cases] == expected
    assert theirs.stderr_for_metric(theirs.bypass_agg, 20) is None
    assert theirs.stderr_for_metric(theirs.bleu, 0) is None


@pytest.mark.parametrize("choice", ["rougeL", "chrf++", "wer", "gleu", refscore.BLEU(tokenizer="char")])
def test_registered_metrics(choice):
    items = CORPORA["two references"]
    name = ours.register(choice)
    _, metric = refscore.metrics.parse_metric(choice)
    references, hypotheses = zip(*items, strict=True)
    aggregation = registry.get_aggregation(name)
    assert registry.get_metric_aggregation(name) is aggregation
    assert registry.get_metric(name)(items[0]) is items[0]
    assert registry.is_higher_better(name) is metric.higher_is_better
    assert aggregation(items) == metric.corpus(hypotheses, references).percent
    assert theirs.stderr_for_metric(aggregation, 50) is None
    compat.install("lm_eval")
    expected = theirs.bootstrap_stderr.__self__._original("_bootstrap_internal_no_mp")(aggregation, items, 50)
    assert theirs.stderr_for_metric(aggregation, 50)(items) == pytest.approx(theirs.sample_stddev(expected), rel=1e-9)


def test_a_metric_can_have_a_name():
    assert ours.register("ter", "edits") == "edits"
    assert registry.is_higher_better("edits") is False


def test_a_program_can_install_it():
    code = """
        from refscore import compat
        compat.install("lm_eval", resamples=500)
        import lm_eval.api.metrics as metrics
        from refscore.compat import lm_eval
        print(metrics.bootstrap_stderr is lm_eval.bootstrap_stderr, metrics.sacrebleu.__name__)
        print(lm_eval._harness._resamples)
    """
    assert run(code) == "True refscore.compat.sacrebleu\n500"


@pytest.mark.slow
def test_a_task(tmp_path, monkeypatch):
    """Evaluate a local task with a model that returns fixed texts."""
    pytest.importorskip("datasets")
    for variable in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(variable, "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    import lm_eval
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    items = CORPORA["one reference"]
    data = tmp_path / "data.jsonl"
    data.write_text("".join(json.dumps({"source": i, "target": item[0]}) + "\n" for i, item in enumerate(items)))

    class Parrot(LM):
        def generate_until(self, requests):
            return [items[int(request.args[0])][1] for request in requests]

        loglikelihood = loglikelihood_rolling = None

    names = [*METRICS, ours.register("rougeL")]
    names = ["chrf++" if name == "chrfpp" else name for name in names]

    def evaluate():
        task = {
            "task": "translation",
            "dataset_path": "json",
            "dataset_kwargs": {"data_files": {"test": os.fspath(data)}},
            "test_split": "test",
            "output_type": "generate_until",
            "doc_to_text": "{{source}}",
            "doc_to_target": "{{target}}",
            "metric_list": [{"metric": name, "aggregation": name, "higher_is_better": True} for name in names],
            "generation_kwargs": {"until": ["\n"]},
        }
        manager = TaskManager(include_defaults=False)
        return lm_eval.simple_evaluate(Parrot(), tasks=[task], task_manager=manager, log_samples=False)["results"]

    original = evaluate()["translation"]
    compat.install("lm_eval")
    replaced = evaluate()["translation"]
    own = [key for key in original if key.endswith(",none") and "rougeL" not in key]
    assert len(own) == 2 * len(METRICS)
    assert {key: replaced[key] for key in own} == pytest.approx({key: original[key] for key in own}, rel=1e-9)
    assert original["refscore_rougeL_stderr,none"] == "N/A"
    assert replaced["refscore_rougeL,none"] == original["refscore_rougeL,none"]
    assert 0 < replaced["refscore_rougeL_stderr,none"] < 10


def test_other_names_are_lm_evals():
    assert ours.mean is theirs.mean
    with pytest.raises(AttributeError):
        ours.absent  # noqa: B018
