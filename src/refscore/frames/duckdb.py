"""Segment scores as SQL functions in DuckDB, and corpus scores by group.

    refscore.frames.duckdb.register(connection, ["bleu", "chrf"])
    connection.sql("SELECT bleu(hyp, ref) FROM segments")

As usual in SQL, the score is NULL if the hypothesis or all references of a segment are NULL.
"""

from __future__ import annotations

from typing import Any

from refscore.errors import InputError, NotInstalledError, SettingError
from refscore.frames.job import ColumnNames, Columns, Missing, check_missing, check_type
from refscore.frames.scoring import score_columns
from refscore.metrics import Metric, MetricChoices, parse_metrics

try:
    import duckdb
    import pyarrow as pa
except ModuleNotFoundError:
    raise NotInstalledError("refscore.frames.duckdb needs duckdb and pyarrow: pip install 'refscore[duckdb]'") from None

from refscore.frames import arrow


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

    `metrics` is as for `refscore.frames.arrow.scores`. A function is named like its metric, with _ instead of
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


def corpus(
    relation: Any,
    hypotheses: str,
    references: ColumnNames,
    metrics: MetricChoices = "bleu",
    *,
    score_by: ColumnNames | None = None,
    sources: str | None = None,
    threads: int | None = None,
    missing: Missing = "error",
) -> pa.Table:
    """Return the corpus scores of a relation, or of each group. The relation is read batch by batch.

    The arguments and the result are those of `refscore.frames.arrow.corpus`. The result is an Arrow table, which DuckDB
    can query by the name of its variable.

    Example:
        >>> import duckdb as db
        >>> from refscore import frames
        >>> connection = db.connect()
        >>> relation = connection.sql("SELECT * FROM (VALUES ('a cat', 'the cat'), ('a dog', 'a dog')) t(hyp, ref)")
        >>> frames.duckdb.corpus(relation, "hyp", "ref", "wer").to_pydict()
        {'segments': [2], 'wer': [0.25]}
    """
    check_type("relation", relation, duckdb.DuckDBPyRelation, "a DuckDB relation")
    return arrow.corpus(
        relation,
        hypotheses,
        references,
        metrics,
        score_by=score_by,
        sources=sources,
        threads=threads,
        missing=missing,
    )


def _function(name: str, metric: Metric[Any], threads: int | None, missing: Missing) -> Any:
    def score(*columns: Any) -> Any:
        if len(columns) < 2 + metric.needs_sources:
            source_first = "a source, " if metric.needs_sources else ""
            raise InputError(None, f"{name} needs {source_first}a hypothesis and at least one reference")
        source, hypothesis, *references = columns if metric.needs_sources else (None, *columns)
        return pa.array(score_columns(arrow.ARROW, Columns(hypothesis, references, source), metric, missing, threads))

    return score
