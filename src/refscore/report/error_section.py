"""Render the errors of systems as a part of the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote, urlsplit

from refscore.alignments.html import render_alignment
from refscore.alignments.view import AlignedSegment
from refscore.readers.reader import counted
from refscore.report.chart_data import format_printed, format_score
from refscore.report.error_profile import ErrorProfile, SystemErrors
from refscore.tables.html import escape_text, render_table

LINK = '<a href="#errors">Errors</a>'
_MOST_SPEAKERS = 100
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


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


def render_errors(profiles: Sequence[ErrorProfile], systems: Sequence[str]) -> str:
    """Return the part of the page about errors."""
    parts = ['<section id="errors" aria-labelledby="errors-title">', '<h2 id="errors-title">Errors</h2>']
    for profile in profiles:
        parts.append(f"<h3>{escape_text(profile.title)}</h3>")
        parts.append(_counts(profile, systems))
        parts.append(_lengths(profile, systems))
        if profile.speakers:
            parts.append(_speakers(profile, systems))
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
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}"><table class="scores errors-table">'
        f'<caption class="spoken">{caption}</caption><thead><tr>{columns}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
    )


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
    return (
        f'<details class="errors"{" open" if is_open else ""}><summary>Errors of {escape_text(name)}</summary>'
        f'<div class="error-tables">{tables}</div>'
        "<h4>Segments with the most errors</h4>"
        f'<p class="lead">Reference words with errors are struck out, and hypothesis words are below them.</p>{worst}'
        "</details>"
    )


def _segment(profile: ErrorProfile, segment: AlignedSegment) -> str:
    audio = ""
    if segment.label:
        link = safe_link(segment.label)
        shown = escape_text(segment.label)
        audio = f' · <a href="{escape_text(link)}" rel="noopener noreferrer">{shown}</a>' if link else f" · {shown}"
    score = f"{escape_text(profile.title)} {format_score(profile.metric, segment.value)}"
    return (
        f'<div class="entry"><h5>Segment {segment.index + 1:,} · {counted(segment.errors, "error")} · {score}{audio}'
        "</h5>"
        f"{render_alignment(segment)}</div>"
    )
