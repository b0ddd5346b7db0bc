from __future__ import annotations

from pathlib import Path

import click

from refscore.cli.help import command
from refscore.cli.option_group import complete_file, file_option
from refscore.cli.output import check_output, output_file_option, write
from refscore.cli.report_options import ReportOptions, report_options
from refscore.text_display import counted
from refscore.writing import written_text


@command(epilog="Example: refscore report base=a.txt new=b.txt -r ref.txt --source src.txt -o report.html")
@report_options(required=False)
@file_option("--history", help="Instead of systems, draw the runs in FILE (.jsonl), which `gate --history` wrote.")
@output_file_option(
    default="report.html",
    shell_complete=complete_file,
    help="Write the page to FILE, report.html by default.",
)
def report(report_options: ReportOptions, history: str | None, target: str) -> None:
    """Write an HTML page that shows how each SYSTEM differs from BASELINE: scores, tests, charts and segments.

    BASELINE and SYSTEM are FILE or NAME=FILE, with one segment per line. SYSTEM is optional. FILE:FIELD reads a
    field of a TSV, CSV, JSON, Parquet, XML or SGML file, and - is standard input. The default metrics are BLEU,
    chrF and TER. The page works in any browser, also offline.
    """
    from refscore.report import render_page
    from refscore.report.page import require_vega

    require_vega()
    check_output(Path(target))
    if history is not None:
        if report_options.hypotheses:
            raise click.UsageError("--history shows runs of the gate: leave it out, or the systems")
        _write_history(history, target)
        return
    if not report_options.hypotheses:
        raise click.UsageError("Missing argument 'BASELINE': name a file of hypotheses, or use --history")
    built = report_options.build()
    report_options.run.warn(built.warnings)
    with written_text(Path(target), "backslashreplace") as file:
        file.write(render_page(built))
    systems = counted(len(built.systems), "system")
    write(f"{target}: {counted(built.segments, 'segment')}, {systems}. Open it in a browser.")


def _write_history(history: str, target: str) -> None:
    from refscore.gate import History

    runs = History.read(history)
    with written_text(Path(target), "backslashreplace") as file:
        file.write(runs.page())
    write(f"{target}: {counted(len(runs.runs), 'run')}. Open it in a browser.")
