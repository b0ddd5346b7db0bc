"""Metrics from other packages work in frames like built-in ones."""

import duckdb as db
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import refscore
from refscore.frames import arrow, duckdb, pandas, polars
from tests.frames.common_frames import check, columns
from tests.frames.outside_metric import Surplus

DATA = columns()
METRICS = {"surplus": Surplus(), "bleu": "bleu"}
SEGMENTS = Surplus().segments(DATA["hyp"], DATA["ref"]).tolist()


@pytest.fixture(params=[[], ["lang", "domain"]], ids=str)
def by(request):
    return request.param


def test_arrow(by):
    table = pa.table(DATA)
    assert min(SEGMENTS) < 0
    check(arrow.corpus(table, "hyp", "ref", METRICS, score_by=by).to_pylist(), DATA, by, METRICS)
    parts = [arrow.totals(table.slice(i, 80), "hyp", "ref", METRICS, score_by=by) for i in range(0, 400, 80)]
    check(arrow.score(arrow.merge(parts), METRICS).to_pylist(), DATA, by, METRICS)
    assert arrow.with_scores(table, "hyp", "ref", METRICS)["surplus"].to_pylist() == SEGMENTS


def test_pandas(by):
    frame = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in DATA.items()})
    scored = pandas.corpus(frame, "hyp", "ref", METRICS, score_by=by)
    check(scored.astype(object).where(scored.notna(), None).to_dict("records"), DATA, by, METRICS)
    assert frame.assign(surplus=pandas.score("hyp", "ref", Surplus()))["surplus"].tolist() == SEGMENTS


def test_polars(by):
    frame = pl.DataFrame(DATA)
    check(polars.corpus(frame.lazy(), "hyp", "ref", METRICS, score_by=by).to_dicts(), DATA, by, METRICS)
    assert frame.select(polars.score("hyp", "ref", Surplus()))["surplus"].to_list() == SEGMENTS


def test_duckdb(by):
    with db.connect() as connection:
        connection.register("segments", pa.table(DATA))
        duckdb.register(connection, Surplus())
        rows = connection.sql("SELECT surplus(hyp, ref) FROM segments").fetchall()
        assert [value for (value,) in rows] == SEGMENTS
        relation = connection.sql("SELECT * FROM segments")
        check(duckdb.corpus(relation, "hyp", "ref", METRICS, score_by=by).to_pylist(), DATA, by, METRICS)


def test_errors_have_their_location():
    table = pa.table({"hyp": ["a b", "c d e"], "ref": ["a", "b"]})
    with refscore.limits(max_tokens=2), pytest.raises(refscore.LimitError) as raised:
        arrow.corpus(table, "hyp", "ref", Surplus())
    assert (raised.value.location.side, raised.value.location.segment) == ("hyp", 1)
