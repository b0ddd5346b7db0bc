"""`refscore merge`: the statistics of parts, added up."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refscore._version import __version__
from refscore.accumulation import Accumulator
from refscore.cli.inputs import complete_file
from refscore.cli.output import (
    check_writable,
    digits_option,
    output_option,
    quiet_option,
    show_json,
    show_tables,
    threads_option,
)
from refscore.cli.progress import Work
from refscore.cli.score import score_content, score_table
from refscore.cli.scoring import Results, SystemResult
from refscore.cli.stats import ENDINGS
from refscore.cli.systems import System
from refscore.errors import InputError

if TYPE_CHECKING:
    from refscore.significance import Interval

_UNNAMED = "all parts"


@click.command(epilog="Example: refscore merge part.*.refstats --ci")
@click.argument("parts", metavar="PART...", nargs=-1, required=True, shell_complete=complete_file)
@click.option("-o", "--save", "target", metavar="FILE", help="Save the sum to FILE as well, as a .refstats.")
@click.option("--ci", "with_intervals", is_flag=True, help="Add bootstrap confidence intervals: parts need rows.")
@click.option(
    "--resamples", type=click.IntRange(min=1), metavar="N", help="How many the bootstrap draws; 1000 by default."
)
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="The seed of its draws; 12345 by default.")
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="NUMBER",
    help="The confidence of intervals; 0.95 by default.",
)
@output_option
@digits_option
@threads_option
@quiet_option
def merge(
    parts: tuple[str, ...],
    target: str | None,
    with_intervals: bool,
    resamples: int | None,
    seed: int | None,
    confidence: float | None,
    form: str,
    digits: int,
    threads: int | None,
    quiet: bool,
) -> None:
    """Add up the files PART... that `refscore stats` saved, and print the scores of the whole.

    Parts of systems with names (NAME=FILE) are added up for each name.
    """
    drawing = {"resamples": resamples, "seed": seed, "confidence": confidence}
    given = {name: value for name, value in drawing.items() if value is not None}
    if given and not with_intervals:
        raise click.UsageError(
            f"--{next(iter(given))} is a setting of intervals: add --ci", click.get_current_context()
        )
    _check_parts(parts)
    if target is not None:
        _check_target(Path(target))
    merged: dict[str, Accumulator] = {}
    with Work("merging", "parts", quiet=quiet) as work:
        for done, part in enumerate(parts, 1):
            _add(merged, part, with_intervals)
            work.show(done, done / len(parts))
    if target is not None:
        if len(merged) > 1:
            raise InputError(
                None, f"a file holds one system, and these parts are of {', '.join(merged)}: merge them one by one"
            )
        next(iter(merged.values())).save(target)
    results = _results(merged, parts)
    intervals = _intervals(merged, threads, given) if with_intervals else {}
    if form == "json":
        show_json("score", score_content(results, intervals, {}))
        return
    lines = [score.signature for score in results.systems[0].scores.values()]
    if intervals:
        lines.append(next(iter(intervals.values())).signature)
    versions = sorted({version for sums in merged.values() for version in sums.versions})
    if versions != [__version__]:
        lines.append(f"the statistics were made by refscore {', '.join(versions)}")
    if len(merged) == 1 and form == "table":
        lines = [*map(str, results.systems[0].scores.values()), *lines]
    show_tables([score_table(results, intervals, digits)], form, lines)


def _check_parts(parts: Sequence[str]) -> None:
    seen: dict[str, str] = {}
    for part in parts:
        if Path(part).suffix not in ENDINGS:
            raise InputError(None, f"{part} is no part: those are files of `refscore stats`, .refstats or .arrow")
        if not os.path.isfile(part):
            raise InputError(None, f"{part} cannot be read: there is no such file")
        real = os.path.realpath(part)
        if real in seen:
            raise InputError(None, f"{part} is given twice: its segments would count twice")
        seen[real] = part


def _check_target(path: Path) -> None:
    if path.suffix != ".refstats":
        raise InputError(None, f"{path}: a sum is saved as a .refstats")
    check_writable(path)


def _add(merged: dict[str, Accumulator], part: str, with_intervals: bool) -> None:
    if Path(part).suffix == ".arrow":
        from refscore.accumulation.arrow_rows import read_rows

        sums = read_rows(part, keep="rows" if with_intervals else "sums")
    else:
        sums = Accumulator.load(part)
    if with_intervals and sums.keep == "sums":
        raise InputError(
            None, f"{part} has no rows to draw intervals from: make it with --rows or --sample, or as .arrow"
        )
    system = sums.note.get("system")
    name = system if isinstance(system, str) and system else _UNNAMED
    if name not in merged:
        merged[name] = sums
        return
    try:
        merged[name].merge(sums)
    except InputError as error:
        raise InputError(None, f"{part}: {error}") from None


def _results(merged: Mapping[str, Accumulator], parts: Sequence[str]) -> Results:
    (first, sums), *others = merged.items()
    for name, other in others:
        if other.segments != sums.segments:
            raise InputError(
                None,
                f"there are {other.segments} segments of {name} but {sums.segments} of {first}: is a part missing, or "
                "too many?",
            )
        if other.metrics != sums.metrics:
            raise InputError(None, f"the parts of {name} and {first} are of different metrics")
    return Results(
        sums.segments,
        sums.metrics,
        [SystemResult(System(name, f"{len(parts)} parts"), own.scores(), {}) for name, own in merged.items()],
        None,
    )


def _intervals(
    merged: Mapping[str, Accumulator], threads: int | None, settings: Mapping[str, Any]
) -> dict[tuple[str, str], Interval]:
    return {
        (name, label): sums.interval(label, threads=threads, **settings)
        for name, sums in merged.items()
        for label in sums.metrics
    }
