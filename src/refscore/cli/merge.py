"""`refscore merge`: add up the statistics of parts and print the scores of the whole."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from refscore._version import __version__
from refscore.accumulation import Accumulator
from refscore.cli.bootstrap_options import BootstrapOptions, bootstrap_options_without_units, reject_without_ci
from refscore.cli.input_options import complete_file
from refscore.cli.output import (
    FORMATS,
    check_output,
    digits_option,
    format_option,
    output_file_option,
    quiet_option,
    threads_option,
)
from refscore.cli.progress import ProgressBar
from refscore.cli.score import show_scores
from refscore.cli.stats import ENDINGS
from refscore.cli.system_scores import Results, SystemResult
from refscore.cli.systems import System
from refscore.errors import InputError, Location

_UNNAMED = "all parts"
# The key in the note of a sum, which is otherwise the user's.
_MERGED = "refscore merge"


@click.command(epilog="Example: refscore merge part.*.refstats --ci")
@click.argument("parts", metavar="PART...", nargs=-1, required=True, shell_complete=complete_file)
@output_file_option(help="Also save the sum to FILE (.refstats).")
@click.option("--ci", "with_intervals", is_flag=True, help="Add bootstrap confidence intervals. Needs parts with rows.")
@bootstrap_options_without_units
@format_option(*FORMATS)
@digits_option
@threads_option
@quiet_option
def merge(
    parts: tuple[str, ...],
    target: str | None,
    with_intervals: bool,
    bootstrap: BootstrapOptions,
    form: str,
    digits: int | None,
    threads: int | None,
    quiet: bool,
) -> None:
    """Add up the statistics files PART of `refscore stats`, and print the scores of the whole corpus.

    If `stats` was given NAME=FILE, the parts of each NAME are added up separately.
    """
    if not with_intervals:
        reject_without_ci()
    _check_parts(parts)
    if target is not None:
        if Path(target).suffix != ".refstats":
            raise InputError(Location(file=target), "is not a .refstats file", "end its name in .refstats")
        check_output(Path(target))
    merged: dict[str, Accumulator] = {}
    sources: dict[str, str] = {}
    with ProgressBar("merging", "parts", quiet=quiet) as progress:
        for done, part in enumerate(parts, 1):
            _add(merged, sources, part, with_intervals)
            progress.show_count(done, len(parts))
    if target is not None:
        if len(merged) > 1:
            problem = f"can hold only one system, but the parts are of {', '.join(merged)}"
            raise InputError(Location(file=target), problem, "merge the parts of each system separately")
        next(iter(merged.values())).save(target)
    results = _results(merged, parts)
    intervals = {}
    if with_intervals:
        intervals = {
            (name, label): sums.interval(label, threads=threads, **bootstrap.draws)
            for name, sums in merged.items()
            for label in sums.metrics
        }
    versions = sorted({version for sums in merged.values() for version in sums.versions})
    notes = [] if versions == [__version__] else [f"statistics computed by refscore {', '.join(versions)}"]
    show_scores(results, intervals, form, digits, notes)


def _check_parts(parts: Sequence[str]) -> None:
    seen: set[tuple[int, int]] = set()
    for part in parts:
        location = Location(file=part)
        if Path(part).suffix not in ENDINGS:
            fix = "name .refstats or .arrow files written by `refscore stats`"
            raise InputError(location, "is not a statistics file", fix)
        if not os.path.isfile(part):
            raise InputError(location, "cannot be read", "there is no such file")
        status = os.stat(part)
        if (status.st_dev, status.st_ino) in seen:
            raise InputError(location, "is given twice", "give it once, or its segments count twice")
        seen.add((status.st_dev, status.st_ino))


def _add(merged: dict[str, Accumulator], sources: dict[str, str], part: str, with_intervals: bool) -> None:
    """Add a part to the sum of its system. `sources` maps the input of each part so far to the part's name."""
    location = Location(file=part)
    if Path(part).suffix == ".arrow":
        from refscore.accumulation.arrow_rows import read_rows

        sums = read_rows(part, keep="rows" if with_intervals else "sums")
    else:
        sums = Accumulator.load(part)
    if with_intervals and sums.keep == "sums":
        fix = "write it with --rows or --sample, or as .arrow"
        raise InputError(location, "has no rows, which --ci needs", fix)
    system = sums.note.get("system")
    name = system if isinstance(system, str) and system else _UNNAMED
    sums.note[_MERGED] = _sources(sums.note)
    for source in sums.note[_MERGED]:
        if source in sources:
            problem = f"has segments that are also in {sources[source]}"
            raise InputError(location, problem, "leave out one of them, or these segments count twice")
        sources[source] = part
    if name not in merged:
        merged[name] = sums
        return
    try:
        merged[name].merge(sums)
        merged[name].note[_MERGED] += sums.note[_MERGED]
    except InputError as error:
        raise InputError(location, "cannot be merged", str(error)) from None


def _sources(note: Mapping[str, Any]) -> list[str]:
    """Return one text per part of a sum: its input files, their digests, and how they were read.

    Parts that were read from a pipe have no digest and are not compared.
    """
    if isinstance(note.get(_MERGED), list):
        return [source for source in note[_MERGED] if isinstance(source, str)]
    files = note.get("files")
    is_known = isinstance(files, list) and all(isinstance(file, list) and file[-1:] != [None] for file in files)
    return [json.dumps([note.get("system"), files, note.get("reading")])] if files and is_known else []


def _results(merged: Mapping[str, Accumulator], parts: Sequence[str]) -> Results:
    (first_name, first), *others = merged.items()
    for name, other in others:
        if other.segments != first.segments:
            problem = f"{name} has {other.segments} segments, but {first_name} has {first.segments}"
            raise InputError(None, problem, "check for missing or extra parts")
        if other.metrics != first.metrics:
            fix = "run `refscore stats` with the same metrics and settings for all"
            raise InputError(None, f"the parts of {name} and {first_name} have different metrics", fix)
    return Results(
        first.segments,
        first.metrics,
        [SystemResult(System(name, f"{len(parts)} parts"), sums.scores(), {}) for name, sums in merged.items()],
        None,
    )
