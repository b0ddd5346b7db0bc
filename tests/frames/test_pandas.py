"""pandas: columns of Python objects and of Arrow memory."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import refscore
from refscore.errors import Location
from refscore.frames import pandas
from tests.frames.common_frames import WITH_OUTSIDE, check, columns

DATA = columns()
METRICS = WITH_OUTSIDE


def frames():
    plain = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in DATA.items()})
    plain["domain"] = plain["domain"].astype("int64")
    yield "objects", plain
    texts = ["hyp", "ref", "other", "lang"]
    yield "categories", plain.assign(lang=plain["lang"].astype("category"))
    yield "index", plain.set_index(pd.Index(range(1000, 1000 + len(plain))))
    try:
        import pyarrow as pa
    except ModuleNotFoundError:
        return
    yield "arrow", plain.astype(dict.fromkeys(texts, pd.ArrowDtype(pa.string())))
    yield "strings", plain.astype(dict.fromkeys(texts, pd.StringDtype("pyarrow")))
    yield "python strings", plain.astype(dict.fromkeys(texts, pd.StringDtype("python")))


FRAMES = dict(frames())


def records(frame):
    return [{key: None if pd.isna(value) else value for key, value in row.items()} for row in frame.to_dict("records")]


@pytest.mark.parametrize("by", [[], ["lang", "domain"]])
@pytest.mark.parametrize("form", FRAMES)
def test_corpus_by_groups(form, by):
    check(records(pandas.corpus(FRAMES[form], "hyp", "ref", METRICS, score_by=by)), DATA, by, METRICS)


@pytest.mark.parametrize("form", FRAMES)
def test_several_columns_of_references(form, monkeypatch):
    monkeypatch.setattr(pandas, "STEP", 70)
    found = pandas.corpus(FRAMES[form], "hyp", ["ref", "other"], METRICS, score_by="lang")
    check(records(found), DATA, ["lang"], METRICS, several=True)


@pytest.mark.parametrize("form", FRAMES)
def test_columns_of_scores(form):
    frame = FRAMES[form]
    wide, surplus = refscore.CHRF(word_order=2), METRICS["surplus"]
    scored = {"wide": pandas.chrf("hyp", "ref", word_order=2), "surplus": pandas.score("hyp", "ref", surplus)}
    made = frame.assign(bleu=pandas.bleu("hyp", "ref"), **scored)
    assert (made.index == frame.index).all()
    for name, metric in {"bleu": refscore.BLEU.preset("sacrebleu-sentence"), "wide": wide, "surplus": surplus}.items():
        np.testing.assert_array_equal(made[name].to_numpy(), metric.segments(DATA["hyp"], DATA["ref"]))
    added = pandas.with_scores(frame, "hyp", "ref", ["bleu", "ter"])
    assert added.columns.tolist() == [*DATA, "bleu", "ter"] and "bleu" not in frame


def test_columns_of_lists():
    frame = pd.DataFrame({"hyp": ["a b", "c d"], "refs": [["a b", None], ["x", "c d"]], "ref": ["a", "c"]})
    both = pandas.score("hyp", ["refs", "ref"], "wer")(frame)
    assert both.tolist() == refscore.WER().segments(["a b", "c d"], [["a b", "a"], ["x", "c d", "c"]]).tolist()
    tokens = pd.DataFrame({"hyp": [["a", "b"], ["c"]], "ref": [[["a", "b"]], [["d"], ["c"]]]})
    assert pandas.score("hyp", "ref", "wer")(tokens).tolist() == [0, 0]


def test_columns_alone():
    """Metrics also accept a column directly."""
    for frame in FRAMES.values():
        assert refscore.bleu(frame["hyp"], frame["ref"]) == refscore.bleu(DATA["hyp"], DATA["ref"])


@pytest.mark.parametrize("form", FRAMES)
def test_missing_values(form):
    frame = FRAMES[form]
    wanted = Location("other", segment=DATA["other"].index(None))
    for sides in (("hyp", "other"), ("other", "ref")):
        for call in (lambda: pandas.corpus(frame, *sides), lambda: pandas.score(*sides)(frame)):  # noqa: B023
            with pytest.raises(refscore.InputError) as raised:
                call()
            assert raised.value.location == wanted


def test_mistakes():
    frame = FRAMES["objects"]
    with pytest.raises(refscore.UnknownNameError, match="'hyp'"):
        frame.assign(bleu=pandas.bleu("hypo", "ref"))
    with pytest.raises(refscore.InputError, match="frame"):
        pandas.corpus(DATA, "hyp", "ref")
    with pytest.raises(refscore.InputError) as raised:
        pandas.with_scores(frame, "hyp", "ref", {"ref": "bleu"})
    assert raised.value.location == Location("ref")
    with pytest.raises(refscore.InputError):
        pandas.corpus(frame[:0], "hyp", "ref")
    assert len(pandas.corpus(frame[:0], "hyp", "ref", score_by="lang")) == 0
    with pytest.raises(refscore.UnknownNameError, match="'order'"):
        pandas.bleu("hyp", "ref", order=3)


_WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import pandas as pd
import refscore
from refscore.frames import pandas
frame = pd.DataFrame({"hyp": ["a cat", "a dog"], "one": ["the cat", None], "two": ["a cat", "the dog"]})
print(pandas.with_scores(frame, "hyp", ["one", "two"], "wer")["wer"].tolist())
print(pandas.corpus(frame, "hyp", ["one", "two"], "wer").to_dict("list"))
print(refscore.wer(frame[["hyp"]], frame["two"]).value)
for hypotheses, references in (("hyp", "one"), ("one", "hyp"), ("hyp", ["one", "two"])):
    try:
        refscore.wer(frame[hypotheses], frame[references])
    except refscore.InputError as error:
        print(str(error).split()[0])
"""


@pytest.mark.slow
def test_without_pyarrow():
    # The extra for pandas does not install pyarrow, and then no Arrow columns can be passed.
    run = subprocess.run([sys.executable, "-c", _WITHOUT_PYARROW], capture_output=True, encoding="utf-8", check=False)
    scores = ["[0.0, 0.5]", "{'segments': [2], 'wer': [0.25]}", "0.25"]
    assert (run.stderr, run.stdout.splitlines()) == ("", [*scores, "references[1]", "hypotheses[1]", "references"])
