from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import click

from refscore.alignments import ErrorTotals, WordErrors, alignment_view, error_totals
from refscore.alignments.frequent_errors import count_errors
from refscore.alignments.view import STYLES, StyledAlignments, aligning_metric
from refscore.cli.help import command
from refscore.cli.input_options import BY, InputOptions, by_option, input_options
from refscore.cli.metric_options import MetricOptions, metric_options
from refscore.cli.option_group import count_option, file_argument, file_option
from refscore.cli.run_options import RunOptions, run_options
from refscore.cli.systems import parse_systems
from refscore.errors import InputError, Location, SettingError
from refscore.metrics import Score, check_data
from refscore.readers import open_segments
from refscore.readers.reader import Reader
from refscore.tables import Column, Result, Table

_METRIC = "wer"


@command(epilog="Example: refscore errors hyp.txt -r ref.txt --worst 5", default_metric=_METRIC)
@file_argument("hypothesis", metavar="HYP")
@input_options
@metric_options
@by_option
@click.option("--raw", is_flag=True, help="Show counts instead of percentages by group.")
@count_option("--top", default=10, help="The number of rows of each table.")
@click.option("--alignments", is_flag=True, help="Print the alignments of segments with errors. CSV has only them.")
@count_option("--worst", help="Print only the alignments of the N segments with the most errors.")
@click.option("--style", type=click.Choice(STYLES), default="jiwer", help="The style of the alignments.")
@count_option("--width", help="The largest width of a line of an alignment.")
@file_option(
    "--labels",
    help="A file with the name of each segment, such as its audio file.",
)
@run_options("table limits threads warnings", "html")
def errors(
    hypothesis: str,
    input_options: InputOptions,
    metric_options: MetricOptions,
    by: str | None,
    raw: bool,
    top: int,
    alignments: bool,
    worst: int | None,
    style: Any,
    width: int | None,
    labels: str | None,
    run: RunOptions,
) -> None:
    """Print the most frequent errors of HYP: substitutions, deletions, insertions, and errors by reference word.

    HYP has one segment per line. FILE:FIELD reads a field of a TSV, CSV, JSON, Parquet, XML or SGML file, and - is
    standard input. The default metric is WER.
    """
    chosen = metric_options.metrics([_METRIC])
    if len(chosen) != 1:
        raise SettingError("errors shows one metric: choose it with -m")
    metric = aligning_metric(next(iter(chosen.values())))
    if raw and by is None:
        raise click.UsageError("--raw needs --by", click.get_current_context())
    with input_options.open(parse_systems([hypothesis]), by=by, metrics=[metric], needs_references=True) as inputs:
        with run.progress("reading", "segments") as progress:
            texts = inputs.read_all(progress.show)
        problems = check_data([metric], {"": texts.inputs[0].hypotheses}, texts.inputs[0].references)
        run.warn(each for each in problems if each.kind not in run.ignored_warnings)
        names = None if labels is None else read_labels(labels, inputs.segments)
        with inputs.errors_located():
            view = alignment_view(texts.hypotheses[0], texts.references, metric, labels=names, threads=run.threads)
            score = metric.corpus(texts.hypotheses[0], texts.references, threads=run.threads)
            sides = texts.hypotheses[0], texts.references
            totals = by and error_totals(*sides, metric, by=texts.groups[BY], raw=raw, threads=run.threads)
    found = count_errors((edit for each in view for edit in each.edits if metric.is_counted(edit)), metric)
    shown = view.worst(worst) if worst is not None else view.with_errors() if alignments else None
    notes = {"signature": found.signature, **input_options.resegmentation.content}
    styled = None if shown is None else StyledAlignments(shown, style, width)
    run.show(_Errors(score, totals or None, found, top, styled), notes=notes)


@dataclass(frozen=True)
class _Errors(Result):
    schema: ClassVar[str] = "errors"
    head: ClassVar[str] = '<meta name="color-scheme" content="light dark"><title>Errors</title>'

    score: Score
    totals: ErrorTotals | None
    found: WordErrors
    top: int
    alignments: StyledAlignments | None

    def tables(self, *, digits: int | None = None) -> list[Table]:
        length = sum(count for kind, count in self.found.counts.items() if kind != "insertion")
        titles = (f"{self.score.metric.title} ↓", "errors", f"reference {self.found.unit}s")
        columns = [Column(title, "right") for title in titles]
        rate = Table("", columns, [[f"{self.score.percent:.2f}", f"{self.found.errors:,}", f"{length:,}"]])
        totals = [] if self.totals is None else [self.totals.table(digits=digits)]
        return [rate, *totals, *self.found.tables(self.top, digits=digits)]

    def flat_table(self) -> Table:
        """Return the alignments or the totals by group if they were asked for, else the most frequent errors."""
        if self.alignments is not None:
            return self.alignments.view.flat_table()
        return self.found.flat_table(self.top) if self.totals is None else self.totals.flat_table()

    @property
    def details(self) -> list[StyledAlignments]:
        return [self.alignments] if self.alignments is not None and self.alignments.view else []

    def to_dict(self) -> dict[str, Any]:
        errors = self.found.to_dict(self.top)
        totals = {} if self.totals is None else {"totals": self.totals.to_dict()}
        alignments = [] if self.alignments is None else self.alignments.view.to_dict()
        return {"score": self.score.to_dict(), **totals, **errors, "alignments": alignments}


def read_labels(file: str, segments: int) -> list[str]:
    """Return the labels of a file, one per segment."""
    with open_segments(file, labels=True) as reader:
        listed = [_label(reader, value, i) for i, value in enumerate(value for block in reader for value in block)]
    if len(listed) != segments:
        raise InputError(Location(file=file), f"has {len(listed)} labels for {segments} segments", "write one per line")
    return listed


def _label(reader: Reader, value: Any, index: int) -> str:
    if not isinstance(value, str):
        raise InputError(reader.location(index), "is not one text", "write one label per line")
    return value
