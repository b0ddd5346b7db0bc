"""References that are prepared once and scored many times, against plain calls."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import refscore
from bench import data
from bench.contestants import ours
from bench.data import Corpus
from bench.timing import Task
from refscore.metrics import Metric

_SYSTEMS = 16
_COMPARED: dict[str, Metric[Any]] = {"bleu": refscore.BLEU(), "chrf": refscore.CHRF(), "ter": refscore.TER()}


def _prepared(name: str, metric: Metric[Any], corpus: Corpus, seed: int) -> Task:
    """Time one system with prepared references. Preparing is timed on a line of its own."""
    pairs = (corpus.hypotheses, corpus.first_references())

    def score(d: Any, threads: int | None) -> float:
        return float(metric.corpus(d[0], d[1], threads=threads).value)

    def prepare(source: Any) -> Any:
        hypotheses, references = data.fresh(source)
        references = metric.prepare(references)
        for _ in range(2):  # references are analysed when they are used
            metric.corpus(hypotheses, references)
        return hypotheses, references

    contestants = [
        *ours("refscore, prepared references", pairs, score, prepare),
        *ours("plain call", pairs, score),
        *ours("prepare and one call", pairs, lambda d, threads: score((d[0], metric.prepare(d[1])), threads)),
    ]
    return Task(name, f"{metric.title} of a corpus of text", "segments/s", contestants, len(pairs[0]))


def _tasks() -> list[Callable[[Corpus, int], Task]]:
    metrics: dict[str, Metric[Any]] = {
        "bleu": refscore.BLEU(),
        "chrf": refscore.CHRF(),
        "gleu": refscore.GLEU(),
        "meteor": refscore.METEOR(),
        "wer": refscore.WER(),
        "cer": refscore.CER(),
        "ter": refscore.TER(),
        "ribes": refscore.RIBES(),
        "rouge-l": refscore.ROUGE(),
    }
    tasks: list[Callable[[Corpus, int], Task]] = []
    for metric_name, metric in metrics.items():
        name = f"prepared-{metric_name}"
        task = partial(_prepared, name, metric)
        task.__name__ = name  # type: ignore[attr-defined]
        tasks.append(task)
    return tasks


def compare_systems(corpus: Corpus, seed: int) -> Task:
    """Time the corpus scores of sixteen systems by three metrics."""
    systems = data.systems(corpus.hypotheses, _SYSTEMS, seed)
    source = (systems, corpus.first_references())

    def evaluate(d: Any, threads: int | None) -> list[float]:
        outputs = {str(i): texts for i, texts in enumerate(d[0])}
        evaluation = refscore.evaluate(outputs, d[1], _COMPARED, threads=threads)
        return [evaluation[name][metric].value for name in outputs for metric in _COMPARED]

    def plain(d: Any, threads: int | None) -> list[float]:
        return [each.corpus(texts, d[1], threads=threads).value for texts in d[0] for each in _COMPARED.values()]

    contestants = [*ours("refscore.evaluate", source, evaluate), *ours("plain calls", source, plain)]
    title = f"{_SYSTEMS} systems by {len(_COMPARED)} metrics"
    return Task("compare-systems", title, "segments/s", contestants, _SYSTEMS * len(corpus.hypotheses))


TASKS = (*_tasks(), compare_systems)
