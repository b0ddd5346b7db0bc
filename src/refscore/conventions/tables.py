"""Conventions and findings as tables and lines.

A difference is shown as that of the two scores as they are shown, so the numbers that a reader adds up agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

from refscore.tables import Column, Row, Table

if TYPE_CHECKING:
    from refscore.conventions.comparison import Convention, Conventions
    from refscore.conventions.finding import Finding, Match
    from refscore.conventions.switching import Step


def number(value: float, scale: float) -> str:
    """Return a value on the scale of 0 to 100 with 2 decimals, or on its own with 4.

    >>> number(0.27346, 100), number(0.27346, 1)
    ('27.35', '0.2735')
    """
    # Rounded first, since a product with 100 may be just beside a tie.
    return f"{round(value * scale, 10):.{_digits(scale)}f}"


def difference(before: float, after: float, scale: float) -> str:
    """Return the signed difference of two values as they are shown.

    >>> difference(0.1234, 0.1276, 100), difference(0.5, 0.25, 1), difference(0.5, 0.50004, 100)
    ('+0.42', '−0.2500', '0.00')
    """
    gap = Decimal(number(after, scale)) - Decimal(number(before, scale))
    sign = "+" if gap > 0 else "−" if gap < 0 else ""
    return f"{sign}{abs(gap):.{_digits(scale)}f}"


def _digits(scale: float) -> int:
    return 2 if scale == 100 else 4


def overview_table(result: Conventions) -> Table:
    """Return all conventions, one per row."""
    title, scale = result.metric.display_name, result.metric.printed_scale
    start = _value(result[result.start])
    rows: list[Row] = []
    for convention in result:
        name, source = convention.name, convention.preset.source
        if convention.score is None:
            rows.append(Row((name, "–", "–", "–", source), "dim"))
            continue
        gap = "" if name == result.start else difference(start, convention.score.value, scale)
        rows.append(Row((name, number(convention.score.value, scale), convention.printed, gap, source)))
    columns = [Column("preset"), *(Column(head, "right") for head in (title, "as printed", "difference"))]
    absent = [f"{item.name} is not available: {item.unavailable}" for item in result if item.score is None]
    segments = f"{result.segments:,} segment{'' if result.segments == 1 else 's'}"
    return Table(f"{title} of {segments}", [*columns, Column("whose")], rows, "; ".join(absent))


def steps_table(result: Conventions, convention: Convention) -> Table:
    """Return the steps from the start to one convention."""
    scale = result.metric.printed_scale
    start = result[result.start]
    rows, idle = [], []
    for step, points in _points(result, convention):
        if step.difference:
            touched = f"{step.touched:,}" if step.touched else "–"
            rows.append([_titles(step), _switches(step), *points, touched, _words(step)])
        else:
            idle.append(_switches(step))
    numbers = [Column(head, "right") for head in ("points", result.metric.display_name, "segments")]
    first, last = (f"{item.name} ({number(_value(item), scale)})" for item in (start, convention))
    columns = [Column("reason"), Column("setting"), *numbers, Column("in words")]
    without = [f"without effect on these segments: {', '.join(idle)}"] if idle else []
    return Table(f"From {first} to {last}", columns, rows, "; ".join([*without, *_notes(start, convention)]))


def flat_table(result: Conventions) -> Table:
    """Return each convention, and after it the steps to it, one per row."""
    scale = result.metric.printed_scale
    rows: list[list[str]] = []
    for convention in result:
        if convention.score is None:
            rows.append([convention.name, *[""] * 7, f"not available: {convention.unavailable}"])
            continue
        value = convention.score.value
        total = [difference(_value(result[result.start]), value, scale), number(value, scale)]
        rows.append([convention.name, *[""] * 4, *total, "", convention.preset.source])
        for step, points in _points(result, convention):
            settings = [(name, *values) for change in step.changes for name, values in change.settings.items()]
            changed = [",".join(part) for part in zip(*settings, strict=True)]
            rows.append([convention.name, _titles(step), *changed, *points, str(step.touched), _words(step)])
    heads = ["preset", "reason", "setting", "from", "to", "points", result.metric.display_name, "segments", "in words"]
    return Table("", map(Column, heads), rows)


def _points(result: Conventions, convention: Convention) -> Iterator[tuple[Step, list[str]]]:
    """Yield each step with the points that it adds, and the score after it."""
    scale, before = result.metric.printed_scale, _value(result[result.start])
    for step in convention.steps:
        yield step, [difference(before, step.score.value, scale), number(step.score.value, scale)]
        before = step.score.value


def finding_table(finding: Finding) -> Table:
    """Return the settings that give a number, or come nearest."""
    title, scale = finding.metric.display_name, finding.metric.printed_scale
    rows = [
        [match.words, number(match.value, scale), _as_written(match), match.signature]
        for match in finding.matches or finding.nearest
    ]
    columns = [Column("convention"), Column(title, "right"), Column("as printed", "right"), Column("signature")]
    return Table(_heading(finding), columns, rows)


def finding_lines(finding: Finding) -> str:
    """Return the same as lines of text."""
    if not finding.matches:
        return "\n".join([f"{_heading(finding)}:", *(f"{_as_written(each)}: {each.words}" for each in finding.nearest)])
    title = finding.metric.display_name
    scales = (
        {1: ""}
        if finding.metric.printed_scale == 1
        else {scale: f" on the scale of 0 to {scale}" for scale in (100, 1)}
    )
    return "\n".join(
        f"{finding.number}{scales[match.scale]} is the {title} of {match.words}" for match in finding.matches
    )


def _heading(finding: Finding) -> str:
    title = finding.metric.display_name
    if finding.matches:
        return f"{finding.number} is the {title} of"
    return f"{finding.number} is no {title} of these segments under {finding.tried:,} settings; the nearest are"


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


def _notes(start: Convention, convention: Convention) -> list[str]:
    notes = []
    if start.preset.scale != convention.preset.scale:
        notes.append(f"scale: {start.name} prints {start.printed}, {convention.name} prints {convention.printed}")
    if convention.preset.note:
        notes.append(f"{convention.name}: {convention.preset.note}")
    return notes
