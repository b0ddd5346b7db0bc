"""Render tables of scores: of all segments, and of each group of segments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from refscore.readers.reader import counted
from refscore.report.chart_data import format_score
from refscore.report.significance_verdicts import MetricResult
from refscore.tables.html import escape_text

SIGNS = {"better": "▲", "worse": "▼", "unclear": "≈", "equal": "=", "mixed": "◆"}
# The groups that are visible at once. The others are behind "Show".
_SHOWN_GROUPS = 20

# A p-value in parentheses, or a short name with a character after which browsers may break lines.
_UNBREAKABLE = re.compile(r"(\(p [≤=<] [0-9.]+\)[;,.]?|(?<!\S)(?=\S*[-/?])\S{2,32}(?!\S))")


@dataclass(frozen=True)
class Group:
    """The results of all metrics on the segments with one label, such as a domain.

    Attributes:
        label: The label.
        segments: The number of segments.
        results: The results of each metric.
    """

    label: str
    segments: int
    results: tuple[MetricResult, ...]


def whole_words(text: str) -> str:
    """Return text as markup without line breaks inside hyphenated words and p-values."""
    parts = map(escape_text, _UNBREAKABLE.split(text))  # alternates between text and unbreakable parts
    return "".join(f'<span class="whole">{part}</span>' if k % 2 else part for k, part in enumerate(parts))


def scroll_table(caption: str, heads: str, body: str, attributes: str = 'class="scores"') -> str:
    """Return a table in a region that scrolls. `heads` are cells, and `body` is the markup below them."""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">\n'
        f'<table {attributes}><caption class="spoken">{caption}</caption>\n'
        f"<thead><tr>{heads}</tr></thead>\n{body}</table>\n</div>"
    )


def score_table(systems: Sequence[str], results: Sequence[MetricResult], alpha: float, caption: str) -> str:
    """Return a table with the score of each system by each metric."""
    return scroll_table(caption, _heads(results), f"<tbody>{_rows(systems, results, alpha)}</tbody>")


def render_groups(groups: Sequence[Group], name: str, systems: Sequence[str], alpha: float) -> str:
    """Return the part of the page with the scores of each group."""
    tables = [_group(group, number, systems, alpha) for number, group in enumerate(groups)]
    shown, rest = "\n".join(tables[:_SHOWN_GROUPS]), "\n".join(tables[_SHOWN_GROUPS:])
    more = f"Show {counted(len(groups) - _SHOWN_GROUPS, 'more group')}"
    return "\n".join(
        [
            '<section id="groups" aria-labelledby="groups-title">',
            f'<h2 id="groups-title">By {escape_text(name)}</h2>',
            '<p class="lead">Each group is scored and tested on its own segments. With fewer segments, intervals are '
            "wider and fewer differences are significant.</p>",
            f'<div class="groups">{shown}</div>',
            f'<details><summary>{more}</summary>\n<div class="groups">{rest}</div></details>' if rest else "",
            "</section>",
        ]
    )


def _group(group: Group, number: int, systems: Sequence[str], alpha: float) -> str:
    label = escape_text(group.label)
    size = f'<span class="role">{counted(group.segments, "segment")}</span>'
    table = score_table(systems, group.results, alpha, f"Scores of {label}")
    return f'<div><h3><span data-group="{number}">{label}</span>{size}</h3>\n{table}</div>'


def _heads(results: Sequence[MetricResult]) -> str:
    lower = ' <span aria-hidden="true">↓</span><span class="spoken"> (lower is better)</span>'
    return '<th scope="col">System</th>' + "".join(
        f'<th scope="col" class="number">{escape_text(result.title)}'
        f"{'' if result.metric.higher_is_better else lower}</th>"
        for result in results
    )


def _rows(systems: Sequence[str], results: Sequence[MetricResult], alpha: float) -> str:
    several = len(systems) > 1
    return "\n".join(
        f'<tr><th scope="row">{whole_words(name)}'
        f"{'<span class=role>baseline</span>' if several and system == 0 else ''}</th>"
        f"{''.join(_cell(result, system, alpha) for result in results)}</tr>"
        for system, name in enumerate(systems)
    )


def _cell(result: MetricResult, system: int, alpha: float) -> str:
    def shown(value: float | None, sign: str = "") -> str:
        return format_score(result.metric, value or 0.0, sign)

    value = result.scores[system].value
    best = len(result.scores) > 1 and value == result.scores[result.best].value
    delta = interval = ""
    if result.intervals:
        low, high = result.intervals[system].low, result.intervals[system].high
        interval = f'<span class="interval">[{shown(low)}, {shown(high)}]</span>'
    if system and not result.pairs:
        delta = f'<span class="delta">{shown(value - result.scores[0].value, "+")}</span>'
    elif system:
        verdict = result.verdict(0, system, alpha)
        delta = (
            f'<span class="delta {verdict}"><span aria-hidden="true">{SIGNS[verdict]}</span>'
            f'<span class="spoken">{verdict}: </span> {shown(result.outcome(0, system).difference, "+")}, '
            f"{result.p_text(0, system)}</span>"
        )
    return (
        f'<td class="number{" best" if best else ""}"><span class="value">{shown(value)}</span>{interval}{delta}</td>'
    )


def table_note(systems: int, confidence: float | None, alpha: float, *, holm: bool) -> str:
    """Return the sentences that explain a table of scores."""
    if confidence is None:
        return "Below each score: the difference from the baseline. ★ marks the best score." if systems > 1 else ""
    brackets = f"In brackets: the {100 * confidence:g} % confidence interval"
    if systems == 1:
        return f"{brackets}."
    note = (
        f"{brackets}. Below it: the difference from the baseline and its p-value. "
        f"▲ better or ▼ worse (p ≤ {alpha:g}), ≈ could be chance. ★ marks the best score."
    )
    if systems == 2:
        return note
    tests = f"{systems - 1} systems are tested against the baseline on each metric"
    if holm:
        return f"{note} {tests}; Holm’s method corrects the p-values."
    return (
        f"{note} {tests}, so one of them may look significant by chance. <code>--holm</code> (in Python, "
        "<code>holm=True</code>) corrects the p-values."
    )
