"""`refscore score`: the score of a file of hypotheses."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from refscore.cli.files import read_corresponding
from refscore.metrics import BLEU, BLEUScore
from refscore.segments import from_streams


@click.command(short_help="Score a file of hypotheses against reference files.")
@click.argument("hypotheses", type=click.Path(path_type=Path), metavar="HYP")
@click.option(
    "-r",
    "--reference",
    "references",
    type=click.Path(path_type=Path),
    metavar="REF",
    multiple=True,
    required=True,
    help="A file of references, one a line like HYP; give it several times for several references.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, with all numbers.")
def score(hypotheses: Path, references: tuple[Path, ...], as_json: bool) -> None:
    """Print the BLEU score of the segments in HYP, one a line, as sacrebleu computes it."""
    (texts,), streams = read_corresponding([hypotheses], references)
    result = BLEU().corpus(texts, from_streams(streams))
    if as_json:
        click.echo(json.dumps({"segments": len(texts), **result.to_dict()}))
    elif sys.stdout.isatty():
        _print_pretty(Console(), result, len(texts))
    else:
        click.echo(f"{result}\n{result.signature}")


def _print_pretty(console: Console, result: BLEUScore, segments: int) -> None:
    console.print(Text(f"BLEU = {result.percent:.2f}", "bold green"), Text(f"   {segments:,} segments"))
    table = Table()
    for title in ("order", "matches", "n-grams", "precision"):
        table.add_column(title, justify="right")
    for order, (count, total, precision) in enumerate(
        zip(result.counts, result.totals, result.precisions, strict=True), 1
    ):
        table.add_row(str(order), f"{count:,}", f"{total:,}", f"{100 * precision:.1f} %")
    console.print(table)
    console.print(
        f"brevity penalty {result.brevity_penalty:.3f} "
        f"(hypotheses {result.hyp_len:,} tokens, references {result.ref_len:,}, ratio {result.ratio:.3f})",
        highlight=False,
    )
    console.print(Text(result.signature, "dim"), soft_wrap=True)
