# The names of `refscore.frames`.

from refscore.frames import duckdb as duckdb, polars as polars
from refscore.frames.evaluation import evaluate as evaluate
from refscore.frames.scoring import corpus as corpus, with_scores as with_scores
from refscore.frames.sums import merge as merge, score_totals as score_totals, totals as totals
