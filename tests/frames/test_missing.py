"""Missing segments in frames of every library: an error, skipped, or NaN."""

import math
import subprocess
import sys

import duckdb as db
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import refscore
from refscore import frames
from refscore.errors import Location

DATA = {
    "hyp": ["a cat sat", None, "the dog", "a bird sang", "two", None],
    "ref": ["a cat sat down", "x", None, "the bird sang", None, None],
    "other": [None, "y", "a dog", "a bird", None, "z"],
    "lang": ["de", "de", "fr", "fr", "it", "it"],
}
METRICS = {"wer": refscore.WER(), "chrf": refscore.CHRF(), "ter": refscore.TER()}


def present(references):
    """Return the rows that can be scored, and their references."""
    entries = [[DATA[name][i] for name in references if DATA[name][i] is not None] for i in range(6)]
    return {i: entries[i] for i in range(6) if DATA["hyp"][i] is not None and entries[i]}


def relation(data=DATA):
    return db.connect().from_arrow(pa.table(data))


def duckdb_scores(references, missing):
    connection = db.connect()
    frames.duckdb.register(connection, METRICS, missing=missing)
    connection.register("data", pa.table(DATA))
    columns = ", ".join(f"{name}(hyp, {', '.join(references)}) AS {name}" for name in METRICS)
    return connection.sql(f"SELECT {columns} FROM data").to_arrow_table().to_pydict()


def polars_scores(references, missing):
    scores = [frames.polars.segment_score("hyp", references, metric, missing=missing) for metric in METRICS.values()]
    return pl.DataFrame(DATA).lazy().select(scores).collect().to_dict(as_series=False)


def of_frame(function, make, rows):
    """Return a function from reference columns and options to scores: `function` applied to the frame of a library."""
    return lambda references, metrics=METRICS, data=DATA, **options: rows(
        function(make(data), "hyp", references, metrics, **options)
    )


# Segment scores in columns.
SEGMENTS = {
    "batch": of_frame(frames.with_scores, pa.record_batch, pa.RecordBatch.to_pydict),
    "arrow": of_frame(frames.with_scores, pa.table, pa.Table.to_pydict),
    "pandas": of_frame(frames.with_scores, pd.DataFrame, lambda frame: frame.to_dict("list")),
    "polars": of_frame(frames.with_scores, pl.DataFrame, lambda frame: frame.to_dict(as_series=False)),
    "polars lazy": of_frame(frames.with_scores, pl.LazyFrame, lambda query: query.collect().to_dict(as_series=False)),
    "polars expressions": polars_scores,
    "relation": of_frame(frames.with_scores, relation, pa.Table.to_pydict),
    "duckdb": duckdb_scores,
}
# Corpus scores in rows.
CORPORA = {
    "arrow": of_frame(frames.corpus, pa.table, pa.Table.to_pylist),
    "pandas": of_frame(frames.corpus, pd.DataFrame, lambda frame: frame.to_dict("records")),
    "polars": of_frame(frames.corpus, pl.LazyFrame, pl.DataFrame.to_dicts),
    "duckdb": of_frame(frames.corpus, relation, pa.Table.to_pylist),
}
REFERENCES = [["ref"], ["ref", "other"]]
# Hypotheses, columns of references, and the first segment that is missing.
MISSING = [
    (DATA["hyp"], ["ref"], Location("hyp", segment=1)),
    (["x"] * 6, ["ref"], Location("ref", segment=2)),
    (["x"] * 6, ["ref", "other"], Location("(ref, other)", segment=4)),
]


@pytest.mark.parametrize("references", REFERENCES, ids="+".join)
@pytest.mark.parametrize("missing", ["skip", "nan"])
@pytest.mark.parametrize("library", SEGMENTS)
def test_segments(library, missing, references):
    found = SEGMENTS[library](references, missing=missing)
    rows = present(references)
    for name, metric in METRICS.items():
        expected = metric.segments([DATA["hyp"][i] for i in rows], [*rows.values()])
        assert [found[name][i] for i in rows] == expected.tolist()
        for i in {*range(6)} - {*rows}:
            if missing == "skip" and library != "pandas":
                assert found[name][i] is None
            else:
                assert math.isnan(found[name][i])


@pytest.mark.parametrize("references", REFERENCES, ids="+".join)
@pytest.mark.parametrize("missing", ["skip", "nan"])
@pytest.mark.parametrize("by", [None, "lang"])
@pytest.mark.parametrize("library", CORPORA)
def test_corpora(library, by, missing, references):
    found = CORPORA[library](references, by=by, missing=missing)
    groups = ["de", "fr", "it"] if by else [None]
    assert [row.get("lang") for row in found] == groups
    for row, group in zip(found, groups, strict=True):
        members = [i for i in range(6) if group in (None, DATA["lang"][i])]
        rows = {i: entry for i, entry in present(references).items() if i in members}
        assert row["segments"] == len(rows)
        for name, metric in METRICS.items():
            if not rows or (missing == "nan" and len(rows) < len(members)):
                assert math.isnan(row[name])
            else:
                assert row[name] == metric.corpus([DATA["hyp"][i] for i in rows], [*rows.values()]).value


@pytest.mark.parametrize("missing", ["skip", "nan"])
def test_corpora_in_polars_expressions(missing):
    expression = frames.polars.corpus_score("hyp", "ref", "wer", missing=missing)
    found = pl.DataFrame(DATA).group_by("lang", maintain_order=True).agg(expression).rows()
    wer = refscore.wer(["a cat sat"], ["a cat sat down"]).value, refscore.wer(["a bird sang"], ["the bird sang"]).value
    assert missing == "nan" or found[:2] == [("de", wer[0]), ("fr", wer[1])]
    assert [math.isnan(value) for _, value in found] == [missing == "nan", missing == "nan", True]


def test_parts_leave_missing_segments_out():
    table = pa.table(DATA)
    parts = [frames.totals(table.slice(i, 2), "hyp", "ref", "wer", missing="skip") for i in (0, 2, 4)]
    whole = frames.corpus(table, "hyp", "ref", "wer", missing="skip")
    assert frames.score_totals(frames.merge(parts), "wer") == whole
    with pytest.raises(refscore.SettingError, match="missing='skip'"):
        frames.totals(table, "hyp", "ref", "wer", missing="nan")


@pytest.mark.parametrize(("hypotheses", "references", "location"), MISSING)
@pytest.mark.parametrize("library", CORPORA)
def test_by_default_missing_segments_are_errors_that_name_the_option(library, hypotheses, references, location):
    with pytest.raises(refscore.InputError, match="missing='skip'") as caught:
        CORPORA[library](references, data={**DATA, "hyp": hypotheses})
    assert caught.value.location == location


@pytest.mark.parametrize("library", CORPORA)
def test_other_errors_count_all_rows(library):
    """The empty reference is in row 3 of the frame, and second among the scored rows."""
    data = {"hyp": ["a", None, None, "b"], "ref": ["a", "b", "c", ""]}
    with pytest.raises(refscore.errors.EmptyReferenceError) as caught:
        CORPORA[library]("ref", "ribes", data, missing="skip")
    assert caught.value.location == Location("ref", segment=3)


def test_unknown_values():
    for call in (
        lambda: frames.with_scores(pa.record_batch(DATA), "hyp", "ref", missing="ignore"),
        lambda: frames.corpus(pd.DataFrame(DATA), "hyp", "ref", missing="ignore"),
        lambda: frames.polars.segment_score("hyp", "ref", missing="ignore"),
        lambda: frames.polars.corpus_score("hyp", "ref", missing="ignore"),
        lambda: frames.duckdb.register(db.connect(), missing="ignore"),
    ):
        with pytest.raises(refscore.errors.UnknownNameError, match="missing"):
            call()


@pytest.mark.slow
def test_importing_the_package_shadows_nothing():
    code = "import sys, refscore.frames; from refscore.frames import *\n"
    code += "libraries = {'narwhals', 'pandas', 'polars', 'pyarrow', 'duckdb'}\n"
    code += "print(libraries & {*globals()}, refscore.frames.corpus is corpus)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout.splitlines() == ["set() True"]
