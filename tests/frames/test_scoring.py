"""Segment scores and corpus scores of frames of every library."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import refscore
from refscore import frames
from refscore.errors import Location
from refscore.frames import parts
from tests.frames.common_frames import WITH_OUTSIDE, check
from tests.frames.forms import DATA, FORMS, KEYS, PANDAS, TABLE, records

METRICS = WITH_OUTSIDE


@pytest.mark.parametrize("by", [[], ["lang", "domain"]])
@pytest.mark.parametrize("form", FORMS)
def test_corpus_by_groups(form, by):
    found = frames.corpus(FORMS[form](), "hyp", "ref", METRICS, by=by)
    check(records(found), DATA, by, METRICS)
    if form.startswith(("polars", "pandas")):
        assert isinstance(found, pl.DataFrame if form.startswith("polars") else pd.DataFrame)
    else:
        assert isinstance(found, pa.Table)
    if form.startswith("pandas"):
        assert found.index.tolist() == [*range(len(found))]


@pytest.mark.parametrize("form", FORMS)
def test_several_columns_of_references_in_many_parts(form, monkeypatch):
    monkeypatch.setattr(parts, "STEP", 30)
    found = frames.corpus(FORMS[form](), "hyp", ["ref", "other"], METRICS, by=("domain", "lang"))
    check(records(found), DATA, ["domain", "lang"], METRICS, several=True)


@pytest.mark.parametrize("form", FORMS)
def test_totals_are_those_of_an_arrow_table(form):
    found = frames.totals(FORMS[form](), "hyp", "ref", METRICS, by="lang")
    wanted = frames.totals(TABLE, "hyp", "ref", METRICS, by="lang")
    assert found.drop_columns("lang").equals(wanted.drop_columns("lang"), check_metadata=True)
    assert found["lang"].to_pylist() == wanted["lang"].to_pylist()


@pytest.mark.parametrize("size", [30, 65_536])
@pytest.mark.parametrize("form", FORMS)
def test_columns_of_scores(form, size, monkeypatch):
    monkeypatch.setattr(parts, "STEP", size)
    frame = FORMS[form]()
    choices = {"bleu": "bleu", "wide": refscore.CHRF(word_order=2), "surplus": METRICS["surplus"]}
    scored = frames.with_scores(frame, "hyp", "ref", choices)
    assert isinstance(scored, pa.Table if form in ("batches", "dataset", "duckdb") else type(frame))
    if form in PANDAS:
        assert (scored.index == frame.index).all()
        assert "bleu" not in frame
    rows = records(scored)
    assert [[row[name] for name in DATA] for row in rows] == [list(row) for row in zip(*DATA.values(), strict=True)]
    assert [*rows[0]] == [*DATA, *choices]
    choices["bleu"] = refscore.BLEU.preset("sacrebleu-sentence")
    for label, metric in choices.items():
        np.testing.assert_array_equal([row[label] for row in rows], metric.segments(DATA["hyp"], DATA["ref"]))


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("library", ["arrow", "polars", "pandas"])
def test_keys(keys, library):
    table = pa.table({"key": KEYS[keys], "hyp": ["a"] * 4, "ref": ["a"] * 4})
    as_frame = {"arrow": pa.table, "polars": pl.from_arrow, "pandas": lambda table: table.to_pandas()}[library]
    found = frames.corpus(as_frame(table), "hyp", "ref", "wer", by="key")
    # In pandas, NaN is null.
    wanted = [3, 1] if (library, keys) == ("pandas", "floats") else [2, 1, 1]
    assert [row["segments"] for row in records(found)] == wanted


def test_rows_of_many_groups_keep_their_order():
    size = 200_000
    keys = [None if i % 7 == 0 else f"group {i % 90_001}" for i in range(size)]
    table = pa.table({"key": keys, "other": [i % 3 for i in range(size)], "hyp": ["a"] * size, "ref": ["a"] * size})
    found = frames.corpus(table, "hyp", "ref", "exact_match", by=["key", "other"])
    counts = {}
    for pair in zip(keys, table["other"].to_pylist(), strict=True):
        counts[pair] = counts.get(pair, 0) + 1
    assert list(zip(*(found[name].to_pylist() for name in ("key", "other")), strict=True)) == [*counts]
    assert found["segments"].to_pylist() == [*counts.values()]


def test_columns_with_equal_names():
    table = TABLE.append_column("lang", TABLE["lang"])
    assert records(frames.corpus(table, "hyp", "ref", "wer")) == records(frames.corpus(TABLE, "hyp", "ref", "wer"))
    assert frames.with_scores(table, "hyp", "ref", "wer").column_names == [*table.column_names, "wer"]
    frame = pd.concat([FORMS["pandas"](), FORMS["pandas"]()[["lang"]]], axis=1)
    with pytest.raises(refscore.InputError, match="several columns with the same name"):
        frames.with_scores(frame, "hyp", "ref", "wer")


NO_ROWS = {
    "arrow": TABLE.slice(0, 0),
    "reader": TABLE.slice(0, 0).to_reader(),
    "polars": pl.DataFrame(DATA)[:0],
    "pandas": FORMS["pandas"]()[:0],
    "duckdb": FORMS["duckdb"]().filter("false"),
}


@pytest.mark.parametrize("form", NO_ROWS)
def test_no_rows(form):
    if form != "reader":
        found = frames.corpus(NO_ROWS[form], "hyp", "ref", METRICS, by=["lang"])
        assert len(found) == 0
        assert list(found.columns if hasattr(found, "iloc") else found.schema) != []
        with pytest.raises(refscore.InputError, match="the frame is empty"):
            frames.corpus(NO_ROWS[form], "hyp", "ref")
    assert records(frames.with_scores(NO_ROWS[form], "hyp", "ref")) == []


def test_types_without_rows():
    names = ["lang", "segments", *METRICS]
    assert frames.corpus(NO_ROWS["arrow"], "hyp", "ref", METRICS, by="lang").column_names == names
    found = frames.corpus(NO_ROWS["polars"].lazy(), "hyp", "ref", by="lang")
    assert found.schema == {"lang": pl.String, "segments": pl.Int64, "bleu": pl.Float64}


def of_table(*arguments, **options):
    """Return a call of `corpus` with the table."""
    return lambda: frames.corpus(TABLE, *arguments, **options)


TOTALS = frames.totals(TABLE, "hyp", "ref", "bleu")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (of_table("hype", "ref"), refscore.errors.UnknownNameError, "'hyp'"),
        (of_table("hyp", "ref", by="language"), refscore.errors.UnknownNameError, "'lang'"),
        (of_table("hyp", []), refscore.SettingError, "references"),
        (of_table(3, "ref"), refscore.SettingError, "hypotheses"),
        (of_table("hyp", "ref", threads=0), refscore.SettingError, "threads"),
        (of_table("hyp", "ref", "nist"), refscore.SettingError, "NIST"),
        *((lambda data=data: frames.corpus(data, "hyp", "ref"), refscore.InputError, "frame") for data in (3, [3], [])),
        (lambda: frames.corpus(DATA, "hyp", "ref"), refscore.InputError, "frame"),
        (lambda: frames.with_scores([TABLE], "hyp", "ref"), refscore.InputError, "frame"),
        (lambda: frames.with_scores(pl.LazyFrame(DATA), "hypo", "ref"), refscore.errors.UnknownNameError, "'hyp'"),
        (lambda: frames.corpus(pl.DataFrame(DATA), "hypo", "ref"), refscore.errors.UnknownNameError, "'hyp'"),
        (lambda: frames.merge([]), refscore.InputError, "totals"),
        (lambda: frames.merge([TABLE]), refscore.InputError, "totals"),
        (lambda: frames.score_totals(TOTALS, {"bleu": "bleu:nltk"}), refscore.SettingError, "bleu"),
        (lambda: frames.score_totals(TOTALS, "wer"), refscore.SettingError, "bleu"),
        (
            of_table("hyp", "ref", groupby="lang"),
            refscore.errors.UnknownNameError,
            "argument 'groupby' .*: by, missing",
        ),
        (
            lambda: frames.with_scores(TABLE, "hyp", "ref", by="lang"),
            refscore.errors.UnknownNameError,
            "argument 'by' .*: missing, sources, threads",
        ),
    ],
)
def test_mistakes(call, error, message):
    with pytest.raises(error, match=message):
        call()


LISTS = TABLE.append_column("x", [[[1]] * 400])


@pytest.mark.parametrize(
    ("call", "location"),
    [
        (of_table("hyp", "other"), Location("other", segment=DATA["other"].index(None))),
        (lambda: frames.with_scores(TABLE.to_batches()[0], "domain", "ref"), Location("domain")),
        (lambda: frames.totals(TABLE, "other", "ref"), Location("other", DATA["other"].index(None))),
        (lambda: frames.with_scores(TABLE, "hyp", "ref", {"lang": "bleu"}), Location("lang")),
        (lambda: frames.with_scores(FORMS["pandas"](), "hyp", "ref", {"ref": "bleu"}), Location("ref")),
        (lambda: frames.with_scores(pl.LazyFrame(DATA), "hyp", "ref", {"ref": "bleu"}), Location("ref")),
        (of_table("hyp", "ref", {"lang": "bleu"}, by="lang"), Location("lang")),
        (of_table("hyp", "ref", {"segments": "bleu"}), Location("segments")),
        (lambda: frames.corpus(TABLE.append_column("hyp", TABLE["hyp"]), "hyp", "ref"), Location("hyp")),
        (
            lambda: frames.merge([frames.totals(TABLE, "hyp", "ref", m) for m in ("bleu", "bleu:nltk")]),
            Location("parts", segment=1),
        ),
        (lambda: frames.corpus(LISTS, "hyp", "ref", by="x"), Location("x")),
        (lambda: frames.corpus(LISTS.to_pandas(), "hyp", "ref", by="x"), Location("x")),
    ],
)
def test_errors_name_the_column_and_the_row(call, location):
    with pytest.raises(refscore.InputError) as raised:
        call()
    assert raised.value.location == location


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sides", [("hyp", "other"), ("other", "ref")])
@pytest.mark.parametrize("size", [7, 65_536])
def test_missing_values_are_errors(form, sides, size, monkeypatch):
    monkeypatch.setattr(parts, "STEP", size)
    wanted = Location("other", segment=DATA["other"].index(None))
    for call in (frames.corpus, frames.with_scores):
        with pytest.raises(refscore.InputError) as raised:
            records(call(FORMS[form](), *sides))
        if form != "reader" or call is frames.corpus:  # pyarrow calls the reader's batches, and wraps errors
            assert raised.value.location == wanted


@pytest.mark.parametrize("size", [3, 65_536])
def test_rows_are_counted_from_the_first_of_all(monkeypatch, size):
    monkeypatch.setattr(parts, "STEP", size)
    table = pa.table({"hyp": ["a"] * 4 + ["a b"], "ref": ["a"] * 4 + [""], "other": ["b"] * 4 + [None]})
    for frame in (table, table.to_pandas(), pl.from_arrow(table)):
        for references, side in (("ref", "ref"), (["ref", "other"], "(ref, other)")):
            for call in (frames.corpus, frames.with_scores):
                with pytest.raises(refscore.errors.EmptyReferenceError) as raised:
                    call(frame, "hyp", references, "ribes")
                assert (raised.value.location.side, raised.value.location.segment) == (side, 4)
    with refscore.metrics.limits(max_tokens=1), pytest.raises(refscore.errors.LimitError) as raised:
        frames.corpus(table, "hyp", "ref", METRICS["surplus"])
    assert raised.value.location == Location("hyp", segment=4)


def test_scores_of_large_tables_keep_nan_and_null_apart(monkeypatch):
    monkeypatch.setattr(parts, "STEP", 2)
    table = pa.table({"hyp": ["a", "a", None, "a", None], "ref": ["a"] * 5})
    skipped = frames.with_scores(table, "hyp", "ref", "wer", missing="skip")["wer"]
    assert skipped.to_pylist() == [0, 0, None, 0, None]
    unknown = frames.with_scores(table, "hyp", "ref", "wer", missing="nan")["wer"].to_pylist()
    assert [math.isnan(value) for value in unknown] == [False, False, True, False, True]
