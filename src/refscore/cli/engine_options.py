"""The options of `refscore score` that score on a cluster, from columns of one table."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

from refscore.cli.metric_options import reject_unfitted
from refscore.cli.option_group import is_given, option_group
from refscore.cli.system_scores import Results, SystemResult
from refscore.cli.systems import System
from refscore.errors import InputError, Location
from refscore.metrics import Metric

ENGINES = ("ray", "spark")

# Options of `refscore score` that need the segments on this machine, and why.
_REJECTED = {
    "with_intervals": "--ci needs rows of segments: use `refscore stats --sample` and `refscore merge --ci`",
    "segment_file": "--segments writes one file: use `with_scores` of refscore.engines for columns of scores",
    "test_set": "-t reads files of its own: an engine reads columns of one table",
    "file_format": "--input-format is for files on this machine: an engine reads Parquet",
    "blank_reference": "--blank-reference is for files on this machine: make such references null in the table",
}


@dataclass(frozen=True)
class EngineOptions:
    """The engine that scores, and where it runs."""

    engine: str | None = None
    master: str | None = None

    def check(self) -> None:
        """Reject options that do not go with the engine, or that need one."""
        context = click.get_current_context()
        if self.engine is None:
            if self.master is not None:
                raise click.UsageError("--master is a setting of engines: add --engine spark", context)
            return
        for name, reason in _REJECTED.items():
            if is_given(name):
                raise click.UsageError(f"{reason} (--engine {self.engine})", context)

    def score(
        self,
        systems: Sequence[System],
        references: Sequence[str],
        metrics: Mapping[str, Metric[Any]],
        threads: int | None,
    ) -> Results:
        """Return what `score_systems` returns, scored by the engine in one job per system, from columns of a table."""
        reject_unfitted(metrics, "leave out --engine, or the metric")
        hypothesis_columns = [_split(system.file) for system in systems]
        reference_columns = [_split(file) for file in references]
        paths = [*dict.fromkeys(path for path, _ in (*hypothesis_columns, *reference_columns))]
        if len(paths) > 1:
            fix = "an engine reads hypotheses and references from one table"
            raise InputError(Location(file=paths[1]), f"is not {paths[0]}", fix)
        module = import_module(f"refscore.engines.{self.engine}")
        names = [column for _, column in reference_columns]
        results, segments = [], 0
        # Ray prints what happens to its workers between what a program prints.
        with warnings.catch_warnings(), redirect_stdout(sys.stderr):
            # PySpark warns about the version of pandas, which is not used here.
            warnings.simplefilter("ignore", FutureWarning)
            frame = module.read(paths[0], master=self.master)
            for system, (_, column) in zip(systems, hypothesis_columns, strict=True):
                sums = module.accumulate(frame, column, names, metrics, threads=threads or 1)
                if sums.segments == 0:
                    raise InputError(Location(file=paths[0]), "is empty", "an empty corpus has no score")
                segments = sums.segments
                results.append(SystemResult(system, sums.scores(), {}))
        return Results(segments, metrics, results, None)


def _split(spec: str) -> tuple[str, str]:
    """Return the path and the column; a path may have colons, as in hdfs://host:8020/data."""
    path, colon, column = spec.rpartition(":")
    if not colon or not path or not column or "/" in column:
        raise InputError(Location(file=spec), "names no column", "write PATH:COLUMN, as in segments.parquet:ref")
    return path, column


# The command gets an `EngineOptions` as `engine_options`.
engine_options = option_group(
    "engine_options",
    EngineOptions,
    click.option(
        "--engine",
        type=click.Choice(ENGINES),
        help="Score on a cluster: HYP and REF are then columns of one table, PATH:COLUMN, where PATH is Parquet that "
        "the engine can read.",
    ),
    click.option(
        "--master",
        metavar="URL",
        help="Where the engine runs: local[4], spark://host:7077, yarn for Spark; the address of the cluster for Ray.",
    ),
)
