"""DuckDB: functions in SQL."""

import duckdb as db
import pyarrow as pa
import pytest

import refscore
from refscore.frames import duckdb
from tests.frames.common_frames import WITH_OUTSIDE, columns

DATA = columns()
TABLE = pa.table(DATA)


@pytest.fixture
def connection():
    with db.connect() as made:
        made.register("segments", TABLE)
        yield made


def test_functions(connection):
    surplus = WITH_OUTSIDE["surplus"]
    duckdb.register(connection, ["bleu", "chrf++", surplus])
    found = connection.sql("SELECT bleu(hyp, ref), chrf__(hyp, ref), surplus(hyp, ref) FROM segments").fetchall()
    metrics = [refscore.BLEU.preset("sacrebleu-sentence"), refscore.CHRF.preset("chrf++"), surplus]
    expected = zip(*(metric.segments(DATA["hyp"], DATA["ref"]).tolist() for metric in metrics), strict=True)
    assert found == list(expected)


def test_null_is_null(connection):
    duckdb.register(connection, "wer")
    rows = connection.sql("SELECT wer(hyp, other), wer(other, ref), wer(hyp, other, ref) FROM segments").fetchall()
    wer = refscore.WER()
    for (one, two, three), hyp, ref, other in zip(rows, DATA["hyp"], DATA["ref"], DATA["other"], strict=True):
        assert one == (None if other is None else wer.segment(hyp, other).value)
        assert two == (None if other is None else wer.segment(other, ref).value)
        assert three == wer.segment(hyp, [other, ref]).value


def test_lists(connection):
    duckdb.register(connection, "wer")
    assert connection.sql(
        "SELECT wer('a b', ['x', 'a b']), wer(['a', 'b'], ['a', 'b']), wer([1, 2], [1, 3])"
    ).fetchall() == [(0, 0, 0.5)]
    assert connection.sql("SELECT wer('a b', other) FROM segments WHERE false").fetchall() == []


def test_columns_of_relations():
    connection = db.connect()
    query = "SELECT * FROM (VALUES ('a b c d'), ('e f g h')) t(hyp)"
    assert refscore.bleu(connection.sql(query), connection.sql(query)).value == 1


def test_mistakes(connection):
    with pytest.raises(refscore.InputError, match="connection"):
        duckdb.register("here")
    with pytest.raises(refscore.SettingError, match="SQL"):
        duckdb.register(connection, {"a+": "wer", "a-": "wer"})
    duckdb.register(connection, "wer")
    for query, words in (("wer('a')", "wer"), ("wer(1, 'a')", "hypotheses")):
        with pytest.raises(db.Error, match=words):
            connection.sql(f"SELECT {query}").fetchall()
