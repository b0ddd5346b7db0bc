"""Segment scores as SQL functions in DuckDB.

    refscore.frames.duckdb.register(connection, ["bleu", "chrf"])
    connection.sql("SELECT bleu(hyp, ref) FROM segments")

As usual in SQL, the score is NULL if the hypothesis or all its references are NULL.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import narwhals as nw

from refscore.errors import InputError, SettingError, requires
from refscore.frames.columns import score_segments, storable
from refscore.frames.job import Job, Missing, check_type
from refscore.metrics import MetricChoices

with requires("refscore.frames.duckdb", "duckdb"):
    import duckdb
    import pyarrow as pa


def register(
    connection: duckdb.DuckDBPyConnection,
    metrics: MetricChoices = ("bleu", "chrf", "ter"),
    *,
    threads: int | None = None,
    missing: Missing = "skip",
) -> None:
    """Add an SQL function for each metric to a connection: name(hypothesis, reference, …), which returns a DOUBLE.

    Scores are from 0 to 1 for most metrics. Missing segments have the score NULL, unless `missing` is "error" or "nan".

    A hypothesis is a VARCHAR, or a list with VARCHAR (tokens) or integers (token ids). A reference is a VARCHAR, or a
    VARCHAR list for several references. You can pass several such arguments. NULL is a missing reference. A metric
    that needs sources takes the source as its first argument: name(source, hypothesis, reference, …).

    `metrics` is as for `refscore.frames.with_scores`. A function is named like its metric, with _ replacing
    characters other than letters and digits. Each call uses `threads` threads, all cores by default, in addition to
    DuckDB's own threads.

    Example:
        >>> import duckdb as db
        >>> from refscore import frames
        >>> connection = db.connect()
        >>> frames.duckdb.register(connection, "wer")
        >>> connection.sql("SELECT wer('a cat', 'the cat'), wer('a cat', ['the cat', 'a cat'])").fetchall()
        [(0.5, 0.0)]
    """
    check_type("connection", connection, duckdb.DuckDBPyConnection, "a DuckDB connection")
    job = Job.parse(
        "hypotheses", "references", metrics, sources="sources", threads=threads, missing=missing, for_segments=True
    )
    names = ["".join(c if c.isalnum() else "_" for c in label) for label in job.metrics]
    if len(set(names)) < len(names):
        raise SettingError(
            f"two metrics have the same SQL name ({', '.join(names)}): label them, metrics={{'name': …}}"
        )
    for name, metric in zip(names, job.metrics.values(), strict=True):
        function = _function(replace(job, metrics={name: metric}, sources="sources" if metric.needs_sources else None))
        connection.create_function(name, function, None, "DOUBLE", type="arrow", null_handling="special")


def _function(job: Job) -> Any:
    ((name, metric),) = job.metrics.items()

    def score(*columns: Any) -> Any:
        if len(columns) < 2 + metric.needs_sources:
            source_first = "a source, " if metric.needs_sources else ""
            raise InputError(None, f"{name} needs {source_first}a hypothesis and at least one reference")
        # The source is the first argument of a function, but the last column of a job.
        ordered = [*columns[1:], columns[0]] if metric.needs_sources else columns
        last = ["sources"] if metric.needs_sources else []
        references = [f"references {index}" for index in range(1, len(columns) - len(last))]
        names = ["hypotheses", *(references if len(references) > 1 else ["references"]), *last]
        scores = score_segments(job.with_columns(names), nw.from_native(pa.table(ordered, names)))
        return pa.array(storable(scores[name]), pa.float64())

    return score
