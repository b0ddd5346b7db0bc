"""A program with the types of frames, which depend on the library. mypy checks it, and nothing runs it."""

import duckdb
import pandas as pd
import polars as pl
from typing_extensions import assert_type

from refscore import frames

eager, lazy = pl.DataFrame(), pl.LazyFrame()

assert_type(frames.with_scores(eager, "hyp", "ref"), pl.DataFrame)
assert_type(frames.with_scores(lazy, "hyp", ["a", "b"], ["bleu", "ter"], threads=2, missing="skip"), pl.LazyFrame)
assert_type(frames.corpus(eager, "hyp", "ref", by="lang"), pl.DataFrame)
assert_type(frames.corpus(lazy, "hyp", "ref", by=["lang", "domain"]), pl.DataFrame)
assert_type(frames.with_scores(pd.DataFrame(), "hyp", "ref"), pd.DataFrame)  # pandas-stubs has its types
assert_type(frames.corpus(pd.DataFrame(), "hyp", "ref"), pd.DataFrame)
table = frames.corpus(duckdb.connect().table("segments"), "hyp", "ref")
assert_type(frames.polars.segment_score("hyp", ["a", pl.col("b")], "chrf", sources="src"), pl.Expr)
assert_type(frames.polars.corpus_score(pl.col("hyp"), None, "repetition"), pl.Expr)
frames.duckdb.register(duckdb.connect(), "bleu")

# Each line below has an error.
frames.corpus(eager, 5, "ref")
frames.corpus(eager, "hyp", "ref", groupby="lang")
frames.with_scores(5, "hyp", "ref")
frames.with_scores(eager, "hyp", "ref", by="lang")
frames.polars.corpus_score(5, "ref")
frames.polars.segment_score("hyp", "ref", missing="no")
frames.duckdb.register(5, "bleu")
