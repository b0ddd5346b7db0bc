"""The same segments in the frames of every library, and results as rows of Python values."""

import datetime

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset

from tests.frames.common_frames import columns

DATA = columns()
TABLE = pa.table(DATA)
TEXTS = ["hyp", "ref", "other", "lang"]
# The connection of a relation must stay open.
CONNECTION = duckdb.connect()
CONNECTION.register("segments", TABLE)


def _forms():
    yield "table", lambda: TABLE
    yield "chunks", lambda: pa.concat_tables([TABLE.slice(0, 7), TABLE.slice(7, 200), TABLE.slice(207)])
    yield "batch", lambda: TABLE.to_batches()[0]
    yield "reader", lambda: TABLE.to_reader(max_chunksize=33)
    yield "batches", lambda: iter(TABLE.to_batches(max_chunksize=33))
    yield "dataset", lambda: pyarrow.dataset.dataset(TABLE)
    encoded = TABLE.set_column(3, "lang", TABLE["lang"].dictionary_encode())
    yield "dictionary", lambda: encoded
    halves = [TABLE.slice(0, 50), TABLE.slice(50)]
    recoded = [half.set_column(3, "lang", half["lang"].dictionary_encode()) for half in halves]
    yield "dictionaries", lambda: pa.concat_tables(recoded)
    views = {name: values if name == "domain" else pa.array(values, pa.string_view()) for name, values in DATA.items()}
    yield "views", lambda: pa.table(views)
    frame = pl.DataFrame(DATA)
    yield "polars", lambda: frame
    yield "polars lazy", frame.lazy
    yield "polars chunks", lambda: pl.concat([frame[:7], frame[7:100], frame[100:]], rechunk=False)
    yield "polars categories", lambda: frame.with_columns(pl.col("lang", "ref").cast(pl.Categorical))
    plain = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in DATA.items()})
    plain["domain"] = plain["domain"].astype("int64")
    yield "pandas", lambda: plain
    yield "pandas categories", lambda: plain.assign(lang=plain["lang"].astype("category"))
    yield "pandas index", lambda: plain.set_index(pd.Index(range(1000, 1000 + len(plain))))
    yield "pandas nullable", lambda: plain.astype({"domain": "Int64"})
    yield "pandas arrow", lambda: plain.astype(dict.fromkeys(TEXTS, pd.ArrowDtype(pa.string())))
    yield "pandas strings", lambda: plain.astype(dict.fromkeys(TEXTS, pd.StringDtype("pyarrow")))
    yield "pandas python strings", lambda: plain.astype(dict.fromkeys(TEXTS, pd.StringDtype("python")))
    yield "duckdb", lambda: CONNECTION.sql("SELECT * FROM segments")


FORMS = dict(_forms())
PANDAS = [name for name in FORMS if name.startswith("pandas")]


def records(frame):
    """Return the rows of a result of any library as dictionaries, with None for missing values."""
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, pa.RecordBatchReader):
        frame = frame.read_all()
    if isinstance(frame, pl.DataFrame):
        return frame.to_dicts()
    if isinstance(frame, (pa.Table, pa.RecordBatch)):
        return frame.to_pylist()
    return [{key: None if pd.isna(value) else value for key, value in row.items()} for row in frame.to_dict("records")]


# Keys that Python values could confuse: nanoseconds, NaN and null, numbers and texts.
KEYS = {
    "nanoseconds": pa.array([1, 2, None, 1], pa.timestamp("ns")),
    "floats": pa.array([float("nan"), None, 0.5, float("nan")]),
    "days": pa.array([datetime.date(2020, 1, 1), None, datetime.date(2020, 1, 2), datetime.date(2020, 1, 1)]),
    "binary": pa.array([b"a", b"b", None, b"a"]),
}
