"""`refscore ribes`: print RIBES with the options and output of the official RIBES.py."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import click

from refscore.cli.input_options import complete_file
from refscore.cli.inputs import Inputs
from refscore.cli.output import output_options, show_tables
from refscore.cli.progress import ProgressBar
from refscore.cli.system_scores import score_systems
from refscore.cli.systems import System
from refscore.metrics import RIBES, RIBESScore, Rows
from refscore.tables import Column, Highlight, Table


@dataclass(frozen=True)
class _Result:
    """The score of a file, and with -s the rows of its sentences."""

    file: str
    score: RIBESScore
    rows: Rows | None

    @property
    def values(self) -> list[float | None]:
        """The score of each sentence, None if it was skipped."""
        return [] if self.rows is None else [row[0] if row[-1] else None for row in self.rows.tolist()]


@click.command(epilog="Example: refscore ribes hyp.txt -r ref.txt --sentence")
@click.argument("hypotheses", metavar="HYP...", nargs=-1, required=True, shell_complete=complete_file)
@click.option(
    "-r",
    "--ref",
    "--reference",
    "references",
    metavar="REF",
    multiple=True,
    required=True,
    shell_complete=complete_file,
    help="A file of references, one per line. Repeat -r for several references per segment.",
)
@click.option("-c", "--case", "keep_case", is_flag=True, help="Distinguish upper and lower case.")
@click.option("-s", "--sentence", "sentences", is_flag=True, help="Also print the score of every sentence.")
@click.option("-a", "--alpha", type=float, metavar="NUMBER", help="The exponent of the precision; 0.25 by default.")
@click.option("-b", "--beta", type=float, metavar="NUMBER", help="The exponent of the brevity penalty; 0.1 by default.")
@click.option(
    "-z",
    "--emptyref",
    "skip_empty",
    is_flag=True,
    help="Skip empty references, which are an error by default, and sentences that have no other reference.",
)
@click.option("--preset", default="official", metavar="NAME", help=f"The preset: {', '.join(RIBES.presets)}.")
@click.option("--tokenizer", metavar="NAME", help="The tokenizer; none (split at whitespace) by default.")
@output_options("text", "json")
def ribes(
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    keep_case: bool,
    sentences: bool,
    alpha: float | None,
    beta: float | None,
    skip_empty: bool,
    preset: str,
    tokenizer: str | None,
    form: str,
) -> None:
    """Print the RIBES score of each file HYP, which has one sentence per line.

    In a pipe or with -o, the output is that of the official RIBES.py 1.03.1. With --format json, it is one object with
    all numbers per HYP.
    """
    settings: dict[str, Any] = {
        "lowercase": False if keep_case else None,
        "alpha": alpha,
        "beta": beta,
        "empty_reference": "skip" if skip_empty else None,
        "tokenizer": tokenizer,
    }
    metric = RIBES.preset(preset, **{name: value for name, value in settings.items() if value is not None})
    # Like the official script, print one line per argument, even if a file is given twice.
    files = [System(file, file) for file in hypotheses]
    with Inputs(files, references) as inputs, ProgressBar("scoring", "segments") as progress:
        scored = score_systems(inputs, {"ribes": metric}, progress, keep_rows=sentences, threads=None, skip_option="-z")
    results = [
        _Result(system.system.file, cast("RIBESScore", system.scores["ribes"]), system.rows.get("ribes"))
        for system in scored.systems
    ]
    if form == "text" and sys.stdout.isatty():
        sentence_tables = [_sentence_table(result) for result in results if result.rows is not None]
        lines = [str(results[0].score)] if len(results) == 1 else []
        show_tables([*sentence_tables, _file_table(results)], "text", [*lines, results[0].score.signature])
        return
    lines = _official_lines(results)
    if form == "json":
        contents = [{"file": result.file, **result.score.to_dict()} for result in results]
        values = [{"sentences": result.values} if sentences else {} for result in results]
        lines = [json.dumps({**content, **each}) for content, each in zip(contents, values, strict=True)]
    text = "".join(f"{line}\n" for line in lines)
    # File names may not be valid in stdout's encoding, so print their bytes.
    click.echo(os.fsencode(text), nl=False)


def _official_lines(results: Sequence[_Result]) -> list[str]:
    lines = []
    for result in results:
        settings = f"alpha={result.score.metric.alpha:f} beta={result.score.metric.beta:f} {result.file}"
        for index, value in enumerate(result.values):
            lines.append(f"{float('-inf') if value is None else value:.6f} {settings} sentence {index}")
        lines.append(f"{result.score.value:.6f} {settings}")
    return lines


def _table(title: str, first: str, last: str, rows: list[list[str]]) -> Table:
    numbers = ["RIBES", "NKT", "precision", "brevity penalty", last]
    return Table(title, [Column(first), *(Column(name, "right") for name in numbers if name)], rows)


def _file_table(results: Sequence[_Result]) -> Table:
    best = max(result.score.value for result in results)
    rows = []
    for result in results:
        score = result.score
        means = [f"{mean:.3f}" for mean in (score.nkt, score.precision, score.brevity_penalty)]
        value = f"{score.percent:.2f}"
        is_best = len(results) > 1 and score.value == best
        rows.append([result.file, Highlight(value) if is_best else value, *means, f"{score.segments:,}"])
    return _table("", "file", "segments", rows)


def _sentence_table(result: _Result) -> Table:
    assert result.rows is not None
    rows = []
    for index, (value, nkt, precision, penalty, counts) in enumerate(result.rows.tolist()):
        numbers = [f"{100 * value:.2f}", *(f"{number:.3f}" for number in (nkt, precision, penalty))]
        rows.append([str(index), *(numbers if counts else ["skipped", "–", "–", "–"])])
    return _table(result.file, "sentence", "", rows)
