"""What a report is made of: texts and metrics, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from refscore.errors import InputError, SettingError, UnknownNameError
from refscore.metrics import BLEU, METRICS, NIST, Metric
from refscore.segments import check

DEFAULT_METRICS = ("bleu", "chrf", "ter")


@dataclass(frozen=True)
class Texts:
    """The outputs of each system, the references of each segment, and the source where there is one."""

    systems: Mapping[str, list[str]]
    references: list[list[str]]
    source: list[str] | None

    def __len__(self) -> int:
        return len(self.references)


def checked_texts(systems: Any, references: Any, source: Any) -> Texts:
    """The texts as plain lists, all of one length."""
    if not isinstance(systems, Mapping) or not systems:
        raise InputError(None, "systems must be a mapping from names to lists of texts; the first is the baseline")
    found: dict[str, list[str]] = {}
    entries: list[list[str]] = []
    for name, hypotheses in systems.items():
        if not isinstance(name, str) or not name:
            raise InputError(None, f"names of systems must be strings that are not empty, not {name!r}")
        try:
            segments = check(hypotheses, references if not found else entries)
        except InputError as error:
            message = str(error)
            if message.startswith("hypotheses"):
                raise InputError(None, f"systems[{name!r}]{message.removeprefix('hypotheses')}") from None
            raise InputError(None, f"system {name!r}: {message}" if " hypotheses " in message else message) from None
        if segments.kind != "text":
            raise InputError(None, f"system {name!r} is of tokens: a report shows texts")
        assert isinstance(segments.hypotheses, list) and isinstance(segments.references, list)
        found[name] = segments.hypotheses
        entries = segments.references
    if not entries:
        raise InputError(None, "there are no segments to report on")
    return Texts(found, entries, None if source is None else _checked_source(source, len(entries)))


def _checked_source(source: Any, segments: int) -> list[str]:
    if isinstance(source, (str, bytes)) or not isinstance(source, Iterable):
        raise InputError(None, "source must be a list with one text for each segment")
    texts = list(source)
    if len(texts) != segments:
        raise InputError(None, f"source has {len(texts)} texts for {segments} segments: give one for each")
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(None, f"source[{index}] is no text: {text!r}")
    return texts


def chosen_metrics(
    metrics: Any, references: Sequence[Any], segment_metrics: Mapping[str, Metric[Any]] | None = None
) -> tuple[dict[str, Metric[Any]], dict[str, Metric[Any]]]:
    """The metrics for the whole set and for single segments, under the names that the page shows.

    Args:
        metrics: Names of metrics, or metrics; in a mapping, under names of your own.
        references: What NIST is fitted on.
        segment_metrics: Those for single segments, under the same names; where it is None, they are the same, but that
            BLEU with default settings becomes sacrebleu's sentence_bleu.
    """
    if isinstance(metrics, (str, Metric)):
        metrics = (metrics,)
    if not isinstance(metrics, Iterable):
        raise SettingError(f"metrics must be names of metrics, or metrics, not {metrics!r}")
    named = list(metrics.items()) if isinstance(metrics, Mapping) else [(None, metric) for metric in metrics]
    made: dict[str, Metric[Any]] = {}
    for name, metric in named:
        one = _metric(metric)
        if isinstance(one, NIST) and one.information is None:
            one = one.fit(references)
        title = one.title if name is None else str(name)
        if title in made:
            raise SettingError(f"there are two metrics of the name {title!r}: pass a dictionary with names of your own")
        made[title] = one
    if not made:
        raise SettingError(f"metrics is empty: name one or more (there are: {', '.join(METRICS)})")
    if segment_metrics is not None and set(segment_metrics) != set(made):
        raise SettingError("segment_metrics must have the same names as metrics")
    sentence = BLEU.preset("sacrebleu-sentence")
    own = {title: sentence if metric == BLEU() else metric for title, metric in made.items()}
    if segment_metrics is not None:
        # NIST for single segments has the weights of the whole set, too.
        own = {title: metric if isinstance(metric, NIST) else segment_metrics[title] for title, metric in made.items()}
    return made, own


def _metric(metric: Any) -> Metric[Any]:
    if isinstance(metric, Metric):
        return metric
    if not isinstance(metric, str) or metric not in METRICS:
        raise UnknownNameError.suggest("metric", metric, METRICS)
    return METRICS[metric]()


def word_metric(metrics: Mapping[str, Metric[Any]]) -> BLEU:
    """The BLEU whose words are shown, marked and counted: the first one chosen, else the usual one."""
    chosen = next((metric for metric in metrics.values() if isinstance(metric, BLEU)), BLEU())
    return replace(BLEU(), tokenizer=chosen.tokenizer, lowercase=chosen.lowercase, normalize=chosen.normalize)
