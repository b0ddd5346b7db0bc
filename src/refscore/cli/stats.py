"""`refscore stats`: the statistics of a part of the segments, to be merged with those of other parts."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

from refscore.accumulation import Accumulator
from refscore.cli.inputs import Block, InputChoice, Inputs, complete_file, input_options
from refscore.cli.limiting import limit_options
from refscore.cli.options import MetricChoice, metric_options
from refscore.cli.output import check_writable, quiet_option, threads_option
from refscore.cli.progress import Work
from refscore.cli.score import DEFAULT_METRICS
from refscore.cli.scoring import read_ahead, rows_of
from refscore.cli.systems import System, systems
from refscore.errors import InputError, SettingError
from refscore.metrics import NIST, Metric
from refscore.metrics.core.score import Rows

ENDINGS = (".refstats", ".arrow")


@click.command(
    epilog="Example: refscore stats new=hyp.07.txt -r ref.07.txt -o part.07.refstats",
)
@click.argument("hypotheses", metavar="HYP", shell_complete=complete_file)
@input_options
@metric_options
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    required=True,
    help="Where to: .refstats for sums, .arrow for the statistics of every segment in columns.",
)
@click.option("--rows", "all_rows", is_flag=True, help="Keep the rows of all segments in .refstats, for intervals.")
@click.option("--sample", type=click.IntRange(min=2), metavar="N", help="Keep those of N segments drawn at random.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    help="What --sample is drawn with; by default, a number that depends on the names of the files.",
)
@click.option("--resume", is_flag=True, help="Go on from FILE, if it is there: skip the segments that it has.")
@click.option(
    "--save-every",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="Save to .refstats meanwhile, so that --resume can go on; every 60 seconds by default.",
)
@limit_options
@threads_option
@quiet_option
def stats(
    hypotheses: str,
    sources: InputChoice,
    choice: MetricChoice,
    target: str,
    all_rows: bool,
    sample: int | None,
    seed: int | None,
    resume: bool,
    save_every: float | None,
    threads: int | None,
    quiet: bool,
) -> None:
    """Save the statistics of the segments HYP, for `refscore merge` to add up with those of other parts.

    HYP is a file like those of references, or NAME=FILE: merge then has a row for each NAME. The metrics are BLEU, chrF
    and TER unless -m says otherwise.
    """
    path = Path(target)
    if path.suffix not in ENDINGS:
        raise InputError(None, f"{target}: the form of statistics is told by the ending: .refstats or .arrow")
    check_writable(path)
    if all_rows and sample is not None:
        raise click.UsageError("--rows keeps all, --sample some: give one of them", click.get_current_context())
    if seed is not None and sample is None:
        raise click.UsageError("--seed is a setting of --sample", click.get_current_context())
    _refuse_for_arrow(path, {"--rows": all_rows, "--sample": sample, "--resume": resume, "--save-every": save_every})
    metrics = choice.for_languages(sources.languages, DEFAULT_METRICS).metrics(DEFAULT_METRICS)
    if any(isinstance(metric, NIST) and metric.information is None for metric in metrics.values()):
        raise SettingError("nist weighs words by all references, which a part does not have: use `refscore score`")
    (system,) = systems([hypotheses])
    note = _note(hypotheses, system, sources.files())
    with (
        sources.open([system]) as inputs,
        Work("scoring", "segments", quiet=quiet) as work,
        ExitStack() as stack,
    ):
        inputs.check_apart_from(path)
        if path.suffix == ".arrow":
            from refscore.accumulation.arrow_rows import row_writer

            writer = stack.enter_context(row_writer(path, metrics, note))
            for rows in _all_rows(inputs, metrics, work, threads, 0):
                writer.write(rows, inputs.reference_counts)
            return
        keep: Any = "rows" if all_rows else sample or "sums"
        drawn = seed if seed is not None else _seed(note)
        sums = (
            Accumulator.resume(path, metrics, keep=keep, seed=drawn)
            if resume
            else Accumulator(metrics, keep=keep, seed=drawn)
        )
        if sums.segments and sums.note != note:
            raise InputError(
                None, f"{target} is not of these files, or they have changed: remove it, or leave out --resume"
            )
        sums.note = note
        last = time.monotonic()
        for rows in _all_rows(inputs, metrics, work, threads, sums.segments):
            sums.update_rows(rows, references=inputs.reference_counts)
            if time.monotonic() - last >= (60.0 if save_every is None else save_every):
                sums.save(path)
                last = time.monotonic()
        if inputs.segments < sums.segments:
            raise InputError(None, f"{target} has more segments than the files: they have changed")
        sums.save(path)


def _refuse_for_arrow(path: Path, given: Mapping[str, Any]) -> None:
    for option, value in given.items():
        if path.suffix == ".arrow" and value is not None and value is not False:
            raise click.UsageError(
                f"{option} is for .refstats: .arrow has the rows of all segments, and is written at once",
                click.get_current_context(),
            )


def _note(argument: str, system: System, references: list[str]) -> dict[str, Any]:
    """What the statistics are of: the system's name if it was given one, and the files with their sizes."""
    named = argument != system.file
    return {
        "system": system.name if named else "",
        "files": [[file, _size(file)] for file in (system.file, *references)],
    }


def _size(file: str) -> int | None:
    for name in (file, file.rpartition(":")[0]):
        if os.path.isfile(name):
            return os.path.getsize(name)
    return None


def _seed(note: Mapping[str, Any]) -> int:
    return int.from_bytes(sha256(repr(note["files"]).encode("utf-8", "surrogateescape")).digest()[:8], "little")


def _all_rows(
    inputs: Inputs, metrics: Mapping[str, Metric[Any]], work: Work, threads: int | None, skip: int
) -> Iterator[dict[str, Rows]]:
    """The rows of each block, without so many segments at the beginning."""
    with closing(read_ahead(inputs.blocks(), threads)) as blocks:
        for block in blocks:
            here = _without(block, skip - block.begin)
            if here is not None:
                yield {label: rows for _, label, rows in rows_of(here, metrics, inputs, threads, None)}
            work.show(block.begin + len(block.hypotheses[0]), block.fraction)


def _without(block: Block, count: int) -> Block | None:
    if count <= 0:
        return block
    if count >= len(block.references):
        return None
    return replace(
        block,
        begin=block.begin + count,
        hypotheses=[texts[count:] for texts in block.hypotheses],
        references=block.references[count:],
    )
