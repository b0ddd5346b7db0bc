"""Arrow tables: segment scores, rows, mergeable sums, groups."""

import numpy as np
import pyarrow as pa
import pytest

import refscore
from refscore.errors import Location
from refscore.frames import arrow
from tests.frames.common_frames import WITH_OUTSIDE, check, columns

DATA = columns()
METRICS = WITH_OUTSIDE
TABLE = pa.table(DATA)
TOTALS = arrow.totals(TABLE, "hyp", "ref", "bleu")


def forms():
    import pyarrow.dataset

    yield "table", lambda: TABLE
    yield "chunks", lambda: pa.concat_tables([TABLE.slice(0, 7), TABLE.slice(7, 200), TABLE.slice(207)])
    yield "batch", lambda: TABLE.to_batches()[0]
    yield "reader", lambda: TABLE.to_reader(max_chunksize=33)
    yield "batches", lambda: iter(TABLE.to_batches(max_chunksize=33))
    yield "dataset", lambda: pyarrow.dataset.dataset(TABLE)
    encoded = TABLE.set_column(3, "lang", TABLE["lang"].dictionary_encode())
    yield "dictionary", lambda: encoded
    views = {name: values if name == "domain" else pa.array(values, pa.string_view()) for name, values in DATA.items()}
    yield "views", lambda: pa.table(views)


FORMS = dict(forms())


@pytest.mark.parametrize("by", [[], ["lang", "domain"]])
@pytest.mark.parametrize("form", FORMS)
def test_corpus_by_groups(form, by):
    check(arrow.corpus(FORMS[form](), "hyp", "ref", METRICS, score_by=by).to_pylist(), DATA, by, METRICS)


def test_datasets_of_files(tmp_path):
    from pyarrow import csv, dataset, parquet

    (tmp_path / "parquet").mkdir()
    for i in (0, 200):
        parquet.write_table(TABLE.slice(i, 200), tmp_path / "parquet" / f"{i}.parquet", row_group_size=30)
    csv.write_csv(TABLE.drop_columns(["lang", "other"]), tmp_path / "segments.csv")
    folder = dataset.dataset(tmp_path / "parquet")
    for files in (folder, dataset.dataset(tmp_path / "segments.csv", format="csv")):
        found = arrow.corpus(files, "hyp", "ref", METRICS, score_by=["domain"]).to_pylist()
        check(found, DATA, ["domain"], METRICS)
    with pytest.raises(refscore.UnknownNameError, match="'hypo'"):
        arrow.corpus(folder, "hypo", "ref")


def test_several_columns_of_references_in_many_parts(monkeypatch):
    monkeypatch.setattr(arrow, "STEP", 30)
    found = arrow.corpus(TABLE, "hyp", ["ref", "other"], METRICS, score_by=["domain", "lang"]).to_pylist()
    check(found, DATA, ["domain", "lang"], METRICS, several=True)


def test_totals_merge_to_the_last_bit():
    whole = arrow.totals(TABLE, "hyp", "ref", METRICS, score_by=["domain"])
    parts = [arrow.totals(TABLE.slice(i, 100), "hyp", "ref", METRICS, score_by=["domain"]) for i in range(0, 400, 100)]
    assert arrow.merge(parts).equals(whole, check_metadata=True)
    assert arrow.merge(part.to_batches()[0] for part in parts).equals(whole, check_metadata=True)
    pairs = [arrow.merge(parts[i : i + 2]) for i in range(0, 4, 2)]
    backwards = arrow.merge(pairs[::-1])
    assert sorted(backwards.to_pylist(), key=str) == sorted(whole.to_pylist(), key=str)
    check(arrow.score(whole, METRICS).to_pylist(), DATA, ["domain"], METRICS)


def test_totals_whose_groups_have_different_types():
    halves = [
        pa.table({"hyp": ["a"], "ref": ["a"], "lang": pa.nulls(1)}),
        pa.table({"hyp": ["a", "a"], "ref": ["a", "b"], "lang": ["de", None]}),
    ]
    for parts in (halves, halves[::-1]):
        merged = arrow.merge(arrow.totals(part, "hyp", "ref", "wer", score_by="lang") for part in parts)
        assert {row["lang"]: row["segments"] for row in merged.to_pylist()} == {None: 2, "de": 1}
    numbers = pa.table({"hyp": ["a"], "ref": ["a"], "lang": [1]})
    with pytest.raises(refscore.InputError, match="lang"):
        arrow.merge(arrow.totals(part, "hyp", "ref", "wer", score_by="lang") for part in (halves[1], numbers))


def test_rows_and_scores():
    batch = TABLE.to_batches()[0]
    rows = arrow.rows(batch, "hyp", "ref", ["bleu", "ter"])
    for label, metric in {"bleu": refscore.BLEU(), "ter": refscore.TER()}.items():
        found = np.array(rows[label].to_pylist())
        np.testing.assert_array_equal(found, metric.stats(DATA["hyp"], DATA["ref"]))
        assert rows.schema.field(label).metadata[b"refscore.signature"].decode() == metric.signature
    scores = arrow.scores(batch, "hyp", "ref", {"mine": "bleu", "nltk": "bleu:nltk"})
    sentence = refscore.BLEU.preset("sacrebleu-sentence")
    np.testing.assert_array_equal(scores["mine"].to_numpy(), sentence.segments(DATA["hyp"], DATA["ref"]))
    assert scores.schema.names == ["mine", "nltk"]


@pytest.mark.parametrize("form", ["table", "chunks", "batch", "reader"])
def test_with_scores(form):
    given = FORMS[form]()
    made = arrow.with_scores(given, "hyp", "ref", ["bleu", "chrf"])
    assert isinstance(made, type(given))
    table = made.read_all() if form == "reader" else made
    assert table.schema.names == [*DATA, "bleu", "chrf"]
    values = np.asarray(table["chrf"])
    np.testing.assert_array_equal(values, refscore.CHRF().segments(DATA["hyp"], DATA["ref"]))


def test_no_rows():
    empty = TABLE.slice(0, 0)
    found = arrow.corpus(empty, "hyp", "ref", METRICS, score_by=["lang"])
    assert (found.num_rows, found.column_names) == (0, ["lang", "segments", *METRICS])
    with pytest.raises(refscore.InputError):
        arrow.corpus(empty, "hyp", "ref")
    assert arrow.with_scores(empty, "hyp", "ref").num_rows == 0


def of_table(*arguments, **options):
    """Return a call of `corpus` with the table."""
    return lambda: arrow.corpus(TABLE, *arguments, **options)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (of_table("hype", "ref"), refscore.UnknownNameError, "'hyp'"),
        (of_table("hyp", "ref", score_by="language"), refscore.UnknownNameError, "'lang'"),
        (of_table("hyp", []), refscore.SettingError, "references"),
        (of_table(3, "ref"), refscore.SettingError, "hypotheses"),
        (of_table("hyp", "ref", threads=0), refscore.SettingError, "threads"),
        (of_table("hyp", "ref", "nist"), refscore.SettingError, "NIST"),
        (lambda: arrow.corpus(3, "hyp", "ref"), refscore.InputError, "data"),
        (lambda: arrow.corpus([3], "hyp", "ref"), refscore.InputError, "data"),
        (lambda: arrow.corpus([], "hyp", "ref"), refscore.InputError, "data"),
        (lambda: arrow.with_scores([TABLE], "hyp", "ref"), refscore.InputError, "data"),
        (lambda: arrow.merge([]), refscore.InputError, "totals"),
        (lambda: arrow.merge([TABLE]), refscore.InputError, "totals"),
        (lambda: arrow.score(TOTALS, {"bleu": "bleu:nltk"}), refscore.SettingError, "bleu"),
        (lambda: arrow.score(TOTALS, "wer"), refscore.SettingError, "bleu"),
    ],
)
def test_mistakes(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "location"),
    [
        (lambda: arrow.corpus(TABLE, "hyp", "other"), Location("other", segment=DATA["other"].index(None))),
        (lambda: arrow.scores(TABLE.to_batches()[0], "domain", "ref"), Location("domain")),
        (lambda: arrow.rows(TABLE.to_batches()[0], "other", "ref"), Location("other", DATA["other"].index(None))),
        (lambda: arrow.with_scores(TABLE, "hyp", "ref", {"lang": "bleu"}), Location("lang")),
        (lambda: arrow.corpus(TABLE, "hyp", "ref", {"lang": "bleu"}, score_by="lang"), Location("lang")),
        (lambda: arrow.corpus(TABLE, "hyp", "ref", {"segments": "bleu"}), Location("segments")),
        (lambda: arrow.corpus(TABLE.append_column("hyp", TABLE["hyp"]), "hyp", "ref"), Location("hyp")),
        (
            lambda: arrow.merge([arrow.totals(TABLE, "hyp", "ref", m) for m in ("bleu", "bleu:nltk")]),
            Location("parts", segment=1),
        ),
        (lambda: arrow.corpus(TABLE.append_column("x", [[[1]] * 400]), "hyp", "ref", score_by="x"), Location("x")),
    ],
)
def test_errors_name_the_column_and_the_row(call, location):
    with pytest.raises(refscore.InputError) as raised:
        call()
    assert raised.value.location == location


@pytest.mark.parametrize("size", [3, 65_536])
def test_rows_are_counted_from_the_first_of_all(monkeypatch, size):
    monkeypatch.setattr(arrow, "STEP", size)
    table = pa.table({"hyp": ["a"] * 4 + ["a b"], "ref": ["a"] * 4 + [""], "other": ["b"] * 4 + [None]})
    for references, side in (("ref", "ref"), (["ref", "other"], "(ref, other)")):
        for call in (arrow.corpus, arrow.with_scores):
            with pytest.raises(refscore.EmptyReferenceError) as raised:
                call(table, "hyp", references, "ribes")
            assert (raised.value.location.side, raised.value.location.segment) == (side, 4)
    with refscore.limits(max_tokens=1), pytest.raises(refscore.LimitError) as raised:
        arrow.corpus(table, "hyp", "ref", METRICS["surplus"])
    assert raised.value.location == Location("hyp", segment=4)
