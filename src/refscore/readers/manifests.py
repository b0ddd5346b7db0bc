"""Manifests of speech recognition: JSON lines with the fields text and pred_text.

NeMo and the Open ASR Leaderboard write them. The leaderboard's have the fields duration and time too, in seconds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from refscore.errors import InputError, Location
from refscore.metrics import Given
from refscore.readers.formats import parse_spec
from refscore.readers.json_lines import JSONObjects
from refscore.readers.source import Source
from refscore.readers.system_scores import GivenScores, ScoreColumn, System, parse_number

REFERENCE, HYPOTHESIS = "text", "pred_text"
SPEED = "RTFx"


def is_manifest(spec: str, format: str | Mapping[str, str] | None = None) -> bool:
    """Return whether a file without a field is JSON lines that begin like a manifest."""
    path, field, format = parse_spec(spec, format)
    return field is None and format == "jsonl" and begins_like_manifest(path)


def begins_like_manifest(path: str | Path | None) -> bool:
    if path is None:
        return False
    with Source(path) as source:
        line = next((line for _, line in source.numbered_lines()), "")
    try:
        item = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(item, dict) and REFERENCE in item and HYPOTHESIS in item


def references_of(systems: Sequence[System]) -> list[str]:
    """Return the first system's manifest as the references if all systems are manifests with the same references."""
    texts = [system for system in systems if system.record is None]
    if not texts or not all(is_manifest(system.file) for system in texts):
        return []
    first: list[Any] = []
    for system in texts:
        own = _items(system.file)
        for index, (location, item) in enumerate(own):
            if first and (index >= len(first) or item.get(REFERENCE) != first[index][1].get(REFERENCE)):
                problem = f"has a reference that differs from line {index + 1} of {texts[0].file}"
                raise InputError(location, problem, "name the references with -r, or score the systems one by one")
        first = first or own
    return [texts[0].file]


def with_speed(given: GivenScores | None, systems: Sequence[System]) -> GivenScores | None:
    """Return the given scores and, if all systems are manifests with times, how much faster than speech each is.

    RTFx is the duration of all audio divided by the time of its recognition, as on the Open ASR Leaderboard.
    """
    texts = [system for system in systems if system.record is None]
    if not texts or len(texts) < len(systems) or (given is not None and SPEED in given.metrics):
        return given
    columns = [_speed(system.file) if is_manifest(system.file) else None for system in texts]
    times = [column for column in columns if column is not None]
    if len(times) < len(texts):
        return given
    metric = Given(SPEED, digits=2)
    if given is None:
        return GivenScores({SPEED: metric}, {SPEED: times}, texts, lambda _: None)
    return replace(given, metrics={**given.metrics, SPEED: metric}, columns={**given.columns, SPEED: times})


def _speed(file: str) -> ScoreColumn | None:
    items = _items(file)
    numbers = []
    for location, item in items:
        place = replace(location, field="duration or time")
        numbers.append([parse_number(item.get(field), place) for field in ("duration", "time")])
    durations, times = np.array(numbers, dtype=np.float64).T
    if not (durations > 0).all() or not (times > 0).all():  # also false for missing numbers
        return None
    return ScoreColumn(file, durations, [location for location, _ in items], times)


def _items(file: str) -> list[tuple[Location, dict[str, Any]]]:
    with JSONObjects(file) as objects:
        return [*objects]
