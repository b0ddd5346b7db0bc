"""`refscore serve`: the report on files that change, and a form for texts, in a browser on this machine."""

from __future__ import annotations

import click

from refscore.cli.output import write
from refscore.cli.reporting import ReportChoice, report_options
from refscore.errors import InputError


@click.command(
    epilog="Example: refscore serve base=a.txt new=b.txt -r ref.txt",
)
@report_options(required=False)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8340,
    metavar="N",
    help="The port, 8340 by default; 0 for any that is free.",
)
@click.option(
    "--max-size",
    type=click.IntRange(1, 1024),
    default=8,
    metavar="N",
    help="How many megabytes of text the form takes, 8 by default.",
)
@click.option("--open", "opened", is_flag=True, help="Open the page in a browser.")
def serve(wanted: ReportChoice, port: int, max_size: int, opened: bool) -> None:
    """Serve the report on each SYSTEM against BASELINE, and make it anew whenever one of the files changes.

    There is also a form, to paste or upload texts and see their scores and how these come about; without files
    there is the form alone. The metrics are BLEU, chrF and TER unless -m says otherwise. Only this machine can reach
    the server: it listens on 127.0.0.1. Ctrl-C ends it.
    """
    from refscore.report import render_page
    from refscore.report.input_form import Form
    from refscore.report.live_reload import WatchedPage
    from refscore.report.server import Server, require_server
    from refscore.report.vega import require_vega

    require_server()
    metrics = wanted.metrics()
    form = Form(metrics, wanted.choice.segment_metrics(metrics), has_report=bool(wanted.hypotheses))
    page = None
    if wanted.hypotheses:
        require_vega()
        if any(file == "-" or file.startswith("-:") for file in wanted.named_files()):
            raise InputError(None, "standard input (-) cannot be read again when it changes: name a file")
        files = wanted.files()
        page = WatchedPage(lambda version, first: render_page(wanted.build(quiet=not first), live=version), files)
    elif wanted.sources != type(wanted.sources)() or wanted.source is not None:
        raise click.UsageError("there are references or a source, and no system to report on: name a file of outputs")
    with Server(form, page, port=port, max_bytes=max_size * 1_000_000) as server:
        write(f"{server.address} (Ctrl-C ends it)")
        if opened:
            click.launch(server.address)
        server.run()
