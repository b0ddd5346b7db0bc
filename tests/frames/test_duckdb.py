"""DuckDB: functions in SQL, and groups."""

import duckdb as db
import pyarrow as pa
import pytest

import refscore
from refscore.frames import duckdb
from tests.frames.common_frames import METRICS, check, columns

DATA = columns()
TABLE = pa.table(DATA)


@pytest.fixture
def connection():
    with db.connect() as made:
        made.register("segments", TABLE)
        yield made


@pytest.mark.parametrize("by", [[], ["lang", "domain"]])
def test_corpus_by_groups(connection, by):
    check(
        duckdb.corpus(connection.sql("SELECT * FROM segments"), "hyp", "ref", METRICS, score_by=by).to_pylist(),
        DATA,
        by,
    )


def test_functions(connection):
    duckdb.register(connection, ["bleu", "chrf++", "bleu:nltk"])
    found = connection.sql("SELECT bleu(hyp, ref), chrf__(hyp, ref), bleu_nltk(hyp, ref) FROM segments").fetchall()
    metrics = [refscore.BLEU.preset("sacrebleu-sentence"), refscore.CHRF.preset("chrf++"), refscore.BLEU.preset("nltk")]
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
    with pytest.raises(refscore.InputError, match="connection must be a DuckDB connection, not str"):
        duckdb.register("here")
    with pytest.raises(refscore.InputError, match="relation must be a DuckDB relation, not str"):
        duckdb.corpus("here", "hyp", "ref")
    with pytest.raises(refscore.SettingError, match="two metrics have the same SQL name"):
        duckdb.register(connection, {"a+": "wer", "a-": "wer"})
    duckdb.register(connection, "wer")
    with pytest.raises(db.Error, match="wer needs a hypothesis and at least one reference"):
        connection.sql("SELECT wer('a')").fetchall()
    with pytest.raises(db.Error, match="hypotheses is a column of integers"):
        connection.sql("SELECT wer(1, 'a')").fetchall()
