"""Polars: expressions, eager and lazy, and groups."""

import numpy as np
import polars as pl
import pytest

import refscore
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


@pytest.mark.parametrize("by", [[], ["lang", "domain"]])
@pytest.mark.parametrize("form", FRAMES)
def test_corpus_by_groups(form, by):
    check(polars.corpus(FRAMES[form], "hyp", "ref", METRICS, score_by=by).to_dicts(), DATA, by, METRICS)


def test_several_columns_of_references_in_many_parts(monkeypatch):
    monkeypatch.setattr(polars, "STEP", 30)
    found = polars.corpus(FRAME, "hyp", ["ref", "other"], METRICS, score_by="lang").to_dicts()
    check(found, DATA, ["lang"], METRICS, several=True)


@pytest.mark.parametrize("form", FRAMES)
@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_expressions(form, engine):
    wide, surplus = refscore.CHRF(word_order=2), METRICS["surplus"]
    scored = [polars.bleu("hyp", "ref"), polars.chrf("hyp", "ref", word_order=2).alias("wide")]
    made = FRAMES[form].lazy().with_columns(*scored, polars.score("hyp", "ref", surplus))
    assert made.collect_schema()["bleu"] == pl.Float64
    found = made.collect(engine=engine)
    for name, metric in {"bleu": refscore.BLEU.preset("sacrebleu-sentence"), "wide": wide, "surplus": surplus}.items():
        np.testing.assert_array_equal(found[name].to_numpy(), metric.segments(DATA["hyp"], DATA["ref"]))


def test_every_function_is_its_metric():
    for name in ("bleu", "cer", "chrf", "gleu", "meteor", "ribes", "rouge", "ter", "wer"):
        found = FRAME.select(getattr(polars, name)("hyp", "ref"))[name]
        same = FRAME.select(polars.score("hyp", "ref", name))[name]
        assert found.equals(same)


def test_expressions_of_expressions():
    found = FRAME.select(polars.wer(pl.col("hyp").str.to_uppercase(), pl.col("ref").str.to_uppercase()))["wer"]
    np.testing.assert_array_equal(found.to_numpy(), FRAME.select(polars.wer("hyp", "ref"))["wer"].to_numpy())
    literal = FRAME.select(polars.wer("hyp", pl.lit("the cat")))["wer"]
    np.testing.assert_array_equal(
        literal.to_numpy(), refscore.WER().segments(DATA["hyp"], ["the cat"] * len(DATA["hyp"]))
    )
    both = FRAME.select(polars.wer("hyp", ["ref", pl.col("other")]))["wer"]
    expected = refscore.WER().segments(DATA["hyp"], list(zip(DATA["ref"], DATA["other"], strict=True)))
    np.testing.assert_array_equal(both.to_numpy(), expected)


def test_lists_of_references_and_of_tokens():
    frame = pl.DataFrame({"hyp": ["a b", "c d"], "refs": [["a b", None], ["x", "c d"]]})
    assert frame.select(polars.wer("hyp", "refs"))["wer"].to_list() == [0, 0]
    tokens = frame.select(pl.col("hyp").str.split(" "), pl.col("refs").list.eval(pl.element().str.split(" ")))
    assert tokens.select(polars.wer("hyp", "refs"))["wer"].to_list() == [0, 0]
    ids = pl.DataFrame({"hyp": [[1, 2], [3]], "ref": [[1, 2], [4]]})
    assert ids.select(polars.wer("hyp", "ref"))["wer"].to_list() == [0, 1]
    fixed = ids[:1].select(pl.all().cast(pl.Array(pl.Int32, 2)))
    assert fixed.select(polars.wer("hyp", "ref"))["wer"].to_list() == [0]


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
            FRAME.lazy().with_columns(polars.bleu("other", "ref")).collect(engine=engine)
        assert raised.value.location == Location("other", segment=DATA["other"].index(None))
    with pytest.raises(refscore.EmptyReferenceError) as raised:
        pl.DataFrame({"hyp": ["a", "b"], "ref": ["a", ""]}).select(polars.corpus_score("hyp", "ref", "ribes"))
    assert raised.value.location == Location("ref", segment=1)
    with pytest.raises(refscore.UnknownNameError, match="'hyp'"):
        polars.corpus(FRAME, "hypo", "ref")
    with pytest.raises(refscore.InputError, match="frame"):
        polars.corpus(DATA, "hyp", "ref")
    with pytest.raises(refscore.InputError):
        polars.corpus(FRAME[:0], "hyp", "ref")
    empty = polars.corpus(FRAME[:0].lazy(), "hyp", "ref", score_by="lang")
    assert empty.schema == {"lang": pl.String, "segments": pl.Int64, "bleu": pl.Float64}
    with pytest.raises(refscore.UnknownNameError, match="'order'"):
        polars.bleu("hyp", "ref", order=3)
