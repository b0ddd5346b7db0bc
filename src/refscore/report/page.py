"""A report as one HTML page that needs nothing else: style, scripts and data are inside, and nothing may be loaded."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from refscore._version import __version__
from refscore.report.library import chart_library
from refscore.report.model import Report
from refscore.report.verdicts import MetricResult, p_words, verdict
from refscore.text_display import visible

# The page's own script, in the order in which its parts build on each other.
SCRIPTS = (
    "elements.js",
    "segments.js",
    "marks.js",
    "charts.js",
    "plots.js",
    "steps.js",
    "search.js",
    "browser.js",
    "main.js",
)

_SIGNS = {"better": "▲", "worse": "▼", "unclear": "≈", "equal": "=", "mixed": "◆"}


def render_page(report: Report, *, live: str | None = None) -> str:
    """The report as an HTML page.

    Args:
        report: What to show.
        live: For a page that `refscore serve` serves, its version: it reloads when its server has another.

    Returns:
        The page, which can be written as UTF-8 whatever the segments are.

    Example:
        >>> from refscore.report import build_report, render_page
        >>> report = build_report({"one": ["a cat", "a dog"]}, ["the cat", "a dog"], title="Cats & dogs")
        >>> "<h1>Cats &amp; dogs</h1>" in render_page(report)
        True
    """
    style = asset("style.css")
    parts = SCRIPTS if live is None else (*SCRIPTS, "reload.js")
    script = _harmless("'use strict';\n{\n" + "\n".join(map(asset, parts)) + "}\n")
    library = _harmless(chart_library())
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {content_hash(library)} {content_hash(script)}",
            f"style-src {content_hash(style)}",
            "worker-src blob:",
            *([] if live is None else ["connect-src 'self'"]),
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    return Template(asset("template.html")).substitute(
        policy=policy,
        version=__version__,
        title=_text(report.title),
        style=style,
        facts=_facts(report),
        notes="\n".join(f"<p>{_text(note)}</p>" for note in report.notes),
        sentences=_sentences(report),
        table=_table(report),
        sample=_sample(report),
        settings=_settings(
            report, "This file is complete: it loads nothing, and nothing leaves it." if live is None else ""
        ),
        summary=embedded(summary(report) if live is None else {**summary(report), "live": live}),
        packed=packed(segment_data(report)),
        library=library,
        script=script,
    )


def embedded(data: Any) -> str:
    r"""Data as JSON that cannot end the script element that it stands in.

    Example:
        >>> embedded({"a": "</script>&\u2028\ud800"})
        '{"a":"\\u003c/script\\u003e\\u0026\\u2028\\ud800"}'
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def packed(data: Any) -> str:
    """Data as JSON, compressed, as base64: lone surrogates survive as escapes of JSON."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode("utf-8", "backslashreplace"), 6, mtime=0)).decode("ascii")


@cache
def asset(name: str) -> str:
    """A file of the page: its template, its style, a part of its script."""
    return files("refscore.report").joinpath("assets").joinpath(name).read_text(encoding="utf-8")


def _harmless(script: str) -> str:
    """A script in which nothing looks like the end of its element to a browser."""
    return script.replace("\r\n", "\n").replace("</script", "<\\/script").replace("<!--", "<\\!--")


def content_hash(content: str) -> str:
    """A script or a style as a Content-Security-Policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode('utf-8')).digest()).decode('ascii')}'"


def _text(text: str) -> str:
    return escape(visible(text), quote=True)


def _facts(report: Report) -> str:
    fewest, most = report.reference_counts
    references = (
        f"{fewest} to {most} references" if fewest != most else "1 reference" if most == 1 else f"{most} references"
    )
    systems = "1 system" if len(report.systems) == 1 else f"{len(report.systems)} systems"
    baseline = "" if len(report.systems) == 1 else f" · baseline {_text(report.systems[0])}"
    return f"{report.segments:,} segments · {references} each · {systems}{baseline}"


def _sentences(report: Report) -> str:
    if not report.sentences:
        return '<p class="lead">There is one system alone, and so nothing to compare it with.</p>'
    items = []
    for index, sentence in enumerate(report.sentences, 1):
        words = {verdict(result.metric, result.outcome(0, index), report.alpha) for result in report.results}
        kind = (words - {"unclear", "equal"} or words).copy()
        word = kind.pop() if len(kind) == 1 else "mixed"
        items.append(
            f'<li class="{word}"><span class="sign" aria-hidden="true">{_SIGNS[word]}</span>{_text(sentence)}</li>'
        )
    return f'<ul class="sentences">{"".join(items)}</ul>'


def shown_score(result: MetricResult, value: float, sign: str = "") -> str:
    """A score, or a difference of scores, as it is printed."""
    scale = result.metric.printed_scale
    return f"{scale * value:{sign}.{2 if scale == 100 else 4}f}".replace("-", "−")


def _table(report: Report) -> str:
    confidence = report.results[0].intervals[0].confidence
    heads = "".join(
        f'<th scope="col" class="number">{_text(result.title)}{_direction(result)}</th>' for result in report.results
    )
    rows = []
    for system, name in enumerate(report.systems):
        role = '<span class="role">baseline</span>' if system == 0 and len(report.systems) > 1 else ""
        cells = "".join(_cell(report, result, system) for result in report.results)
        rows.append(f'<tr><th scope="row">{_text(name)}{role}</th>{cells}</tr>')
    several = len(report.systems) > 1
    note = f"In brackets the {100 * confidence:g} % interval" + (
        f"; below it the difference to the baseline and its p-value. ▲ better and ▼ worse where p ≤ {report.alpha:g}, "
        "≈ where the difference could be chance. ★ the best score."
        if several
        else "."
    )
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="Scores">'
        '<table class="scores"><caption class="spoken">Scores of all systems by all metrics</caption>'
        f'<thead><tr><th scope="col">System</th>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
        f'<p class="lead">{note}</p>'
        '<details class="signatures"><summary>Signatures: all settings behind these numbers</summary><dl>'
        + "".join(
            f"<dt>{_text(result.title)}</dt><dd><code>{_text(result.signature)}</code></dd>"
            for result in report.results
        )
        + f"<dt>Intervals and tests</dt><dd><code>{_text(report.results[0].test)}</code></dd></dl></details>"
    )


def _direction(result: MetricResult) -> str:
    if result.metric.higher_is_better:
        return ""
    return ' <span aria-hidden="true">↓</span><span class="spoken"> (less is better)</span>'


def _cell(report: Report, result: MetricResult, system: int) -> str:
    interval = result.intervals[system]
    best = len(report.systems) > 1 and result.scores[system].value == result.scores[result.best].value
    value = f'<span class="value">{shown_score(result, result.scores[system].value)}</span>'
    bounds = (
        f'<span class="interval">[{shown_score(result, interval.low)}, {shown_score(result, interval.high)}]</span>'
    )
    delta = ""
    if system:
        outcome = result.outcome(0, system)
        word = verdict(result.metric, outcome, report.alpha)
        p = outcome.p if outcome.p_holm is None else outcome.p_holm
        assert outcome.difference is not None and p is not None
        difference = shown_score(result, outcome.difference, "+")
        delta = (
            f'<span class="delta {word}"><span aria-hidden="true">{_SIGNS[word]}</span>'
            f'<span class="spoken">{word}: </span> {difference}, {p_words(p)}</span>'
        )
    kind = ' class="number best"' if best else ' class="number"'
    return f"<td{kind}>{value}{bounds}{delta}</td>"


def _sample(report: Report) -> str:
    shown = len(report.shown.numbers)
    if shown == report.segments:
        return ""
    return (
        f'<p class="note">Here are {shown:,} of the {report.segments:,} segments, drawn at random. Scores, tests and '
        "the charts of scores are of all segments; words and n-grams are counted in these.</p>"
    )


def _settings(report: Report, last: str) -> str:
    items = [("Words that are marked and counted", report.word_signature)]
    items += [
        (f"{result.title} of single segments", profile.segment_signature)
        for result, profile in zip(report.results, report.profiles, strict=True)
    ]
    items += [("Intervals and tests", report.results[0].test)]
    return f'<dl class="signatures">{_items(items)}</dl><p class="lead">Written by refscore {__version__}. {last}</p>'


def _items(items: Sequence[tuple[str, str]]) -> str:
    return "".join(f"<dt>{_text(name)}</dt><dd><code>{_text(value)}</code></dd>" for name, value in items)


def summary(report: Report) -> dict[str, Any]:
    """The numbers behind tables and charts, ready for JSON."""
    metrics = []
    for result, profile in zip(report.results, report.profiles, strict=True):
        scale = result.metric.printed_scale
        systems = range(len(report.systems))
        outcomes = [[None if a == b or not result.pairs else result.outcome(a, b) for b in systems] for a in systems]
        metrics.append(
            {
                "title": visible(result.title),
                "higher": result.metric.higher_is_better,
                "digits": 2 if scale == 100 else 4,
                "scores": [scale * score.value for score in result.scores],
                "low": [scale * interval.low for interval in result.intervals],
                "high": [scale * interval.high for interval in result.intervals],
                "p": [[outcome and outcome.p for outcome in line] for line in outcomes],
                "difference": [
                    [outcome and outcome.difference is not None and scale * outcome.difference for outcome in line]
                    for line in outcomes
                ],
                "histogram": {"edges": profile.histogram.edges, "counts": profile.histogram.counts},
                "lengths": {
                    "buckets": profile.by_length.lengths,
                    "segments": profile.by_length.segments,
                    "scores": profile.by_length.scores,
                },
                "sums": {"places": profile.sums.places, "values": profile.sums.values},
            }
        )
    order = report.word_order
    return {
        "systems": [visible(name) for name in report.systems],
        "metrics": metrics,
        "alpha": report.alpha,
        "confidence": report.results[0].intervals[0].confidence,
        "segments": report.segments,
        "shown": len(report.shown.numbers),
        "references": report.shown.references,
        "source": report.has_source,
        "lowercase": report.lowercase,
        "precisions": report.lengths.precisions,
        "ratios": report.lengths.ratios,
        "order": order and {"correlation": order.correlation, "precision": order.precision, "cells": order.cells},
        "frequencies": {
            "buckets": report.frequencies.buckets,
            "words": report.frequencies.words,
            "f1": report.frequencies.f1,
        },
        "contrasts": {
            f"{a}:{b}": [
                [[gram.words, gram.first, gram.second] for gram in side] for side in (contrast.first, contrast.second)
            ]
            for (a, b), contrast in report.contrasts.items()
        },
    }


def segment_data(report: Report) -> dict[str, Any]:
    """The segments, ready for JSON."""
    shown = report.shown
    return {
        "numbers": None if len(shown.numbers) == report.segments else shown.numbers,
        "texts": shown.texts,
        "cuts": shown.cuts,
        "lengths": shown.lengths,
        "scores": list(shown.scores.values()),
        "edits": shown.edits,
        "explained": shown.explained,
        "cells": report.word_order and [own[i] for i in shown.numbers for own in report.word_order.places],
    }
