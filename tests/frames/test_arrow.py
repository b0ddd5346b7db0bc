"""Arrow: datasets of files, and totals that can be merged."""

import pyarrow as pa
import pytest

import refscore
from refscore import frames
from tests.frames.common_frames import WITH_OUTSIDE, check
from tests.frames.forms import DATA, TABLE

METRICS = WITH_OUTSIDE


def test_datasets_of_files(tmp_path):
    from pyarrow import csv, dataset, parquet

    (tmp_path / "parquet").mkdir()
    for i in (0, 200):
        parquet.write_table(TABLE.slice(i, 200), tmp_path / "parquet" / f"{i}.parquet", row_group_size=30)
    csv.write_csv(TABLE.drop_columns(["lang", "other"]), tmp_path / "segments.csv")
    folder = dataset.dataset(tmp_path / "parquet")
    for files in (folder, dataset.dataset(tmp_path / "segments.csv", format="csv")):
        found = frames.corpus(files, "hyp", "ref", METRICS, by=["domain"]).to_pylist()
        check(found, DATA, ["domain"], METRICS)
    with pytest.raises(refscore.errors.UnknownNameError, match="'hypo'"):
        frames.corpus(folder, "hypo", "ref")


def test_totals_merge_to_the_last_bit():
    whole = frames.totals(TABLE, "hyp", "ref", METRICS, by=["domain"])
    parts = [frames.totals(TABLE.slice(i, 100), "hyp", "ref", METRICS, by=["domain"]) for i in range(0, 400, 100)]
    assert frames.merge(parts).equals(whole, check_metadata=True)
    assert frames.merge(part.to_batches()[0] for part in parts).equals(whole, check_metadata=True)
    pairs = [frames.merge(parts[i : i + 2]) for i in range(0, 4, 2)]
    backwards = frames.merge(pairs[::-1])
    assert sorted(backwards.to_pylist(), key=str) == sorted(whole.to_pylist(), key=str)
    check(frames.score_totals(whole, METRICS).to_pylist(), DATA, ["domain"], METRICS)


def test_totals_whose_groups_have_different_types():
    halves = [
        pa.table({"hyp": ["a"], "ref": ["a"], "lang": pa.nulls(1)}),
        pa.table({"hyp": ["a", "a"], "ref": ["a", "b"], "lang": ["de", None]}),
    ]
    for parts in (halves, halves[::-1]):
        merged = frames.merge(frames.totals(part, "hyp", "ref", "wer", by="lang") for part in parts)
        assert {row["lang"]: row["segments"] for row in merged.to_pylist()} == {None: 2, "de": 1}
    numbers = pa.table({"hyp": ["a"], "ref": ["a"], "lang": [1]})
    with pytest.raises(refscore.InputError, match="lang"):
        frames.merge(frames.totals(part, "hyp", "ref", "wer", by="lang") for part in (halves[1], numbers))


def test_columns_keep_their_schema():
    field = pa.field("lang", pa.string(), metadata={"k": "v"})
    table = TABLE.cast(TABLE.schema.set(3, field)).replace_schema_metadata({"a": "b"})
    scored = frames.with_scores(table, "hyp", "ref", "wer")
    assert scored.schema.equals(table.schema.append(pa.field("wer", pa.float64())), check_metadata=True)
