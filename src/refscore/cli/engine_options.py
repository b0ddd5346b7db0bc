from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import click

from refscore.cli.input_options import InputOptions
from refscore.cli.metric_options import reject_unfitted
from refscore.cli.option_group import first_given, option_group
from refscore.errors import InputError, Location
from refscore.evaluation import Evaluation
from refscore.metrics import Metric, metric_titles
from refscore.readers.system_scores import System

ENGINES = ("ray", "spark")

# Options of `refscore score` that need the segments on this machine, and what to use instead.
_REJECTED = {
    "with_intervals": "use `refscore stats --sample` and `refscore merge --ci` instead of --ci",
    "segment_file": "use `with_scores` of refscore.engines instead of --segments",
    "by": "use `corpus` of refscore.engines with by= instead of --by",
    "given": "leave out --given",
    "test_set": "name columns of a table with -r instead of -t",
    "resegment": "cut the systems with `refscore resegment` first instead of --resegment",
    "file_format": "leave out --input-format: engines read Parquet",
    "blank_reference": "leave out --blank-reference, and set missing references to null in the table",
}


@dataclass(frozen=True)
class EngineOptions:
    engine: str | None = None
    master: str | None = None

    def check(self) -> None:
        """Raise a usage error for options that need an engine, or that an engine cannot use."""
        context = click.get_current_context()
        if self.engine is None:
            if self.master is not None:
                raise click.UsageError("--master needs --engine: add --engine spark", context)
            return
        given = first_given(_REJECTED)
        if given is not None:
            raise click.UsageError(f"with --engine {self.engine}, {_REJECTED[given]}", context)

    def evaluate(
        self,
        systems: Sequence[System],
        input_options: InputOptions,
        metrics: Mapping[str, Metric[Any]],
        threads: int | None,
    ) -> Evaluation:
        reject_unfitted(metrics, "leave out --engine, or the metric")
        hypothesis_columns = [_split(system.file) for system in systems]
        reference_columns = [_split(file) for file in input_options.files()]
        input_options.check_source(metrics.values())
        source_columns = [] if input_options.source is None else [_split(input_options.source)]
        all_columns = *hypothesis_columns, *reference_columns, *source_columns
        paths = [*dict.fromkeys(path for path, _ in all_columns)]
        if len(paths) > 1:
            fix = "put hypotheses and references into one table, which engines need"
            raise InputError(Location(file=paths[1]), f"is a different table than {paths[0]}", fix)
        module = import_module(f"refscore.engines.{self.engine}")
        names = [column for _, column in reference_columns]
        source = next((column for _, column in source_columns), None)
        joined: Evaluation | None = None
        # Ray prints messages of its workers to stdout.
        with warnings.catch_warnings(), redirect_stdout(sys.stderr):
            # PySpark warns about the version of pandas even though these jobs use no pandas.
            warnings.simplefilter("ignore", FutureWarning)
            frame = module.read(paths[0], master=self.master)
            for system, (_, column) in zip(systems, hypothesis_columns, strict=True):
                one = module.evaluate(
                    frame, column, names, metrics, system=system.name, sources=source, threads=threads or 1
                )
                if one.segments == 0:
                    raise InputError(Location(file=paths[0]), "has no rows", "an empty corpus has no score")
                joined = one if joined is None else joined.beside(one)
        assert joined is not None
        joined.titles = metric_titles(metrics)
        joined.notes["files"] = [system.file for system in systems]
        return joined


def _split(spec: str) -> tuple[str, str]:
    """Return the path and the column. The path may contain colons, as in hdfs://host:8020/data."""
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
        help="Score columns of a Parquet table on a cluster. Write HYP and REF as PATH:COLUMN.",
    ),
    click.option(
        "--master",
        metavar="URL",
        help="Where the engine runs: local[4], spark://host:7077 or yarn for Spark, an address for Ray.",
    ),
)
