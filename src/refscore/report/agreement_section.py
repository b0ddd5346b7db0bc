"""Render the agreement with people as a part of the page, and as JSON values for its charts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from refscore.readers.reader import counted
from refscore.report.agreement import LEAST_IN_BIN, LEAST_SYSTEMS, Agreement, Disagreement
from refscore.report.chart_data import format_score
from refscore.tables.html import escape_text
from refscore.text_display import visible

if TYPE_CHECKING:
    from refscore.meta import MetricRanking
    from refscore.report.significance_verdicts import MetricResult

LINK = '<a href="#agreement">Agreement with people</a>'
# The disagreements that are visible at once. The others are behind "Show".
_SHOWN_PAIRS = 20
_GROUPINGS = {"none": "segments", "item": "segments, by item"}


def human_digits(agreement: Agreement) -> int:
    """Return the number of decimals of human scores: 2, or more if all human scores are close together."""
    scores = agreement.scatter.human
    spread = max(scores) - min(scores)
    return min(6, max(2, 2 - math.floor(math.log10(spread)))) if spread > 0 else 2


def render_agreement(agreement: Agreement, results: Sequence[MetricResult]) -> str:
    """Return the part of the page about agreement with people."""
    return "\n".join(
        [
            '<section id="agreement" aria-labelledby="agreement-title">',
            '<h2 id="agreement-title">Agreement with people</h2>',
            f'<p class="lead">{_facts(agreement)}</p>',
            _ranking_table(agreement),
            '<div id="agreement-copies"></div>',
            f'<p class="lead">{_ranking_note(agreement)}</p>',
            '<div class="charts" id="agreement-charts"></div>',
            *([] if agreement.bins else [f'<p class="lead">{_NO_BINS}</p>']),
            '<h3 id="disagreements">Pairs of systems that a metric and people order differently</h3>',
            _disagreements(agreement, results),
            "</section>",
        ]
    )


_NO_BINS = f"No quarter of the human scores has {LEAST_IN_BIN} ratings, so there is no agreement by human score."


def _facts(agreement: Agreement) -> str:
    outputs = len(agreement.systems) * agreement.segments
    rated = f"all {outputs:,}" if agreement.ratings == outputs else f"{agreement.ratings:,} of the {outputs:,}"
    sentences = [f"The page uses human scores of {rated} outputs."]
    if agreement.unscored:
        sentences.append(
            f"It leaves out {counted(agreement.unscored, 'human score')} of outputs that a metric does not score."
        )
    if not agreement.same_segments:
        sentences.append(
            "People rated different segments of different systems, so the mean human scores of two systems may differ "
            "because of their segments."
        )
    return " ".join(sentences)


def _ranking_table(agreement: Agreement) -> str:
    heads = "".join(
        f'<th scope="col" class="number">{escape_text(ranking.statistic.title)}'
        f'<span class="interval">{_grouping(ranking)}</span></th>'
        for ranking in agreement.rankings
    )
    rows = "".join(
        f'<tr><th scope="row">{escape_text(metric.name)}</th>'
        f"{''.join(_ranking_cell(ranking, metric.name) for ranking in agreement.rankings)}</tr>"
        for metric in agreement.rankings[0]
    )
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Metrics by agreement with people">\n'
        '<table class="scores" id="agreement-table">'
        '<caption class="spoken">Metrics by agreement with people, the best first</caption>\n'
        f'<thead><tr><th scope="col">Metric</th>{heads}</tr></thead>\n<tbody>{rows}</tbody></table>\n</div>'
    )


def _grouping(ranking: MetricRanking) -> str:
    return "systems" if ranking.level == "system" else _GROUPINGS[ranking.by]


def _ranking_cell(ranking: MetricRanking, name: str) -> str:
    metric = ranking[name]
    if math.isnan(metric.value):
        return '<td class="number"><span class="value">–</span></td>'
    cluster = "" if metric.cluster is None else f'<span class="interval">cluster {metric.cluster}</span>'
    best = " best" if metric.cluster == 1 else ""
    value = f"{metric.value:.4f}".replace("-", "−")
    return f'<td class="number{best}"><span class="value">{value}</span>{cluster}</td>'


def _ranking_note(agreement: Agreement) -> str:
    names = {ranking.statistic.name for ranking in agreement.rankings}
    sentences = []
    if "acc-eq" in names:
        sentences.append(
            "acc*_eq: the share of pairs of systems that people and the metric order or tie alike, averaged over "
            "segments. The threshold for ties of the metric is the one with the highest share."
        )
    sentences.append("Pearson’s r: the linear correlation of all scores.")
    if "pairwise-accuracy" in names:
        sentences.append("Pairwise accuracy: the share of pairs of systems that people and the metric order alike.")
    else:
        sentences.append(f"Agreement on systems needs {LEAST_SYSTEMS} systems with human scores.")
    tested = agreement.rankings[0]
    if tested.trials:
        sentences.append(
            "★ marks cluster 1. A cluster ends before the first metric that agrees significantly worse than one of its "
            f"metrics (p ≤ {tested.alpha:g}, {tested.trials:,} random swaps of scores)."
        )
    return " ".join(sentences)


def _disagreements(agreement: Agreement, results: Sequence[MetricResult]) -> str:
    pairs = agreement.disagreements
    if not pairs:
        return f'<p class="lead">{_why_none(agreement)}</p>'
    digits = human_digits(agreement)
    table = _pairs_table(agreement, results, pairs[:_SHOWN_PAIRS], digits, "Disagreements, the largest first")
    rest = pairs[_SHOWN_PAIRS:]
    if rest:
        more = _pairs_table(agreement, results, rest, digits, "More disagreements")
        table += f"\n<details><summary>Show {len(rest):,} smaller disagreements</summary>\n{more}\n</details>"
    note = (
        "Human scores are means over rated segments. Metrics have their scores of the whole test set. The differences "
        "are those of the first system minus the second one. The size is the sum of both differences, each divided by "
        "the standard deviation of its segment scores. Differences are not tested."
    )
    return f'{table}\n<div id="disagreement-copies"></div>\n<p class="lead">{note}</p>'


def _why_none(agreement: Agreement) -> str:
    rated = sum(mean is not None for mean in agreement.scatter.human_means)
    if rated < 2:
        return "There are not two systems with human scores, so there are no pairs."
    return "There are none: no metric prefers a system to one that people prefer."


def _pairs_table(
    agreement: Agreement, results: Sequence[MetricResult], pairs: Sequence[Disagreement], digits: int, caption: str
) -> str:
    heads = "".join(
        f'<th scope="col"{kind}>{title}</th>'
        for title, kind in (
            ("People prefer", ""),
            ("The metric prefers", ""),
            ("Metric", ""),
            ("Human difference", ' class="number"'),
            ("Metric difference", ' class="number"'),
            ("Size", ' class="number"'),
        )
    )
    rows = "".join(
        f"<tr><td>{escape_text(agreement.systems[pair.better])}</td><td>{escape_text(agreement.systems[pair.worse])}</td>"
        f"<td>{escape_text(agreement.metrics[pair.metric])}</td>"
        f'<td class="number">+{pair.human:.{digits}f}</td>'
        f'<td class="number">{format_score(results[pair.metric].metric, pair.difference, "+")}</td>'
        f'<td class="number">{pair.size:.2f}</td></tr>'
        for pair in pairs
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">\n'
        f'<table class="disagreements"><caption class="spoken">{caption}</caption>\n'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>{rows}</tbody></table>\n</div>"
    )


def agreement_settings(agreement: Agreement) -> list[tuple[str, str]]:
    """Return the name and signature of each ranking."""
    return [
        (f"Agreement: {ranking.statistic.title}, {_grouping(ranking)}", ranking.signature)
        for ranking in agreement.rankings
    ]


def agreement_data(agreement: Agreement, results: Sequence[MetricResult]) -> dict[str, Any]:
    """Return the agreement as JSON values. Systems and metrics are indexes; scores are those that are printed."""
    places = {name: index for index, name in enumerate(agreement.metrics)}
    return {
        "ratings": agreement.ratings,
        "unscored": agreement.unscored,
        "digits": human_digits(agreement),
        "rankings": [
            {
                "statistic": ranking.statistic.name,
                "level": ranking.level,
                "title": ranking.statistic.title,
                "grouping": _grouping(ranking),
                "signature": visible(ranking.signature),
                "metrics": [
                    {
                        "metric": places[metric.name],
                        "value": None if math.isnan(metric.value) else metric.value,
                        "cluster": metric.cluster,
                        "threshold": metric.threshold,
                    }
                    for metric in ranking
                ],
            }
            for ranking in agreement.rankings
        ],
        "scatter": asdict(agreement.scatter),
        "bins": [asdict(each) for each in agreement.bins],
        "disagreements": [
            {**asdict(pair), "difference": results[pair.metric].metric.printed_scale * pair.difference}
            for pair in agreement.disagreements
        ],
    }
