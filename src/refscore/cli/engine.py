"""`refscore score --engine`: systems scored on a cluster, from columns of one table."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from importlib import import_module
from typing import Any

import click
from click.core import ParameterSource

from refscore.cli.inputs import InputChoice
from refscore.cli.scoring import Results, SystemResult
from refscore.cli.systems import System
from refscore.errors import InputError, SettingError
from refscore.metrics import NIST, Metric

ENGINES = ("ray", "spark")

# Options of `refscore score` that need the segments here, and why.
_REFUSED = {
    "with_intervals": "--ci needs rows of segments: use `refscore stats --sample` and `refscore merge --ci`",
    "segment_file": "--segments writes one file: use `with_scores` of refscore.engines for columns of scores",
    "test_set": "-t reads files of its own: an engine reads columns of one table",
    "file_format": "--format is of files that are read here: an engine reads Parquet",
    "blank_reference": "--blank-reference is of files that are read here: make such references null in the table",
}


def engine_options(command: Any) -> Any:
    """Adds --engine and --master."""
    master = click.option(
        "--master",
        metavar="URL",
        help="Where the engine runs: local[4], spark://host:7077, yarn for Spark; the address of the cluster for Ray.",
    )
    engine = click.option(
        "--engine",
        type=click.Choice(ENGINES),
        help="Score on a cluster: HYP and REF are then columns of one table, PATH:COLUMN, where PATH is Parquet "
        "wherever the engine can read.",
    )
    return engine(master(command))


def check_engine(engine: str | None, master: str | None) -> None:
    """An error for options that do not go with the engine, or that need one."""
    context = click.get_current_context()
    if engine is None:
        if master is not None:
            raise click.UsageError("--master is a setting of engines: add --engine spark", context)
        return
    for name, why in _REFUSED.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{why} (--engine {engine})", context)


def score_on(
    engine: str,
    master: str | None,
    systems: Sequence[System],
    sources: InputChoice,
    metrics: Mapping[str, Metric[Any]],
    threads: int | None,
) -> Results:
    """What `score_systems` gives, scored by an engine; a job for each system.

    Args:
        engine: Its name.
        master: Where it runs; None for its default.
        systems: Columns of hypotheses.
        sources: Columns of references.
        metrics: The metrics under their labels.
        threads: How many each task uses; one by default.
    """
    if any(isinstance(metric, NIST) and metric.information is None for metric in metrics.values()):
        raise SettingError("nist weighs words by all references, which no task has: leave out --engine, or nist")
    own = [_split(system.file) for system in systems]
    references = [_split(file) for file in sources.files()]
    paths = [*dict.fromkeys(path for path, _ in (*own, *references))]
    if len(paths) > 1:
        raise InputError(
            None, f"{paths[1]} is not {paths[0]}: an engine reads hypotheses and references from one table"
        )
    module = import_module(f"refscore.engines.{engine}")
    names = [column for _, column in references]
    results, segments = [], 0
    # Ray prints what happens to its workers between what a program prints.
    with warnings.catch_warnings(), redirect_stdout(sys.stderr):
        # PySpark's, of the version of pandas, which is not used here.
        warnings.simplefilter("ignore", FutureWarning)
        frame = module.read(paths[0], master=master)
        for system, (_, column) in zip(systems, own, strict=True):
            sums = module.accumulate(frame, column, names, metrics, threads=threads or 1)
            if sums.segments == 0:
                raise InputError(None, f"{paths[0]} is empty: an empty corpus has no score")
            segments = sums.segments
            results.append(SystemResult(system, sums.scores(), {}))
    return Results(segments, metrics, results, None)


def _split(spec: str) -> tuple[str, str]:
    """The path and the column; a path may have colons of its own, as in hdfs://host:8020/data.

    >>> _split("hdfs://host:8020/data/segments.parquet:hyp")
    ('hdfs://host:8020/data/segments.parquet', 'hyp')
    """
    path, colon, column = spec.rpartition(":")
    if not colon or not path or not column or "/" in column:
        raise InputError(None, f"{spec} names no column: write PATH:COLUMN, as in segments.parquet:ref")
    return path, column
