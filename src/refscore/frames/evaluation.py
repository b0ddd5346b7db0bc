"""Evaluations from data frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from refscore.errors import SettingError
from refscore.evaluation import Evaluation
from refscore.evaluation.evaluation import UNNAMED
from refscore.evaluation.scoring import Block
from refscore.frames.columns import present_segments
from refscore.frames.job import Job, Names
from refscore.frames.parts import frame_parts
from refscore.metrics import DEFAULT_METRICS, MetricChoices

if TYPE_CHECKING:
    from refscore.evaluation.retained_rows import Retain
    from refscore.frames.types import Frame


def evaluate(
    frame: Frame,
    hypotheses: str | Mapping[str, str],
    references: Names,
    metrics: MetricChoices = DEFAULT_METRICS,
    *,
    sources: str | None = None,
    units: str | None = None,
    groups: Names = None,
    retain: Retain = "rows",
    threads: int | None = None,
) -> Evaluation:
    """Return an evaluation with a frame's systems.

    Args:
        frame: A frame from any library, as for `with_scores`. It is read in parts.
        hypotheses: The hypothesis column's name, or a dictionary from systems to their columns.
        references: The name or names of reference columns (strings or lists of strings).
        metrics: Metrics or their names, such as "bleu", "chrf++" or "bleu:nltk". A dictionary gives them labels.
        sources: The source column's name, for metrics that need sources.
        units: The column with each segment's unit, such as its document, for resampling.
        groups: The columns with groups, such as the segments' domain.
        retain: "rows", "sums" or a sample size, as for `refscore.evaluate`.
        threads: The number of threads, by default all cores.

    Example:
        >>> import polars as pl
        >>> from refscore import frames
        >>> texts = {"old": ["a cat", "dogs"], "new": ["the cat", "a dog"], "ref": ["the cat", "a dog"]}
        >>> frame = pl.DataFrame({**texts, "lang": ["de", "fr"]})
        >>> evaluation = frames.evaluate(frame, {"old": "old", "new": "new"}, "ref", "wer", groups="lang")
        >>> evaluation["old"]["wer"].value, evaluation.by("lang")["fr"]["new"]["wer"].value
        (0.75, 0.0)
    """
    systems = {UNNAMED: hypotheses} if isinstance(hypotheses, str) else dict(hypotheses)
    if not systems:
        raise SettingError("hypotheses is empty: name the column of each system")
    first, *others = systems.values()
    named = (groups,) if isinstance(groups, str) else tuple(groups or ())
    labels = [*named, *([] if units is None else [units])]
    job = Job.parse(first, references, metrics, by=(*others, *labels), sources=sources, threads=threads)
    evaluation = Evaluation(metrics, systems, retain=retain)
    jobs = [replace(job, hypotheses=column) for column in systems.values()]
    for part in frame_parts(frame, job):
        begin = evaluation.segments
        texts = [_sides(each, part, begin) for each in jobs]
        block = Block(
            [each[0] for each in texts],
            texts[0][1],
            units=None if units is None else part[units].to_list(),
            groups={name: part[name].to_list() for name in named},
        )
        if retain != "sums":
            block = block.with_digests()
        evaluation.add_block(
            block,
            lambda location, run, begin=begin: jobs[run].locate(location, begin),  # type: ignore[misc]
            threads=threads,
        )
    return evaluation


def _sides(job: Job, part: Any, begin: int) -> tuple[Any, Any]:
    with present_segments(job, part, begin) as (sides, _):
        return sides
