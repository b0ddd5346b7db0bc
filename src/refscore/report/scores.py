"""Scores, intervals and tests of all systems: results, verdicts as sentences, and tables of scores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from refscore.evaluation import Evaluation
from refscore.metrics import RowMetric, Rows, Score, sum_rows
from refscore.report.chart_data import format_score
from refscore.significance import Comparison, Interval, Outcome, Tests, all_pairs, bootstrap
from refscore.significance.results import Verdict, with_holm
from refscore.tables.html import escape_text
from refscore.text_display import counted, joined

SIGNS = {"better": "▲", "worse": "▼", "unclear": "≈", "equal": "=", "mixed": "◆"}
# The groups that are visible at once. The others are behind "Show".
_SHOWN_GROUPS = 20

# A p-value in parentheses, or a short name with a character after which browsers may break lines.
_UNBREAKABLE = re.compile(r"(\(p [≤=<] [0-9.]+\)[;,.]?|(?<!\S)(?=\S*[-/?])\S{2,32}(?!\S))")


@dataclass(frozen=True)
class MetricResult:
    """The results of one metric for all systems."""

    title: str  # the metric's name on the page
    metric: RowMetric[Any]
    signature: str  # includes the number of references
    scores: tuple[Score, ...]
    intervals: tuple[Interval, ...]  # empty for a single segment
    pairs: tuple[Comparison, ...]  # one per system as the baseline; empty for a single system or segment
    test: str  # the settings of the test, or of the intervals for a single system; may be empty

    def __repr__(self) -> str:
        return f"<{self.title} of {counted(len(self.scores), 'system')}>"

    @property
    def best(self) -> int:
        """The index of the system with the best score, or of the first if several are equal."""
        sign = 1 if self.metric.higher_is_better else -1
        return max(range(len(self.scores)), key=lambda k: sign * self.scores[k].value)

    def outcome(self, baseline: int, system: int) -> Outcome:
        """Return the outcome of comparing a system with a baseline."""
        others = [k for k in range(len(self.scores)) if k != baseline]
        return self.pairs[baseline].systems[1 + others.index(system)]

    def verdict(self, baseline: int, system: int, alpha: float) -> Verdict:
        """Return the verdict on a system compared with a baseline."""
        return self.pairs[baseline].verdict(self.outcome(baseline, system).name, alpha)

    def p_text(self, baseline: int, system: int) -> str:
        """Return the p-value of a pair of systems as text, corrected if the test does so."""
        outcome = self.outcome(baseline, system)
        p = self.pairs[baseline].format_p(outcome.name, 3 if (outcome.p_value or 0) < 0.1 else 2)
        return f"p {p}" if p[0] in "≤<" else f"p = {p}"


def rows_by_title(evaluation: Evaluation) -> dict[str, dict[str, Rows]]:
    """Return the rows of each system, by the title of the metric."""
    return {
        title: {name: evaluation.rows_of_run(label, run) for run, name in enumerate(evaluation.runs)}
        for label, title in evaluation.titles.items()
    }


def compare_systems(
    evaluation: Evaluation, tests: Tests, *, can_resample: bool, **drawing: Any
) -> tuple[MetricResult, ...]:
    """Return the results of each metric. A single unit cannot be resampled.

    With Holm's method, only p-values of comparisons with the baseline are corrected for the number of systems.
    """
    metrics = {evaluation.titles[label]: metric for label, metric in evaluation.metrics.items()}
    rows, references = rows_by_title(evaluation), evaluation.reference_counts or (0, 0)
    drawing["units"] = evaluation.units
    resampling = replace(tests, holm=False)
    several = can_resample and len(next(iter(rows.values()))) > 1
    pairs = all_pairs(metrics, rows, resampling, **drawing) if several else {}
    results = []
    for title, metric in metrics.items():
        scores = tuple(metric.score(sum_rows(table), references=references) for table in rows[title].values())
        if several:
            first, *others = pairs[title]
            if tests.holm:
                first = replace(first, systems=tuple(with_holm(list(first.systems))), holm=True)
                others = [_with_p_holm(each, first) for each in others]
            intervals = tuple(outcome.interval for outcome in first.systems if outcome.interval is not None)
            comparisons, test = (first, *others), first.signature
        elif can_resample:
            intervals = tuple(bootstrap(metric, table, resampling, **drawing) for table in rows[title].values())
            comparisons, test = (), intervals[0].signature
        else:
            intervals, comparisons, test = (), (), ""
        results.append(MetricResult(title, metric, scores[0].signature, scores, intervals, comparisons, test))
    return tuple(results)


def _with_p_holm(comparison: Comparison, corrected: Comparison) -> Comparison:
    """Return a comparison with the corrected p-value for its second system, which is the baseline of the report."""
    baseline, first, *others = comparison.systems
    return replace(comparison, systems=(baseline, replace(first, p_holm=corrected[baseline.name].p_holm), *others))


def describe_verdicts(results: Sequence[MetricResult], system: int, names: Sequence[str], alpha: float) -> str:
    """Return a sentence with the verdicts of all metrics on a system compared with the baseline.

    For example: "B is better than A on chrF (p = 0.003); the difference on BLEU (p = 0.2) could be chance."
    """
    groups: dict[str, list[str]] = {"better": [], "worse": [], "unclear": [], "equal": []}
    for result in results:
        verdict = result.verdict(0, system, alpha)
        p = "" if verdict == "equal" else f" ({result.p_text(0, system)})"
        groups[verdict].append(result.title + p)
    titles = {verdict: joined(group) for verdict, group in groups.items() if group}
    a, b = names[0], names[system]
    parts = [f"{b} is {verdict} than {a} on {titles[verdict]}" for verdict in ("better", "worse") if verdict in titles]
    if len(parts) == 2:
        parts = [f"{parts[0]}, but worse on {titles['worse']}"]
    if "unclear" in titles:
        short = f"the difference on {titles['unclear']} could be chance"
        parts.append(short if parts else f"The difference between {b} and {a} could be chance on {titles['unclear']}")
    if "equal" in titles:
        subject = "they" if parts else f"{b} and {a}"
        parts.append(f"{subject} are equal on {titles['equal']}")
    return "; ".join(parts) + "."


def verdict_list(results: Sequence[MetricResult], sentences: Sequence[str], alpha: float) -> str:
    """Return the sentences of `describe_verdicts` about all systems except the baseline as markup, with signs."""
    items = []
    for system, sentence in enumerate(sentences, 1):
        verdicts = {result.verdict(0, system, alpha) for result in results}
        clear = verdicts - {"unclear", "equal"} or verdicts
        kind = clear.pop() if len(clear) == 1 else "mixed"
        sign = f'<span class="sign" aria-hidden="true">{SIGNS[kind]}</span>'
        items.append(f'<li class="{kind}">{sign}{whole_words(sentence)}</li>')
    return f'<ul class="sentences">{"".join(items)}</ul>'


@dataclass(frozen=True)
class Group:
    """The results of all metrics on the segments with one label, such as a domain."""

    label: str
    segments: int  # the number of segments
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
            '<p class="lead">Each group is scored and tested on its own segments. p-values are not '
            "corrected for the number of groups.</p>",
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
            f'<span class="whole">{result.p_text(0, system)}</span></span>'
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
        "<code>Reporting(holm=True)</code>) corrects the p-values."
    )


def test_setting(results: Sequence[MetricResult]) -> list[tuple[str, str]]:
    """Return the settings of intervals and tests as an item of `definitions`, or an empty list without intervals."""
    return [("Intervals and tests", results[0].test)] if results[0].test else []


def confidence(results: Sequence[MetricResult]) -> float | None:
    """Return the confidence of the intervals, or None without intervals."""
    return results[0].intervals[0].confidence if results[0].intervals else None


def definitions(items: Iterable[tuple[str, str]]) -> str:
    """Return names and their values, such as signatures, as the inside of a list of definitions."""
    return "".join(f"<dt>{escape_text(name)}</dt><dd><code>{escape_text(value)}</code></dd>" for name, value in items)
