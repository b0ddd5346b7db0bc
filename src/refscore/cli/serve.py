from __future__ import annotations

import click

from refscore.cli.demo import FOLDER
from refscore.cli.given_options import GivenOptions
from refscore.cli.help import command
from refscore.cli.input_options import InputOptions
from refscore.cli.option_group import count_option
from refscore.cli.output import write
from refscore.cli.report_options import ReportOptions, report_options
from refscore.errors import InputError, Location
from refscore.readers.files import is_standard_input
from refscore.readers.source import STANDARD_INPUT


@command(epilog="Example: refscore serve base=a.txt new=b.txt -r ref.txt")
@report_options(required=False)
@click.option("--port", type=click.IntRange(0, 65535), default=8340, metavar="N", help="The port; 0 picks a free one.")
@count_option(
    "--max-size", type=click.IntRange(1, 1024), default=8, help="The most text that the form accepts, in megabytes."
)
@count_option("--max-seconds", type=click.IntRange(1), default=30, help="The most seconds that one form may take.")
@click.option("--open", "in_browser", is_flag=True, help="Open the page in a browser.")
def serve(report_options: ReportOptions, port: int, max_size: int, max_seconds: int, in_browser: bool) -> None:
    """Serve the report on each SYSTEM against BASELINE, and update it whenever one of the files changes.

    A form scores, compares and explains texts that you paste or upload. Without files, there is only the form. The
    default metrics are BLEU, chrF and TER. The server listens on 127.0.0.1, so only this machine can reach it. Press
    Ctrl-C to stop it.
    """
    from refscore.report import render_page
    from refscore.report.input_form import Answers, Form
    from refscore.report.live_reload import WatchedPage
    from refscore.report.page import require_vega
    from refscore.report.server import Server, require_server

    require_server()
    text_options = report_options.given_options.text_options(report_options.metric_options)
    metrics = text_options.metrics()
    segment_metrics = text_options.segment_metrics(metrics)
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.txt"))}
    references = [texts.pop(name) for name in ("reference.a", "reference.b")]
    example = Answers([*texts.values()], references, names=[*texts])
    form = Form(
        metrics,
        segment_metrics,
        has_report=bool(report_options.hypotheses),
        example=example,
        reporting=report_options.reporting,
    )
    page = None
    if report_options.hypotheses:
        require_vega()
        if any(map(is_standard_input, report_options.specs())):
            raise InputError(Location(file=STANDARD_INPUT), "cannot be read again when it changes", "name a file")
        systems = report_options.systems()
        with report_options.open(systems, metrics.values()) as inputs:
            scores = [report_options.given_scores(systems, metrics), *report_options.human_scores(systems)]
            files = [*inputs.files, *(file for each in scores if each is not None for file in each.files)]

        def render(version: str, is_first: bool) -> str:
            return render_page(report_options.build(quiet=not is_first), live=version)

        page = WatchedPage(render, files)
    elif (
        report_options.input_options != InputOptions()
        or report_options.given_options != GivenOptions()
        or report_options.human
    ):
        raise click.UsageError("references, sources or scores need a system to report on: name a file of hypotheses")
    server = Server(form, page, port=port, max_bytes=max_size * 1_000_000, seconds=max_seconds)
    # The address is printed before the report is built, which may take a while. A browser waits for the answer.
    write(f"{server.address} (press Ctrl-C to stop)")
    if in_browser:
        click.launch(server.address)
    with server:
        server.run()
