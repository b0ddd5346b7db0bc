"""The errors of systems by metrics with alignments: by word, length and speaker, and the worst segments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import numpy as np

from refscore.alignments import AlignedSegment, WordErrors
from refscore.alignments.frequent_errors import count_errors
from refscore.alignments.html import render_alignment
from refscore.metrics import Metric, Rows, WordEdit
from refscore.readers.reader import counted
from refscore.report.chart_data import Buckets, format_printed, format_score
from refscore.report.inputs import Texts
from refscore.report.scores import scroll_table
from refscore.significance.inputs import label_numbers
from refscore.tables.html import escape_text, render_table

WORST = 20
_MOST_SPEAKERS = 100
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


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
    """Return one label per segment, or None if there are none. Missing audio has the label ""."""
    if labels is None:
        return None
    if side == "audio" and not isinstance(labels, str):
        labels = ["" if label is None else label for label in labels]
    names, numbers = label_numbers(labels, segments, side)
    return [str(names[number]) for number in numbers.tolist()]


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
            errors = count_errors((edit for edits in counted for edit in edits), aligning)
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


def safe_link(target: str) -> str | None:
    """Return the address of a link to audio, or None if it should be shown as text.

    Only http, https and paths become links. A path is quoted, so it cannot contain a scheme, a query or a host.

    >>> safe_link("https://example.org/a.wav"), safe_link("audio/a b.wav"), safe_link("javascript:alert(1)")
    ('https://example.org/a.wav', 'audio/a%20b.wav', None)
    """
    if not target.isprintable() or not target or "\\" in target:
        return None
    if _SCHEME.match(target):
        try:
            parts = urlsplit(target)
        except ValueError:
            return None
        is_web = parts.scheme.lower() in ("http", "https") and bool(parts.netloc)
        return quote(target, safe="%/:?#[]@!$&()*+,;=~'") if is_web else None
    return None if target.startswith("//") else quote(target, safe="/~")


def audio_policy(audio: Iterable[str | None]) -> list[str]:
    """Return the part of the page's policy that allows its players to load audio, or nothing without audio.

    >>> audio_policy(["https://example.org/a.wav", "b.wav", None])
    ["media-src 'self' file: https:"]
    """
    links = [link for label in audio if label and (link := safe_link(label))]
    schemes = {f"{urlsplit(link).scheme}:" if _SCHEME.match(link) else "'self' file:" for link in links}
    return [f"media-src {' '.join(sorted(schemes))}"] if schemes else []


def render_errors(profiles: Sequence[ErrorProfile], systems: Sequence[str]) -> str:
    """Return the part of the page about errors."""
    parts = ['<section id="errors" aria-labelledby="errors-title">', '<h2 id="errors-title">Errors</h2>']
    for profile in profiles:
        parts.append(f"<h3>{escape_text(profile.title)}</h3>")
        tables = [_counts(profile, systems), _lengths(profile, systems)]
        if profile.speakers:
            tables.append(_speakers(profile, systems))
        parts.append(f'<div class="error-tables">{"".join(f"<div>{table}</div>" for table in tables)}</div>')
        parts += [
            _system(profile, system, name, is_open=position == 0)
            for position, (system, name) in enumerate(zip(profile.systems, systems, strict=True))
        ]
    return "\n".join([*parts, "</section>"])


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    columns = "".join(f'<th scope="col"{"" if k == 0 else " class=number"}>{head}</th>' for k, head in enumerate(heads))
    lines = "".join(
        f'<tr><th scope="row">{head}</th>{"".join(f"<td class=number>{cell}</td>" for cell in cells)}</tr>'
        for head, *cells in rows
    )
    return scroll_table(caption, columns, f"<tbody>{lines}</tbody>", 'class="scores errors-table"')


def _counts(profile: ErrorProfile, systems: Sequence[str]) -> str:
    rows = []
    for name, system in zip(systems, profile.systems, strict=True):
        counts = system.errors.counts
        rows.append([escape_text(name), *(f"{counts[kind]:,}" for kind in counts), f"{system.errors.errors:,}"])
    return _table("Counts of edits", ["System", "Hits", "Substitutions", "Deletions", "Insertions", "Errors"], rows)


def _lengths(profile: ErrorProfile, systems: Sequence[str]) -> str:
    groups = profile.by_length
    rows = [
        [
            f"{first}+" if last is None else f"{first}–{last}",
            f"{segments:,}",
            *(format_printed(profile.metric, scores[k]) for scores in groups.scores),
        ]
        for k, ((first, last), segments) in enumerate(zip(groups.buckets, groups.segments, strict=True))
    ]
    return _table("Scores by length", ["Reference words", "Segments", *map(escape_text, systems)], rows)


def _speakers(profile: ErrorProfile, systems: Sequence[str]) -> str:
    shown = profile.speakers[:_MOST_SPEAKERS]
    rows = [
        [
            escape_text(name),
            f"{segments:,}",
            *(format_score(profile.metric, system.by_speaker[k]) for system in profile.systems),
        ]
        for k, (name, segments) in enumerate(shown)
    ]
    table = _table("Scores by speaker", ["Speaker", "Segments", *map(escape_text, systems)], rows)
    rest = len(profile.speakers) - len(shown)
    return table + (f'<p class="lead">{counted(rest, "more speaker")} with fewer segments.</p>' if rest else "")


def _system(profile: ErrorProfile, system: SystemErrors, name: str, *, is_open: bool) -> str:
    if not system.errors.errors:
        return f'<p class="lead">{escape_text(name)} has no errors.</p>'
    tables = "".join(f"<div>{render_table(table)}</div>" for table in system.errors.tables())
    worst = "".join(_segment(profile, segment) for segment in system.worst)
    unit = f"{system.errors.unit}s"
    return (
        f'<details class="errors"{" open" if is_open else ""}><summary>Errors of {escape_text(name)}</summary>'
        f'<div class="error-tables">{tables}</div>'
        "<h4>Segments with the most errors</h4>"
        f'<p class="lead">Reference {unit} with errors are struck out, and hypothesis {unit} are below them.</p>{worst}'
        "</details>"
    )


def _segment(profile: ErrorProfile, segment: AlignedSegment) -> str:
    audio = player = ""
    if segment.label:
        link = escape_text(safe_link(segment.label) or "")
        shown = escape_text(segment.label)
        audio = f' · <a href="{link}" rel="noopener noreferrer">{shown}</a>' if link else f" · {shown}"
        player = f'<audio controls preload="none" src="{link}"></audio>' if link else ""
    score = f"{escape_text(profile.title)} {format_score(profile.metric, segment.value)}"
    return (
        f'<div class="entry"><h5>Segment {segment.index + 1:,} · {counted(segment.errors, "error")} · {score}{audio}'
        f"</h5>{player}{render_alignment(segment)}</div>"
    )
