"""Check the input of a report: texts and metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from refscore.errors import InputError, Location, SettingError
from refscore.inputs import check_hypotheses, check_references
from refscore.metrics import BLEU, RIBES, TER, Metric, MetricChoices, metric_titles, parse_row_metrics
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

    `given_references` also has missing references (None), if the caller passed a list.
    """

    systems: Mapping[str, list[str]]
    references: list[list[str]]
    source: list[str] | None
    given_references: Any

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
    entries, kind = check_references(references)
    _check_kind(kind, "references")
    if not entries:
        raise InputError(None, "there are no segments to report on", "pass at least one")
    outputs = {}
    for name, hypotheses in systems.items():
        if not isinstance(name, str) or not name:
            raise InputError(Location("systems"), f"has the name {name!r}", "use non-empty strings as names")
        outputs[name] = _check_side(hypotheses, system_side(name), len(entries))
    given = references if isinstance(references, (list, tuple)) else entries
    return Texts(outputs, entries, None if source is None else _check_side(source, "source", len(entries)), given)


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


def choose_metrics(
    choices: MetricChoices, references: list[list[str]], segment_metrics: Mapping[str, Metric[Any]] | None = None
) -> tuple[dict[str, Metric[Any]], dict[str, Metric[Any]]]:
    """Return the metrics for the corpus and those for single segments, by their titles on the page.

    `segment_metrics` has the same labels as `choices`. Metrics that need it are fitted on the references.
    """
    chosen: dict[str, Any] = parse_row_metrics(choices)
    titles = {label: label for label in chosen} if isinstance(choices, Mapping) else metric_titles(chosen)
    fitted = {label: _fit(metric, references) for label, metric in chosen.items()}
    if segment_metrics is None:
        single = {label: metric.for_segments() for label, metric in fitted.items()}
    elif set(segment_metrics) != set(chosen):
        raise SettingError(f"segment_metrics must have the labels of metrics: {', '.join(chosen)}")
    else:
        single = {
            label: fitted[label] if segment_metrics[label] == metric else _fit(segment_metrics[label], references)
            for label, metric in chosen.items()
        }
    return (
        {titles[label]: metric for label, metric in fitted.items()},
        {titles[label]: single[label] for label in fitted},
    )


def _fit(metric: Metric[Any], references: list[list[str]]) -> Metric[Any]:
    return metric.fit(references) if metric.needs_fit else metric


def has_words(metric: Metric[Any]) -> bool:
    """Return whether a metric has a tokenizer setting that splits text into words, not characters, by default."""
    setting = metric.settings().get("tokenizer")
    return setting is not None and len(get(setting.default).tokenize("word")) == 1


def word_pipeline(metrics: Mapping[str, Metric[Any]], references: list[list[str]]) -> Pipeline:
    """Return the tokenizer of the words on the page.

    It is that of the first metric with a chosen word tokenizer, or else of the first with any word tokenizer. If all
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
