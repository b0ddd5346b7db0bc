from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import click

from refscore.cli.given_options import GivenOptions, given_options
from refscore.cli.help import command
from refscore.cli.input_options import InputOptions, input_options
from refscore.cli.metric_options import MetricOptions, metric_options, reject_unfitted
from refscore.cli.option_group import AT_LEAST_0, file_argument
from refscore.cli.output import check_output, output_file_option
from refscore.cli.run_options import RunOptions, run_options
from refscore.cli.systems import parse_systems
from refscore.errors import InputError, Location
from refscore.evaluation import Evaluation
from refscore.evaluation.evaluation import UNNAMED
from refscore.metrics import RowMetric, metric_titles
from refscore.readers.files import SegmentFiles
from refscore.readers.records import ENDING
from refscore.readers.system_scores import System


@command(epilog="Example: refscore stats new=hyp.07.txt -r ref.07.txt -o part.07.refscore")
@file_argument("hypotheses", metavar="HYP")
@input_options
@metric_options
@given_options
@output_file_option(
    required=True,
    help="Write to FILE, which ends in .refscore.",
)
@click.option("--rows", is_flag=True, help="Save the rows of all segments too, for `compare`, `gate` and `--ci`.")
@click.option("--sample", type=click.IntRange(min=2), metavar="N", help="Save the rows of N random segments too.")
@click.option("--texts", is_flag=True, help="Save the texts too, for `report` and `gate`. They must fit in memory.")
@click.option("--seed", type=AT_LEAST_0, metavar="N", help="The seed of --sample; derived from the files by default.")
@click.option("--resume", is_flag=True, help="If FILE exists, continue after its last segment.")
@click.option(
    "--save-every",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    default=60,
    help="The time between saves, for --resume.",
)
@run_options("limits threads warnings")
def stats(
    hypotheses: str,
    input_options: InputOptions,
    metric_options: MetricOptions,
    given_options: GivenOptions,
    target: str,
    rows: bool,
    sample: int | None,
    texts: bool,
    seed: int | None,
    resume: bool,
    save_every: float,
    run: RunOptions,
) -> None:
    """Save the statistics of the segments in HYP. `refscore merge` adds up the statistics of several parts.

    HYP is a file with one segment per line, or NAME=FILE to name the system. FILE:FIELD reads a field of a TSV,
    CSV, JSON, Parquet, XML or SGML file, and - is standard input. The default metrics are BLEU, chrF and TER.
    """
    path = Path(target)
    context = click.get_current_context()
    check_ending(target)
    check_output(path)
    if rows and sample is not None:
        raise click.UsageError("--rows and --sample exclude each other: give one of them", context)
    for option, is_used in (("--texts", texts), ("--given", given_options.given)):
        if is_used and resume:
            raise click.UsageError(f"{option} and --resume exclude each other: give one of them", context)
    if seed is not None and sample is None:
        raise click.UsageError("--seed needs --sample", context)
    metrics = given_options.text_metrics(metric_options, input_options.languages)
    reject_unfitted(metrics, "use `refscore score`")
    system, *others = parse_systems([hypotheses])
    if others or system.record is not None:
        fix = "name a file of texts, or add up records with `refscore merge`"
        raise InputError(Location(file=system.file), "is a record already", fix)
    given = given_options.read([system], metric_options, metrics)
    with (
        input_options.open([system], metrics=metrics.values()) as inputs,
        run.progress("scoring", "segments") as progress,
    ):
        notes = _notes(hypotheses, system, input_options, inputs)
        chosen: dict[str, RowMetric[Any]] = {**metrics, **({} if given is None else given.metrics)}
        evaluation = _start(path, chosen, resume, "rows" if rows else sample or "sums", seed, notes)
        evaluation.titles = metric_titles(chosen)
        single = given_options.text_options(metric_options).segment_metrics(metrics, input_options.languages)
        evaluation.segment_metrics = {**chosen, **single}
        if texts or given is not None:
            block = inputs.read_all(progress.show).with_digests()
            scores = {} if given is None else given.rows(inputs.segments)
            evaluation.add_block(
                block,
                lambda location, _: inputs.locate(location),
                rows={label: by_system[system.name][0] for label, by_system in scores.items()},
                threads=run.threads,
            )
            if texts:
                evaluation.texts = block
            evaluation.save(path, texts=texts)
        else:
            blocks = (block.with_digests() for block in inputs.blocks(progress.show))
            with inputs.errors_located():
                evaluation.consume(
                    blocks, skip=evaluation.segments, save_to=path, every=save_every, threads=run.threads
                )
        evaluation.ignored_warnings = run.ignored_warnings
        run.warn(evaluation.data_warnings)


def check_ending(file: str) -> None:
    if Path(file).suffix != ENDING:
        raise InputError(Location(file=file), f"is not a {ENDING} file", f"end its name in {ENDING}")


def _start(
    path: Path,
    metrics: Mapping[str, RowMetric[Any]],
    resume: bool,
    retain: Any,
    seed: int | None,
    notes: dict[str, Any],
) -> Evaluation:
    if seed is None:
        digest = blake2b(repr(notes["inputs"]).encode("utf-8", "surrogateescape")).digest()
        seed = int.from_bytes(digest[:8], "little")
    runs = [notes["system"] or UNNAMED]
    if not resume:
        evaluation = Evaluation(metrics, runs, retain=retain, seed=seed)
    else:
        evaluation = Evaluation.resume(path, metrics, runs, retain=retain, seed=seed)
        if evaluation.segments and evaluation.notes != notes:
            problem = "has statistics of different files, or the files have changed"
            raise InputError(Location(file=str(path)), problem, "remove it, or leave out --resume")
    evaluation.notes = notes
    return evaluation


def _notes(argument: str, system: System, options: InputOptions, inputs: SegmentFiles) -> dict[str, Any]:
    """Return the system's name if the user gave one, the files with their digests, and how they are read."""
    is_named = argument != system.file
    files = [system.file, *options.files(required=False), *([] if options.source is None else [options.source])]
    files += [] if inputs.cuts is None else inputs.cuts.files
    reading = [options.file_format, options.blank_reference, inputs.resegmentation]
    return {
        "system": system.name if is_named else "",
        "inputs": [[file, _digest(path)] for file, path in zip(files, inputs.files, strict=True)],
        "reading": reading if inputs.cuts is not None else reading[:2],
    }


def _digest(path: str) -> str | None:
    """Return a digest of a file's contents, or None for a pipe, which can be read only once."""
    if not os.path.isfile(path):
        return None
    digest = blake2b(digest_size=16)
    with open(path, "rb", buffering=0) as file:
        while data := file.read(1 << 20):
            digest.update(data)
    return digest.hexdigest()
