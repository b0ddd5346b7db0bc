"""Conventions and findings as tables and lines.

A difference is shown as that of the two scores as they are shown, so that what a reader adds up agrees.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING

from refscore.metrics.core.registry import METRICS
from refscore.metrics.core.setting_words import WORDS
from refscore.tables import Column, Row, Table

if TYPE_CHECKING:
    from refscore.differences.conventions import Convention, Conventions
    from refscore.differences.finding import Finding, Match
    from refscore.differences.switching import Step


def number(value: float, scale: float) -> str:
    """A value on the scale of 0 to 100 with 2 decimals, or on its own with 4.

    >>> number(0.27346, 100), number(0.27346, 1)
    ('27.35', '0.2735')
    """
    # Rounded first, since a product with 100 may lie just beside a tie.
    return f"{round(value * scale, 10):.{_digits(scale)}f}"


def difference(before: float, after: float, scale: float) -> str:
    """The signed difference of two values as they are shown.

    >>> difference(0.1234, 0.1276, 100), difference(0.5, 0.25, 1), difference(0.5, 0.50004, 100)
    ('+0.42', '−0.2500', '0.00')
    """
    gap = Decimal(number(after, scale)) - Decimal(number(before, scale))
    sign = "+" if gap > 0 else "−" if gap < 0 else ""
    return f"{sign}{abs(gap):.{_digits(scale)}f}"


def _digits(scale: float) -> int:
    return 2 if scale == 100 else 4


def counted(count: int, noun: str) -> str:
    """A number and its noun.

    >>> counted(1, "segment"), counted(1200, "segment")
    ('1 segment', '1,200 segments')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


class _Shown:
    """Values of a metric as its readers are used to them."""

    def __init__(self, metric: str) -> None:
        self.title, self.scale = WORDS[metric].title, METRICS[metric].printed_scale

    def number(self, value: float) -> str:
        return number(value, self.scale)

    def difference(self, before: float, after: float) -> str:
        return difference(before, after, self.scale)


def overview(result: Conventions) -> Table:
    """All conventions, one a row."""
    shown = _Shown(result.metric)
    start = _value(result[result.start])
    rows: list[Row | list[str]] = []
    for convention in result:
        source = convention.preset.source
        if convention.score is None:
            rows.append(Row((convention.name, "–", "–", "–", source), "dim"))
            continue
        gap = "" if convention.name == result.start else shown.difference(start, _value(convention))
        rows.append([convention.name, shown.number(_value(convention)), convention.printed, gap, source])
    columns = [Column("preset"), *(Column(title, "right") for title in (shown.title, "as printed", "difference"))]
    absent = [f"{item.name} is not available: {item.unavailable}" for item in result if item.score is None]
    title = f"{shown.title} of {counted(result.segments, 'segment')}"
    return Table(title, [*columns, Column("whose")], rows, "; ".join(absent))


def steps(result: Conventions, convention: Convention) -> Table:
    """How one convention comes about from the start."""
    shown = _Shown(result.metric)
    start = result[result.start]
    rows, idle = [], []
    before = _value(start)
    for step in convention.steps:
        after = step.score.value
        if after == before:
            idle.append(_switches(step))
        else:
            points = shown.difference(before, after)
            rows.append([_titles(step), _switches(step), points, shown.number(after), _touched(step), _words(step)])
        before = after
    numbers = [Column(title, "right") for title in ("points", shown.title, "segments")]
    title = (
        f"From {start.name} ({shown.number(_value(start))}) to {convention.name} ({shown.number(_value(convention))})"
    )
    columns = [Column("reason"), Column("setting"), *numbers, Column("in words")]
    without = [f"without effect on these segments: {', '.join(idle)}"] if idle else []
    return Table(title, columns, rows, "; ".join([*without, *_notes(start, convention)]))


def flat(result: Conventions) -> Table:
    """Each convention, and after it the steps to it, one a row."""
    shown = _Shown(result.metric)
    start = _value(result[result.start])
    rows: list[list[str]] = []
    for convention in result:
        if convention.score is None:
            rows.append([convention.name, *[""] * 7, f"not available: {convention.unavailable}"])
            continue
        value = _value(convention)
        total = [shown.difference(start, value), shown.number(value)]
        rows.append([convention.name, *[""] * 4, *total, "", convention.preset.source])
        before = start
        for step in convention.steps:
            after = step.score.value
            settings = [(name, *values) for change in step.changes for name, values in change.settings.items()]
            changed = [",".join(part) for part in zip(*settings, strict=True)]
            points = [shown.difference(before, after), shown.number(after), str(step.touched)]
            rows.append([convention.name, _titles(step), *changed, *points, _words(step)])
            before = after
    columns = ["preset", "reason", "setting", "from", "to", "points", shown.title, "segments", "in words"]
    return Table("", [Column(title) for title in columns], rows)


def plain(tables: Iterable[Table]) -> str:
    """Tables as plain text, one below the other."""
    return "\n\n".join(map(str, tables))


def finding(found: Finding) -> Table:
    """What gives a number, or what comes nearest."""
    shown = _Shown(found.metric)
    rows = [[match.words, shown.number(match.value), _as_written(match), match.signature] for match in _listed(found)]
    columns = [Column("convention"), Column(shown.title, "right"), Column("as printed", "right"), Column("signature")]
    return Table(_heading(found), columns, rows)


def found_lines(found: Finding) -> str:
    """The same as lines of text."""
    title = WORDS[found.metric].title
    if not found.matches:
        return "\n".join([f"{_heading(found)}:", *(f"{_as_written(match)}: {match.words}" for match in found.nearest)])
    scales = {100: " on the scale of 0 to 100", 1: " on the scale of 0 to 1"}
    if METRICS[found.metric].printed_scale == 1:
        scales = {1: ""}
    return "\n".join(f"{found.number}{scales[match.scale]} is the {title} of {match.words}" for match in found.matches)


def _listed(found: Finding) -> tuple[Match, ...]:
    return found.matches or found.nearest


def _heading(found: Finding) -> str:
    title = WORDS[found.metric].title
    if found.matches:
        return f"{found.number} is the {title} of"
    return f"{found.number} is no {title} of these segments under {found.tried:,} settings; the nearest are"


def _as_written(match: Match) -> str:
    return number(match.value, match.scale)


def _value(convention: Convention) -> float:
    assert convention.score is not None
    return convention.score.value


def _titles(step: Step) -> str:
    return ", ".join(change.title for change in step.changes)


def _switches(step: Step) -> str:
    return ", ".join(
        f"{name}: {old} → {new}" for change in step.changes for name, (old, new) in change.settings.items()
    )


def _words(step: Step) -> str:
    return "; ".join(f"{change.before}; {change.after}" for change in step.changes)


def _touched(step: Step) -> str:
    return f"{step.touched:,}" if step.touched else "–"


def _notes(start: Convention, convention: Convention) -> list[str]:
    notes = []
    if start.preset.scale != convention.preset.scale:
        notes.append(f"scale: {start.name} prints {start.printed}, {convention.name} prints {convention.printed}")
    if convention.preset.note:
        notes.append(f"{convention.name}: {convention.preset.note}")
    return notes
