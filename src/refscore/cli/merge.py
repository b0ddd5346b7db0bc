from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from refscore.cli.help import command
from refscore.cli.option_group import file_argument
from refscore.cli.output import BY_ENDING, check_output, output_file_option
from refscore.cli.run_options import RunOptions, run_options
from refscore.cli.score import show_summary
from refscore.cli.scoring_options import TestOptions, bootstrap_options_without_units, reject_without_ci
from refscore.cli.stats import check_ending
from refscore.errors import InputError, Location
from refscore.evaluation import Evaluation
from refscore.readers.records import ENDING

# The key in the note of a sum, which is otherwise the user's.
_MERGED = "refscore merge"


@command(epilog="Example: refscore merge part.*.refscore --ci")
@file_argument("parts", metavar="PART...", nargs=-1, required=True)
@output_file_option(help="Also save the sum to FILE (.refscore).")
@click.option("--ci", "with_intervals", is_flag=True, help="Add bootstrap confidence intervals. Needs parts with rows.")
@bootstrap_options_without_units
@run_options("format digits threads quiet")
def merge(
    parts: tuple[str, ...],
    target: str | None,
    with_intervals: bool,
    tests: TestOptions,
    run: RunOptions,
) -> None:
    """Add up the statistics files PART of `refscore stats`, and print the scores of the whole corpus.

    If `stats` was given NAME=FILE, the parts of each NAME are added up separately.
    """
    if not with_intervals:
        reject_without_ci()
    _check_parts(parts)
    if target is not None:
        form = BY_ENDING.get(Path(target).suffix.lower())
        if form is not None:
            fix = f"end its name in {ENDING} to save the sum, or write --format {form} > {target} for the scores"
            raise InputError(Location(file=target), "cannot hold statistics", fix)
        check_ending(target)
        check_output(Path(target))
    merged: dict[tuple[str, ...], Evaluation] = {}
    sources: dict[str, str] = {}
    with run.progress("merging", "parts") as progress:
        for done, part in enumerate(parts, 1):
            _add(merged, sources, part, with_intervals)
            progress.show_step("merging", done, len(parts))
    whole = _join([*merged.values()])
    whole.notes["files"] = [f"{len(parts)} parts" for _ in whole.runs]
    if target is not None:
        whole.save(target)
    show_summary(whole.summary(tests, intervals=with_intervals, threads=run.threads), run)


def _check_parts(parts: Sequence[str]) -> None:
    seen: set[tuple[int, int]] = set()
    for part in parts:
        location = Location(file=part)
        check_ending(part)
        if not os.path.isfile(part):
            raise InputError(location, "cannot be read", "there is no such file")
        status = os.stat(part)
        if (status.st_dev, status.st_ino) in seen:
            raise InputError(location, "is given twice", "give it once, or its segments count twice")
        seen.add((status.st_dev, status.st_ino))


def _add(merged: dict[tuple[str, ...], Evaluation], sources: dict[str, str], part: str, with_intervals: bool) -> None:
    """Add a part to the sum of its systems. `sources` maps the input of each part so far to the part's name."""
    location = Location(file=part)
    evaluation = Evaluation.load(part)
    if with_intervals and evaluation.retain == "sums":
        raise InputError(location, "has no rows, which --ci needs", "write it with --rows or --sample")
    evaluation.notes[_MERGED] = _sources(evaluation.notes)
    for source in evaluation.notes[_MERGED]:
        if source in sources:
            problem = f"has segments that are also in {sources[source]}"
            raise InputError(location, problem, "leave out one of them, or these segments count twice")
        sources[source] = part
    if evaluation.runs not in merged:
        merged[evaluation.runs] = evaluation
        return
    total = merged[evaluation.runs]
    try:
        total.merge(evaluation)
        total.notes[_MERGED] += evaluation.notes[_MERGED]
    except InputError as error:
        raise InputError(location, "cannot be merged", str(error)) from None


def _join(parts: Sequence[Evaluation]) -> Evaluation:
    whole, *others = parts
    for other in others:
        names = other.systems[0], whole.systems[0]
        if other.segments != whole.segments:
            problem = f"{names[0]} has {other.segments} segments, but {names[1]} has {whole.segments}"
            raise InputError(None, problem, "check for missing or extra parts")
        if other.metrics != whole.metrics:
            fix = "run `refscore stats` with the same metrics and settings for all"
            raise InputError(None, f"the parts of {names[0]} and {names[1]} have different metrics", fix)
        joined = whole.beside(other)
        joined.notes[_MERGED] = [*whole.notes[_MERGED], *other.notes[_MERGED]]
        whole = joined
    return whole


def _sources(note: Mapping[str, Any]) -> list[str]:
    """Return one text per part of a sum: its input files, their digests, and how they were read.

    Parts that were read from a pipe have no digest and are not compared.
    """
    if isinstance(note.get(_MERGED), list):
        return [source for source in note[_MERGED] if isinstance(source, str)]
    files = note.get("inputs")
    is_known = isinstance(files, list) and all(isinstance(file, list) and file[-1:] != [None] for file in files)
    return [json.dumps([note.get("system"), files, note.get("reading")])] if files and is_known else []
