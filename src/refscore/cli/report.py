"""`refscore report`: one page that shows how systems differ."""

from __future__ import annotations

from pathlib import Path

import click

from refscore.cli.inputs import complete_file
from refscore.cli.output import check_writable, write, write_file
from refscore.cli.reporting import ReportChoice, report_options


@click.command(
    epilog="Example: refscore report base=a.txt new=b.txt -r ref.txt --source src.txt -o report.html",
)
@report_options(required=True)
@click.option(
    "-o",
    "--out",
    "target",
    metavar="FILE",
    default="report.html",
    shell_complete=complete_file,
    help="The page to write, report.html by default; one that is there is replaced.",
)
def report(wanted: ReportChoice, target: str) -> None:
    """Write one HTML file that shows how each SYSTEM differs from BASELINE: scores, tests, charts and segments.

    Each is a file like those of references, or NAME=FILE; BASELINE may stand alone. The metrics are BLEU, chrF and TER
    unless -m says otherwise. The page opens in any browser, offline, and loads nothing.
    """
    from refscore.report import render_page
    from refscore.report.vega import require_vega

    require_vega()
    check_writable(Path(target))
    made = wanted.build()
    write_file(Path(target), [render_page(made)])
    count = "1 system" if len(made.systems) == 1 else f"{len(made.systems)} systems"
    write(f"{target}: {made.segments:,} segments, {count}; open it in a browser")
