"""DuckDB: scores of segments as functions of SQL, and scores of corpora by groups.

    refscore.frames.duckdb.register(connection, ["bleu", "chrf"])
    connection.sql("SELECT bleu(hyp, ref) FROM segments")

As elsewhere in SQL, NULL has the score NULL: a hypothesis, or all references of a segment.
"""

from __future__ import annotations

from typing import Any

from refscore.errors import InputError, NotInstalledError, SettingError
from refscore.frames.job import ColumnNames, Missing, check_missing, check_type
from refscore.frames.scoring import score_columns
from refscore.metrics.core.metric import Metric
from refscore.metrics.core.selection import MetricChoices, parse_metrics

try:
    import duckdb
    import pyarrow as pa
except ModuleNotFoundError:
    raise NotInstalledError("refscore.frames.duckdb needs packages: pip install 'refscore[duckdb]'") from None

from refscore.frames import arrow


def register(
    connection: Any,
    metrics: MetricChoices = ("bleu", "chrf", "ter"),
    *,
    threads: int | None = None,
    missing: Missing = "skip",
) -> None:
    """Add functions of metrics to the SQL of a connection: name(hypothesis, reference, …), which returns a DOUBLE.

    Scores are from 0 to 1 for most metrics. Those of missing segments are NULL, unless `missing` is "error" or "nan".

    A hypothesis is a VARCHAR, or a list of VARCHAR (tokens) or of integers (ids). A reference is a VARCHAR or a list of
    VARCHAR, several references of the segment; there may be more than one such argument. NULL is a missing reference.

    The metrics are those of `refscore.frames.arrow.scores`. Functions have their names, with _ for characters that are
    not letters or digits. One call uses `threads`, all cores by default; DuckDB has threads of its own.

    Example:
        >>> import duckdb as db
        >>> from refscore import frames
        >>> connection = db.connect()
        >>> frames.duckdb.register(connection, "wer")
        >>> connection.sql("SELECT wer('a cat', 'the cat'), wer('a cat', ['the cat', 'a cat'])").fetchall()
        [(0.5, 0.0)]
    """
    check_missing(missing)
    check_type("connection", connection, duckdb.DuckDBPyConnection, "a connection of DuckDB")
    labelled = parse_metrics(metrics, for_segments=True)
    names = ["".join(c if c.isalnum() else "_" for c in label) for label in labelled]
    if len(set(names)) < len(names):
        raise SettingError(f"two metrics would have the same name in SQL: {', '.join(names)}")
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
    threads: int | None = None,
    missing: Missing = "error",
) -> pa.Table:
    """Return the scores of all segments of a relation together, or of each group; it is read batch by batch.

    The arguments and the result are those of `refscore.frames.arrow.corpus`. DuckDB can query the result, an Arrow
    table, by the name of its variable.

    Example:
        >>> import duckdb as db
        >>> from refscore import frames
        >>> connection = db.connect()
        >>> relation = connection.sql("SELECT * FROM (VALUES ('a cat', 'the cat'), ('a dog', 'a dog')) t(hyp, ref)")
        >>> frames.duckdb.corpus(relation, "hyp", "ref", "wer").to_pydict()
        {'segments': [2], 'wer': [0.25]}
    """
    check_type("relation", relation, duckdb.DuckDBPyRelation, "a relation of DuckDB")
    return arrow.corpus(relation, hypotheses, references, metrics, score_by=score_by, threads=threads, missing=missing)


def _function(name: str, metric: Metric[Any], threads: int | None, missing: Missing) -> Any:
    def score(*columns: Any) -> Any:
        if len(columns) < 2:
            raise InputError(None, f"{name} takes a hypothesis and at least one reference")
        return pa.array(score_columns(arrow.ARROW, columns, metric, missing, threads))

    return score
