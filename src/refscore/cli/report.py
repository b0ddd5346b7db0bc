"""`refscore report`: one page that shows how systems differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from refscore.cli.inputs import InputChoice, complete_file, input_options
from refscore.cli.options import MetricChoice, metric_options, titles
from refscore.cli.output import check_writable, quiet_option, threads_option, write, write_file
from refscore.cli.progress import Work
from refscore.cli.resampling import Resampling, resampling_options
from refscore.cli.score import DEFAULT_METRICS
from refscore.cli.systems import systems
from refscore.errors import EmptyReferenceError, InputError


@click.command(
    epilog="Example: refscore report base=a.txt new=b.txt -r ref.txt --source src.txt -o report.html",
)
@click.argument("hypotheses", metavar="BASELINE SYSTEM...", nargs=-1, required=True, shell_complete=complete_file)
@input_options
@click.option("--source", metavar="FILE", shell_complete=complete_file, help="A file of source texts, to be shown.")
@metric_options
@click.option(
    "-o",
    "--out",
    "target",
    metavar="FILE",
    default="report.html",
    shell_complete=complete_file,
    help="The page to write, report.html by default; one that is there is replaced.",
)
@click.option("--title", default="", metavar="TEXT", help="The heading of the page.")
@click.option("--notes", default="", metavar="TEXT", help="Text under the heading.")
@resampling_options
@click.option("--holm", is_flag=True, help="Correct p-values for the number of systems, metric by metric.")
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    metavar="NUMBER",
    help="The largest p that is called significant, 0.05 by default.",
)
@click.option(
    "--max-segments",
    type=click.IntRange(1, 100_000),
    default=10_000,
    metavar="N",
    help="How many segments can be looked at, 10,000 by default; of more, a random sample is shown.",
)
@threads_option
@quiet_option
def report(
    hypotheses: tuple[str, ...],
    sources: InputChoice,
    source: str | None,
    choice: MetricChoice,
    target: str,
    title: str,
    notes: str,
    resampling: Resampling,
    holm: bool,
    alpha: float,
    max_segments: int,
    threads: int | None,
    quiet: bool,
) -> None:
    """Write one HTML file that shows how each SYSTEM differs from BASELINE: scores, tests, charts and segments.

    Each is a file like those of references, or NAME=FILE. The page opens in any browser, offline, and loads nothing.
    """
    from refscore.report import Resampling as Settings
    from refscore.report import build_report, render_page
    from refscore.report.library import require_library

    require_library()
    check_writable(Path(target))
    metrics = choice.metrics(DEFAULT_METRICS)
    names = titles(metrics)
    named = systems(hypotheses)
    outputs: dict[str, list[str]] = {system.name: [] for system in named}
    references: list[Any] = []
    source_texts: list[str] = []
    units: list[Any] = []
    with sources.open(named, resampling.units, source) as inputs:
        with Work("reading", "segments", quiet=quiet) as work:
            for block in inputs.blocks():
                for name, texts in zip(outputs, block.hypotheses, strict=True):
                    outputs[name] += texts
                references += block.references
                source_texts += block.source or []
                units += block.units or []
                work.show(len(references), block.fraction)
        with Work("comparing", "resamples", quiet=quiet) as work:

            def show(what: str, done: int, total: int) -> None:
                work.show(done, done / total)

            try:
                made = build_report(
                    outputs,
                    references,
                    source=None if source is None else source_texts,
                    metrics={names[label]: metric for label, metric in metrics.items()},
                    segment_metrics={names[label]: metric for label, metric in choice.segment_metrics(metrics).items()},
                    title=title,
                    notes=notes,
                    resampling=Settings(
                        resampling.resamples, resampling.seed, resampling.confidence, units or None, alpha, holm
                    ),
                    max_segments=max_segments,
                    threads=threads,
                    progress=show,
                )
            except EmptyReferenceError as error:
                place = inputs.place_of_reference(error.segment, error.reference)
                metric = next(one for one in metrics.values() if getattr(one, "empty_reference", "") == "error")
                raise InputError(
                    f"{place} is empty, and {metric.title} needs words in references: "
                    f"leave empty ones out with --set {metric.name}.empty_reference=skip, or fill it in"
                ) from None
    write_file(Path(target), [render_page(made)])
    count = "1 system" if len(outputs) == 1 else f"{len(outputs)} systems"
    write(f"{target}: {len(references):,} segments, {count}; open it in a browser")
