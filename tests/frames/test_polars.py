"""Polars: expressions, eager and lazy."""

import numpy as np
import polars as pl
import pytest

import refscore
from refscore import frames
from refscore.errors import Location
from refscore.frames import polars
from tests.frames.common_frames import WITH_OUTSIDE, check, columns

DATA = columns()
METRICS = WITH_OUTSIDE
FRAME = pl.DataFrame(DATA)
FRAMES = {
    "frame": FRAME,
    "lazy": FRAME.lazy(),
    "chunks": pl.concat([FRAME[:7], FRAME[7:100], FRAME[100:]], rechunk=False),
    "categories": FRAME.with_columns(pl.col("lang", "ref").cast(pl.Categorical)),
}


@pytest.mark.parametrize("form", FRAMES)
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_expressions(form, engine):
    wide, surplus = refscore.CHRF(word_order=2), METRICS["surplus"]
    scored = [polars.segment_score("hyp", "ref"), polars.segment_score("hyp", "ref", wide).alias("wide")]
    made = FRAMES[form].lazy().with_columns(*scored, polars.segment_score("hyp", "ref", surplus))
    assert made.collect_schema()["bleu"] == pl.Float64
    found = made.collect(engine=engine)
    for name, metric in {"bleu": refscore.BLEU.preset("sacrebleu-sentence"), "wide": wide, "surplus": surplus}.items():
        np.testing.assert_array_equal(found[name].to_numpy(), metric.segments(DATA["hyp"], DATA["ref"]))


def test_expressions_of_expressions():
    found = FRAME.select(
        polars.segment_score(pl.col("hyp").str.to_uppercase(), pl.col("ref").str.to_uppercase(), "wer")
    )["wer"]
    np.testing.assert_array_equal(
        found.to_numpy(), FRAME.select(polars.segment_score("hyp", "ref", "wer"))["wer"].to_numpy()
    )
    literal = FRAME.select(polars.segment_score("hyp", pl.lit("the cat"), "wer"))["wer"]
    np.testing.assert_array_equal(
        literal.to_numpy(), refscore.WER().segments(DATA["hyp"], ["the cat"] * len(DATA["hyp"]))
    )
    both = FRAME.select(polars.segment_score("hyp", ["ref", pl.col("other")], "wer"))["wer"]
    expected = refscore.WER().segments(DATA["hyp"], list(zip(DATA["ref"], DATA["other"], strict=True)))
    np.testing.assert_array_equal(both.to_numpy(), expected)


def test_lists_of_references_and_of_tokens():
    frame = pl.DataFrame({"hyp": ["a b", "c d"], "refs": [["a b", None], ["x", "c d"]]})
    assert frame.select(polars.segment_score("hyp", "refs", "wer"))["wer"].to_list() == [0, 0]
    tokens = frame.select(pl.col("hyp").str.split(" "), pl.col("refs").list.eval(pl.element().str.split(" ")))
    assert tokens.select(polars.segment_score("hyp", "refs", "wer"))["wer"].to_list() == [0, 0]
    ids = pl.DataFrame({"hyp": [[1, 2], [3]], "ref": [[1, 2], [4]]})
    assert ids.select(polars.segment_score("hyp", "ref", "wer"))["wer"].to_list() == [0, 1]
    fixed = ids[:1].select(pl.all().cast(pl.Array(pl.Int32, 2)))
    assert fixed.select(polars.segment_score("hyp", "ref", "wer"))["wer"].to_list() == [0]


def test_corpus_score_in_groups():
    found = FRAME.group_by("lang", maintain_order=True).agg(
        pl.len().alias("segments"), *(polars.corpus_score("hyp", "ref", metric) for metric in METRICS.values())
    )
    check(found.to_dicts(), DATA, ["lang"], METRICS)
    alone = FRAME.select(polars.corpus_score("hyp", "ref", "bleu"))["bleu"].item()
    assert alone == refscore.bleu(DATA["hyp"], DATA["ref"]).value


def test_mistakes():
    for engine in ("in-memory", "streaming"):
        with pytest.raises(refscore.InputError) as raised:
            FRAME.lazy().with_columns(polars.segment_score("other", "ref")).collect(engine=engine)
        assert raised.value.location == Location("other", segment=DATA["other"].index(None))
    with pytest.raises(refscore.errors.EmptyReferenceError) as raised:
        pl.DataFrame({"hyp": ["a", "b"], "ref": ["a", ""]}).select(polars.corpus_score("hyp", "ref", "ribes"))
    assert raised.value.location == Location("ref", segment=1)


def test_queries_stay_lazy():
    query = frames.with_scores(FRAME.lazy(), "hyp", "ref", {"mine": "wer"}, missing="skip")
    assert isinstance(query, pl.LazyFrame)
    found = query.filter(pl.col("mine") < 1).select("mine").collect(engine="streaming")["mine"].to_list()
    assert found == [value for value in refscore.WER().segments(DATA["hyp"], DATA["ref"]) if value < 1]
