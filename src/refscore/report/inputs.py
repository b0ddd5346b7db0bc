"""Check the input of a report: texts and metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from refscore.errors import InputError, Location, SettingError, check_instance
from refscore.evaluation import Evaluation, evaluate
from refscore.inputs import check_hypotheses, check_references, read_side
from refscore.metrics import BLEU, RIBES, TER, Metric, RowMetric, Values
from refscore.tokenizers import get
from refscore.tokenizers.pipeline import Pipeline
from refscore.tokenizers.scripts import find_unspaced

# The metrics behind the charts of words, with the tokenizer of the page.
NGRAM_METRIC = BLEU()
ORDER_METRIC = RIBES(empty_reference="skip")
EDIT_METRIC = TER()


@dataclass(frozen=True)
class Texts:
    """The outputs of each system, the references of each segment, and the source texts if there are any.

    Without references, the outputs of the first system are in their place, so the page shows what the others change.
    """

    systems: Mapping[str, list[str]]
    references: list[list[str]]
    source: list[str] | None
    has_references: bool = True

    def __len__(self) -> int:
        return len(self.references)


def system_side(name: str) -> str:
    """Return the side that errors use for the outputs of a system."""
    return f"systems[{name!r}]"


def check_texts(systems: Any, references: Any, source: Any) -> Texts:
    """Return the texts as lists of the same length."""
    if not isinstance(systems, Mapping) or not systems:
        raise InputError(
            Location("systems"), "is not a mapping", "map the name of each system to its texts, the baseline first"
        )
    has_references = references is not None
    if has_references:
        entries, kind = check_references(references)
    else:
        name, baseline = next(iter(systems.items()))
        outputs, kind = check_hypotheses(baseline, system_side(name))
        entries = [[text] for text in outputs]
    _check_kind(kind, "references" if has_references else system_side(name))
    if not entries:
        raise InputError(None, "there are no segments to report on", "pass at least one")
    checked = {}
    for name, hypotheses in systems.items():
        if not isinstance(name, str) or not name:
            raise InputError(Location("systems"), f"has the name {name!r}", "use non-empty strings as names")
        checked[name] = _check_side(hypotheses, system_side(name), len(entries))
    sources = None if source is None else _check_side(source, "sources", len(entries))
    return Texts(checked, entries, sources, has_references)


def _check_side(texts: Any, side: str, segments: int) -> list[str]:
    checked: list[str]
    checked, kind = check_hypotheses(texts, side)
    _check_kind(kind, side)
    if len(checked) != segments:
        raise InputError(Location(side), f"has {len(checked)} texts for {segments} segments", "pass one per segment")
    return checked


def _check_kind(kind: str, side: str) -> None:
    if kind != "text":
        raise InputError(Location(side), "has tokens", "pass texts, which a report shows")


def texts_of(evaluation: Evaluation) -> Texts:
    """Return the texts of an evaluation, or raise an error if they are not in memory."""
    check_instance("evaluation", evaluation, Evaluation, "pass what refscore.evaluate returns")
    block = evaluation.texts
    if block is None:
        problem = "a report needs the texts, which this evaluation does not have"
        fix = "evaluate all texts in one call of refscore.evaluate, or save records with their texts"
        raise InputError(None, problem, fix)
    if len(evaluation.systems) != len(evaluation.runs):
        raise InputError(None, "a report shows one run of each system", "evaluate one run of each")
    systems = {name: read_side(side).value for name, side in zip(evaluation.runs, block.hypotheses, strict=True)}
    sources = None if block.sources is None else read_side(block.sources).value
    references = None if block.references is None else read_side(block.references).value
    return check_texts(systems, references, sources)


def choose_segment_metrics(
    evaluation: Evaluation, given: Mapping[str, RowMetric[Any]] | None
) -> dict[str, RowMetric[Any]]:
    """Return the metrics for single segments by label: the given ones, or the `for_segments` of each metric."""
    metrics = evaluation.metrics
    if given is None:
        return {label: metric.for_segments() for label, metric in metrics.items()}
    if set(given) != set(metrics):
        raise SettingError(f"segment_metrics must have the labels of metrics: {', '.join(metrics)}")
    return {label: metric if given[label].needs_fit else given[label] for label, metric in metrics.items()}


def segment_values(
    evaluation: Evaluation, single: Mapping[str, RowMetric[Any]], texts: Texts, threads: int | None
) -> dict[str, list[Values]]:
    """Return the score of each segment of each system, by title. Metrics with other rows score the texts again."""
    shared = {
        label: metric
        for label, metric in single.items()
        if metric in (evaluation.metrics[label], evaluation.segment_metrics[label])
        or metric == choose_segment_metrics(evaluation, None)[label]
    }
    others = {label: metric for label, metric in single.items() if label not in shared}
    scored = (
        evaluate(texts.systems, texts.references, others, sources=texts.source, threads=threads) if others else None
    )
    return {
        evaluation.titles[label]: [
            metric.values(
                (evaluation if label in shared or scored is None else scored).rows(label, name), threads=threads
            )
            for name in texts.systems
        ]
        for label, metric in single.items()
    }


def has_words(metric: Metric[Any]) -> bool:
    """Return whether a metric has a tokenizer setting that splits text into words, not characters, by default."""
    setting = metric.settings().get("tokenizer")
    return setting is not None and len(get(setting.default).tokenize("word")) == 1


def word_pipeline(metrics: Mapping[str, Metric[Any]], references: list[list[str]]) -> Pipeline:
    """Return the tokenizer of the words on the page.

    It belongs to the first metric with a chosen word tokenizer, or else to the first with any word tokenizer. If all
    metrics compare characters, it is 13a, or characters for scripts without spaces between words.
    """
    pipelines = []
    for metric in filter(has_words, metrics.values()):
        pipeline = Pipeline(metric.pipeline.tokenizer, metric.pipeline.lowercase, metric.pipeline.normalize)
        default = Pipeline(metric.settings()["tokenizer"].default, False, "none")
        pipelines.append((pipeline.tokenizer == default.tokenizer, pipeline))
    if pipelines:
        return min(pipelines, key=lambda pair: pair[0])[1]
    text = "".join(reference for entry in references[:200] for reference in entry)
    return Pipeline("char" if find_unspaced(text)[1] > 0.5 else "13a", False, "none")
