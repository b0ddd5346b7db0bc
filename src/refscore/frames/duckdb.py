"""DuckDB: scores of segments as functions of SQL, and scores of corpora by groups.

    refscore.frames.duckdb.register(connection, ["bleu", "chrf"])
    connection.sql("SELECT bleu(hyp, ref) FROM segments")

As elsewhere in SQL, what is NULL has the score NULL: a hypothesis, or all references of a segment.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from refscore.errors import InputError, NotInstalledError, SettingError
from refscore.frames.metrics import Metrics, segment_metrics
from refscore.metrics.core.arrow_columns import Beside
from refscore.metrics.core.metric import Metric

try:
    import duckdb
    import pyarrow as pa
    import pyarrow.compute as pc
except ModuleNotFoundError:
    raise NotInstalledError("refscore.frames.duckdb needs packages: pip install 'refscore[duckdb]'") from None

from refscore.frames import arrow


def register(connection: Any, metrics: Metrics = ("bleu", "chrf", "ter"), *, threads: int | None = None) -> None:
    """Makes functions of metrics for the SQL of a connection: name(hypothesis, reference, …) with a DOUBLE.

    A hypothesis is a VARCHAR, or a list of VARCHAR (tokens) or of integers (ids). A reference is a VARCHAR or a list of
    VARCHAR, several references of the segment; there may be more than one such argument. NULL is a missing reference.

    Args:
        connection: Of DuckDB.
        metrics: A name ("bleu", "chrf++", "bleu:nltk"), a metric, or several; in a dictionary, under names of your own.
            The names, with _ for what is no letter or digit, are those of the functions. By its name alone, BLEU is
            sacrebleu's `sentence_bleu`.
        threads: How many to use in one call; all cores by default. DuckDB has threads of its own.

    Example:
        >>> import duckdb as db
        >>> from refscore.frames import duckdb
        >>> connection = db.connect()
        >>> duckdb.register(connection, "wer")
        >>> connection.sql("SELECT wer('a cat', 'the cat'), wer('a cat', ['the cat', 'a cat'])").fetchall()
        [(0.5, 0.0)]
    """
    if not isinstance(connection, duckdb.DuckDBPyConnection):
        raise InputError(None, f"connection must be a connection of DuckDB, not {type(connection).__name__}")
    chosen = segment_metrics(metrics)
    names = {label: "".join(c if c.isalnum() else "_" for c in label) for label in chosen}
    if len(set(names.values())) < len(names):
        raise SettingError(f"two metrics would have the same name in SQL: {', '.join(names.values())}")
    for label, metric in chosen.items():
        connection.create_function(
            names[label],
            _function(names[label], metric, threads),
            None,
            "DOUBLE",
            type="arrow",
            null_handling="special",
        )


def corpus(
    relation: Any,
    hypotheses: str,
    references: str | Iterable[str],
    metrics: Metrics = "bleu",
    *,
    score_by: str | Iterable[str] | None = None,
    threads: int | None = None,
) -> pa.Table:
    """The scores of all segments of a relation together, or of each group of them; only some is there at a time.

    Args:
        relation: What `connection.sql(…)` gives.
        hypotheses: The name of the column of hypotheses.
        references: The name of the column of references, strings or lists of strings; or several names.
        metrics: A name ("bleu", "chrf++", "bleu:nltk"), a metric, or several; in a dictionary, under names of your own.
        score_by: The names of the columns that make up groups; by default, all is one group.
        threads: How many to use; all cores by default.

    Returns:
        A table of Arrow, which DuckDB reads by the name of its variable, with a row for each group: the columns of
        `score_by`, the number of segments, and a column for each metric.

    Example:
        >>> import duckdb as db
        >>> from refscore.frames import duckdb
        >>> connection = db.connect()
        >>> relation = connection.sql("SELECT * FROM (VALUES ('a cat', 'the cat'), ('a dog', 'a dog')) t(hyp, ref)")
        >>> duckdb.corpus(relation, "hyp", "ref", "wer").to_pydict()
        {'segments': [2], 'wer': [0.25]}
    """
    if not isinstance(relation, duckdb.DuckDBPyRelation):
        raise InputError(None, f"relation must be a relation of DuckDB, not {type(relation).__name__}")
    return arrow.corpus(relation, hypotheses, references, metrics, score_by=score_by, threads=threads)


def _function(name: str, metric: Metric[Any], threads: int | None) -> Any:
    def scored(*columns: Any) -> Any:
        if len(columns) < 2:
            raise InputError(None, f"{name} takes a hypothesis and at least one reference")
        present = np.zeros(len(columns[0]), dtype=bool)
        for column in columns[1:]:
            present |= _valid(column)
        present &= _valid(columns[0])
        kept = columns if present.all() else [column.filter(pa.array(present)) for column in columns]
        values = np.zeros(len(present))
        if present.any():
            references = kept[1] if len(kept) == 2 else Beside(kept[1:])
            values[present] = metric.segments(kept[0], references, threads=threads)
        return pa.array(values, mask=~present)

    return scored


def _valid(column: Any) -> Any:
    return np.asarray(pc.is_valid(column))
