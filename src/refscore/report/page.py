"""Render a report as one self-contained HTML page. Its policy forbids loading anything."""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from refscore._version import __version__
from refscore.alignments.html import style as alignment_style
from refscore.data_warnings import DataWarning
from refscore.errors import InputError, Location, NotInstalledError, RefscoreError, check_instance
from refscore.evaluation import Evaluation
from refscore.metrics import from_signature
from refscore.readers.reader import counted
from refscore.report.agreement import agreement_data, agreement_settings, render_agreement
from refscore.report.errors import audio_policy, render_errors, safe_link
from refscore.report.model import Report, build_report, describe_evaluation
from refscore.report.scores import (
    confidence,
    definitions,
    render_groups,
    score_table,
    table_note,
    test_setting,
    verdict_list,
    whole_words,
)
from refscore.significance.results import printed_digits
from refscore.tables.html import escape_text
from refscore.tables.model import encode_json
from refscore.text_display import visible
from refscore.writing import written_text

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

    from refscore.inputs import Hypotheses, Labels, References, Sources
    from refscore.metrics import MetricChoices
    from refscore.report.model import ReportOptions

    class WriteOptions(ReportOptions, total=False):
        """The options of `build_report`."""

        sources: Sources
        metrics: MetricChoices
        rows: Mapping[str, Mapping[str, ArrayLike]] | None
        units: Labels | None


# The parts of the page's script. Each uses only the ones before it.
SCRIPTS = (
    "elements.js",
    "copy.js",
    "segments.js",
    "marks.js",
    "labels.js",
    "charts.js",
    "agreement.js",
    "plots.js",
    "steps.js",
    "search.js",
    "browser.js",
    "main.js",
)


@cache
def vega_script() -> str:
    """Return Vega, Vega-Lite and vega-embed as one script, which sets `vegaEmbed`. It is built once per process."""
    require_vega()
    import vl_convert

    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return script


def require_vega() -> None:
    """Raise an error if vl-convert-python, which contains the charting library Vega-Lite, is not installed."""
    if find_spec("vl_convert") is None:
        raise NotInstalledError("reports need vl-convert-python: pip install 'refscore[report]'")


def render_page(report: Report, *, live: str | None = None) -> str:
    """Return the report as an HTML page.

    Args:
        report: The report.
        live: The version of a page of `refscore serve`. The page reloads when the server has a newer one.

    Returns:
        The page. It can always be encoded as UTF-8, even if segments have lone surrogates.

    Example:
        >>> from refscore.report import build_report, render_page
        >>> references = ["the cat sat here", "it slept"]
        >>> report = build_report({"one": ["a cat sat here", "it slept well"]}, references, title="Cats & dogs")
        >>> "<h1>Cats &amp; dogs</h1>" in render_page(report)
        True
    """
    check_instance("report", report, Report, "pass what build_report returns")
    style = asset("style.css") + alignment_style()
    parts = SCRIPTS if live is None else (*SCRIPTS, "reload.js")
    script = _harmless("'use strict';\n{\n" + "\n".join(map(asset, parts)) + "}\n")
    library = _harmless(vega_script())
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {content_hash(library)} {content_hash(script)}",
            f"style-src {content_hash(style)}",
            "worker-src blob:",
            *([] if live is None else ["connect-src 'self'"]),
            *audio_policy(report.shown.audio or ()),
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    results = report.results
    return fill(
        "template.html",
        policy=policy,
        version=__version__,
        title=escape_text(report.title),
        style=style,
        facts=_facts(report),
        notes="\n".join(f"<p>{escape_text(note)}</p>" for note in report.notes),
        warnings=warning_list(report.warnings),
        sentences=_sentences(report),
        scores=score_table(report.systems, results, report.alpha, "Scores of all systems"),
        table_note=table_note(
            len(report.systems), confidence(report.results), report.alpha, holm=_is_corrected(report)
        ),
        signatures=definitions(
            [*((result.title, result.signature) for result in results), *test_setting(report.results)]
        ),
        **_parts(report),
        sample=_sample(report),
        settings=_settings(report),
        complete="" if live else f" This file is self-contained: it {_loads(report)} and sends nothing.",
        summary=embedded(summary(report) if live is None else {**summary(report), "live": live}),
        packed=packed(segment_data(report)),
        library=library,
        script=script,
    )


def write_report(
    path: str | os.PathLike[str],
    systems: Mapping[str, Hypotheses],
    references: References,
    **options: Unpack[WriteOptions],
) -> None:
    """Write one self-contained HTML file that shows how systems differ.

    This needs the extra `refscore[report]` (`pip install 'refscore[report]'`).

    Args:
        path: The file. An existing file is replaced.
        systems: The texts of each system, by name. The first system is the baseline.
        references: One entry per hypothesis: a text or a list of texts, or a list of token sequences. Reports accept
            only texts.
        **options: The options of `refscore.report.build_report`: sources, metrics, human, title and others.

    Example:
        >>> import refscore, tempfile
        >>> from pathlib import Path
        >>> references = ["the cat sat on the mat", "it rained all day", "nobody came"]
        >>> systems = {"old": ["a cat on a mat", "it rains", "no one came"], "new": references}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "report.html")
        ...     refscore.report.write_report(path, systems, references, metrics=["bleu", "chrf++"], title="Old and new")
        ...     "<h1>Old and new</h1>" in path.read_text(encoding="utf-8")
        True
    """
    _check_page(path)
    _write_page(path, build_report(systems, references, **options))


def report_evaluation(
    evaluation: Evaluation, path: str | os.PathLike[str] | None = None, **options: Unpack[ReportOptions]
) -> Report:
    """Return the report on the systems of an evaluation, and write it as an HTML page if there is a path.

    Args:
        evaluation: The evaluation, whose rows and texts must be in memory.
        path: The file. An existing file is replaced.
        reporting: The settings, such as `Reporting(resamples=100, holm=True)`.
        segment_metrics: The metrics for single segments, by label. By default, the `for_segments` of each metric:
            sacrebleu's sentence_bleu for BLEU with default settings.
        by: The name of a grouping, such as "domain". The page then has the scores and tests of each group of segments.
        human: Human scores to compare the metrics with: one score per segment by system, a table of systems × segments,
            or `refscore.meta.Judgments`, of which only the human scores are used. None and NaN are missing scores.
            Higher scores are better.
        speakers: The speaker of each segment. The page then has error rates by speaker.
        audio: The audio of each segment, a path or an address, which segments with errors link to. None is missing.
        title: The heading of the page, by default the names of the systems.
        notes: Text below the heading. Blank lines separate paragraphs.
        threads: The number of threads, by default all cores.
        progress: A function called with the name of the current step, the amount of work done and the total.
        **options: The options above.

    Example:
        >>> import refscore
        >>> from refscore.report import report_evaluation
        >>> systems = {"old": ["a cat", "it rains"], "new": ["the cat", "it rained"]}
        >>> report_evaluation(refscore.evaluate(systems, ["the cat", "it rained"], ["chrf"]), title="Both").title
        'Both'
    """
    if path is None:
        return describe_evaluation(evaluation, **options)
    _check_page(path)
    report = describe_evaluation(evaluation, **options)
    _write_page(path, report)
    return report


def _check_page(path: str | os.PathLike[str]) -> None:
    """Raise an error if a page cannot be drawn or written, before any work."""
    require_vega()
    target = Path(path)
    if target.is_dir() or not target.parent.is_dir():
        fix = "it is a directory" if target.is_dir() else f"create the folder {target.parent} first"
        raise InputError(Location(file=str(target)), "cannot be written", fix)


def _write_page(path: str | os.PathLike[str], report: Report) -> None:
    with written_text(Path(path)) as file:
        file.write(render_page(report))


def fill(template: str, **values: str) -> str:
    """Return a template with its placeholders replaced by values."""
    return Template(asset(template)).substitute(values)


def embedded(data: Any) -> str:
    r"""Return data as JSON that cannot end the script element around it."""
    text = encode_json(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def packed(data: Any) -> str:
    """Return data as compressed JSON in base64. Lone surrogates are escaped."""
    text = encode_json(data, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode("utf-8", "backslashreplace"), 6, mtime=0)).decode("ascii")


@cache
def asset(name: str) -> str:
    """Return the text of an asset: a template, the style or a part of the script."""
    return files("refscore.report").joinpath("assets").joinpath(name).read_text(encoding="utf-8")


def _harmless(script: str) -> str:
    """Escape everything in a script that a browser would read as the end of its element."""
    return script.replace("\r\n", "\n").replace("</script", "<\\/script").replace("<!--", "<\\!--")


def content_hash(content: str) -> str:
    """Return the hash that allows a script or style in a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode('utf-8')).digest()).decode('ascii')}'"


def _facts(report: Report) -> str:
    fewest, most = report.reference_counts
    references = f"{f'{fewest} to {most} references' if fewest != most else counted(most, 'reference')} each"
    if most == 0:
        references = f"no references: the outputs of {escape_text(report.systems[0])} are in their place"
    baseline = "" if len(report.systems) == 1 else f" · baseline {escape_text(report.systems[0])}"
    systems = counted(len(report.systems), "system")
    return f"{counted(report.segments, 'segment')} · {references} · {systems}{baseline}"


def warning_list(warnings: Sequence[DataWarning]) -> str:
    """Return warnings about the data as a list, or nothing if there are none."""
    sentences = (f"{text[0].upper()}{text[1:]}{'' if text.endswith('?') else '.'}" for text in map(str, warnings))
    items = "".join(f"<li>{whole_words(sentence)}</li>" for sentence in sentences)
    return items and f'<aside class="warnings" aria-label="Warnings about the data"><ul>{items}</ul></aside>'


def _sentences(report: Report) -> str:
    if not report.sentences:
        problem = "no comparison" if report.segments > 1 else "no test and no interval"
        only = "system" if report.segments > 1 else "segment"
        return f'<p class="lead">There is only one {only}, so there is {problem}.</p>'
    return verdict_list(report.results, report.sentences, report.alpha)


def _parts(report: Report) -> dict[str, str]:
    """Return the parts that only some reports have, and the links to them."""
    first: list[tuple[str, str, str]] = []
    last: list[tuple[str, str, str]] = []
    if report.groups:
        groups = render_groups(report.groups, report.by, report.systems, report.alpha)
        first.append(("groups", f"By {report.by}", groups))
    if report.errors:
        # Readers of an error rate look for its errors first.
        is_error_rate = report.errors[0].title == report.results[0].title
        errors = ("errors", "Errors", render_errors(report.errors, report.systems))
        first, last = ([errors, *first], last) if is_error_rate else (first, [errors])
    if report.agreement is not None:
        last.append(("agreement", "Agreement with people", render_agreement(report.agreement, report.results)))
    return {
        "first_links": "\n".join(f'<a href="#{name}">{escape_text(title)}</a>' for name, title, _ in first),
        "first_parts": "\n".join(part for _, _, part in first),
        "last_links": "\n".join(f'<a href="#{name}">{escape_text(title)}</a>' for name, title, _ in last),
        "last_parts": "\n".join(part for _, _, part in last),
    }


def _loads(report: Report) -> str:
    return "loads only the audio that you play" if audio_policy(report.shown.audio or ()) else "loads nothing"


def _readable(signature: str) -> str | None:
    """Return a signature if `refscore explain` can read it, else None."""
    try:
        from_signature(signature)
    except RefscoreError:
        return None
    return signature


def _sample(report: Report) -> str:
    shown = len(report.shown.numbers)
    if shown == report.segments:
        return ""
    return (
        f'<p class="note">This page shows a random sample of {shown:,} of the {report.segments:,} segments. Scores, '
        "tests and charts of scores use all segments; counts of words and n-grams use the sample.</p>"
    )


def _settings(report: Report) -> str:
    singles = [
        (f"{result.title} for single segments", profile.segment_signature)
        for result, profile in zip(report.results, report.profiles, strict=True)
    ]
    words = ("Tokenizer of marked and counted words", report.word_signature)
    people = [] if report.agreement is None else agreement_settings(report.agreement)
    return definitions([words, *singles, *test_setting(report.results), *people])


def _is_corrected(report: Report) -> bool:
    return any(result.pairs[0].holm for result in report.results[:1] if result.pairs)


def summary(report: Report) -> dict[str, Any]:
    """Return the numbers behind tables and charts as JSON values."""
    metrics = []
    for result, profile in zip(report.results, report.profiles, strict=True):
        scale = result.metric.printed_scale
        systems = range(len(report.systems))
        outcomes = [[None if a == b or not result.pairs else result.outcome(a, b) for b in systems] for a in systems]
        pairs = list(enumerate(outcomes))
        metrics.append(
            {
                "title": visible(result.title),
                "signature": _readable(profile.segment_signature),
                "higher": result.metric.higher_is_better,
                "digits": printed_digits(result.metric),
                "scores": [scale * score.value for score in result.scores],
                "low": [scale * interval.low for interval in result.intervals],
                "high": [scale * interval.high for interval in result.intervals],
                "p": [[outcome and result.p_text(a, b) for b, outcome in enumerate(line)] for a, line in pairs],
                "verdicts": [
                    [outcome and result.verdict(a, b, report.alpha) for b, outcome in enumerate(line)]
                    for a, line in pairs
                ],
                "difference": [
                    [outcome and outcome.difference is not None and scale * outcome.difference for outcome in line]
                    for line in outcomes
                ],
                "histogram": asdict(profile.histogram),
                "lengths": asdict(profile.by_length),
                "sums": asdict(profile.sums),
            }
        )
    order = report.word_order
    return {
        "systems": [visible(name) for name in report.systems],
        "metrics": metrics,
        "alpha": report.alpha,
        "holm": _is_corrected(report),
        "confidence": confidence(report.results),
        "segments": report.segments,
        "shown": len(report.shown.numbers),
        "references": report.shown.references,
        "source": report.has_source,
        "lowercase": report.lowercase,
        **asdict(report.ngrams),
        "order": order and {"correlation": order.correlation, "precision": order.precision, "cells": order.cells},
        "frequencies": asdict(report.frequencies),
        "contrasts": {
            f"{a}:{b}": [
                [[gram.words, gram.first, gram.second] for gram in side] for side in (contrast.first, contrast.second)
            ]
            for (a, b), contrast in report.contrasts.items()
        },
        "agreement": report.agreement and agreement_data(report.agreement, report.results),
        "groups": [visible(group.label) for group in report.groups],
    }


def segment_data(report: Report) -> dict[str, Any]:
    """Return the segments as JSON values."""
    shown = report.shown
    return {
        "numbers": None if len(shown.numbers) == report.segments else shown.numbers,
        "texts": shown.texts,
        "cuts": shown.cuts,
        "lengths": shown.lengths,
        "scores": list(shown.scores.values()),
        "edits": shown.edits,
        "explained": shown.explained,
        "cells": report.word_order and [places[i] for i in shown.numbers for places in report.word_order.places],
        "groups": shown.groups,
        "audio": shown.audio and [label and safe_link(label) for label in shown.audio],
    }
