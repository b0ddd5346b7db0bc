"""The errors of systems by metrics with alignments: by word, by length, by speaker, and the worst segments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from refscore.alignments import AlignedSegment, WordErrors
from refscore.alignments.frequent_errors import count_errors
from refscore.errors import InputError, Location
from refscore.metrics import Metric, Rows, WordEdit
from refscore.report.chart_data import Buckets
from refscore.report.inputs import Texts

WORST = 20


@dataclass(frozen=True)
class SystemErrors:
    """The errors of one system: by word, the scores of each speaker, and the segments with the most errors."""

    errors: WordErrors
    by_speaker: tuple[float, ...]
    worst: tuple[AlignedSegment, ...]


@dataclass(frozen=True)
class ErrorProfile:
    """The errors of all systems by one metric."""

    title: str
    metric: Metric[Any]
    systems: tuple[SystemErrors, ...]
    speakers: tuple[tuple[str, int], ...]  # the label and the number of segments of each
    by_length: Buckets


def check_labels(labels: Any, side: str, segments: int) -> list[str] | None:
    """Return one label per segment, or None if there are none."""
    if labels is None:
        return None
    location = Location(side)
    if isinstance(labels, (str, bytes)):
        raise InputError(location, "is a string", "pass one label per segment")
    listed = list(labels)
    if len(listed) != segments:
        raise InputError(location, f"has {len(listed)} labels for {segments} segments", "pass one per segment")
    for i, label in enumerate(listed):
        if not isinstance(label, str) and not (label is None and side == "audio"):
            raise InputError(Location(side, segment=i), "is not a string", "pass text")
    return listed


def profile_errors(
    metrics: Mapping[str, Metric[Any]],
    rows: Mapping[str, Mapping[str, Rows]],
    by_length: Mapping[str, Buckets],
    texts: Texts,
    speakers: Sequence[str] | None,
    audio: Sequence[str | None] | None,
    threads: int | None,
) -> tuple[ErrorProfile, ...]:
    """Return the profile of each metric that has alignments.

    `rows` has the rows of all segments by metric and system, and `by_length` the scores of each metric by length.
    """
    counts = dict(zip(*np.unique(speakers, return_counts=True), strict=True)) if speakers is not None else {}
    by_size = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    members = {name: np.flatnonzero(np.array(speakers) == name) for name, _ in by_size}
    profiles = []
    for title, metric in metrics.items():
        if not metric.has_alignments:
            continue
        aligning: Any = metric
        systems = []
        for name, hypotheses in texts.systems.items():
            table = rows[title][name]
            alignments: list[tuple[WordEdit, ...]] = aligning.word_alignments(
                hypotheses, texts.references, threads=threads
            )
            counted = [[edit for edit in edits if aligning.is_counted(edit)] for edits in alignments]
            errors = count_errors((edit for edits in counted for edit in edits), metric.signature)
            numbers = [sum(edit.kind != "hit" for edit in edits) for edits in counted]
            worst = sorted(np.flatnonzero(numbers).tolist(), key=lambda i: -numbers[i])[:WORST]
            values = metric.values(table[worst], threads=threads).tolist() if worst else []
            systems.append(
                SystemErrors(
                    errors,
                    tuple(metric.score(table[places].sum(0)).value for places in members.values()),
                    tuple(
                        AlignedSegment(i, alignments[i], None if audio is None else audio[i], value)
                        for i, value in zip(worst, values, strict=True)
                    ),
                )
            )
        sizes = tuple((str(name), int(size)) for name, size in by_size)
        profiles.append(ErrorProfile(title, metric, tuple(systems), sizes, by_length[title]))
    return tuple(profiles)
