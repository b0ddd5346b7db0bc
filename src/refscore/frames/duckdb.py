"""Segment scores as SQL functions in DuckDB.

    refscore.frames.duckdb.register(connection, ["bleu", "chrf"])
    connection.sql("SELECT bleu(hyp, ref) FROM segments")

As usual in SQL, the score is NULL if the hypothesis or all references of a segment are NULL.
"""

from __future__ import annotations

from typing import Any

import narwhals as nw

from refscore.errors import InputError, NotInstalledError, SettingError
from refscore.frames.columns import Columns, score_columns, storable
from refscore.frames.job import Missing, check_missing, check_type
from refscore.metrics import Metric, MetricChoices, parse_metrics

try:
    import duckdb
    import pyarrow as pa
except ModuleNotFoundError:
    raise NotInstalledError("refscore.frames.duckdb needs duckdb and pyarrow: pip install 'refscore[duckdb]'") from None


def register(
    connection: Any,
    metrics: MetricChoices = ("bleu", "chrf", "ter"),
    *,
    threads: int | None = None,
    missing: Missing = "skip",
) -> None:
    """Add an SQL function for each metric to a connection: name(hypothesis, reference, …), which returns a DOUBLE.

    Scores are from 0 to 1 for most metrics. Missing segments have the score NULL, unless `missing` is "error" or "nan".

    A hypothesis is a VARCHAR, or a list of VARCHAR (tokens) or integers (token ids). A reference is a VARCHAR, or a
    list of VARCHAR for several references. You can pass several such arguments. NULL is a missing reference. A metric
    that needs sources takes the source as its first argument: name(source, hypothesis, reference, …).

    `metrics` is as for `refscore.frames.with_scores`. A function is named like its metric, with _ instead of
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
    check_missing(missing)
    check_type("connection", connection, duckdb.DuckDBPyConnection, "a DuckDB connection")
    labelled = parse_metrics(metrics, for_segments=True)
    names = ["".join(c if c.isalnum() else "_" for c in label) for label in labelled]
    if len(set(names)) < len(names):
        raise SettingError(
            f"two metrics have the same SQL name ({', '.join(names)}): label them, metrics={{'name': …}}"
        )
    for name, metric in zip(names, labelled.values(), strict=True):
        metric.check_fitted()
        function = _function(name, metric, threads, missing)
        connection.create_function(name, function, None, "DOUBLE", type="arrow", null_handling="special")


def _function(name: str, metric: Metric[Any], threads: int | None, missing: Missing) -> Any:
    def score(*columns: Any) -> Any:
        if len(columns) < 2 + metric.needs_sources:
            source_first = "a source, " if metric.needs_sources else ""
            raise InputError(None, f"{name} needs {source_first}a hypothesis and at least one reference")
        series = [nw.from_native(column, series_only=True) for column in columns]
        source, hypothesis, *references = series if metric.needs_sources else (None, *series)
        scores = score_columns(Columns(hypothesis, references, source), metric, missing, threads)
        return pa.array(storable(scores), pa.float64())

    return score
