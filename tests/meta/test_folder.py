"""Judgments of a folder equal the numbers in its files. Mistakes name the file, the line and the fix."""

import math
import os
from pathlib import Path

import numpy as np
import pytest

import refscore
from refscore.meta import agreement
from refscore.meta.folder import JudgedTestSet, language_pairs, read_scores

SYSTEMS = ["sysA", "sysB", "sys.c"]
MQM = {"refA": [0, 0, None], "refB": [-1, 0, -2], "sysA": [-3, None, -1], "sysB": [0, -5.5, -2], "sys.c": [None] * 3}
DA = {"sysA": [80, 70, None], "sysB": [60.5, 90, 55], "sys.c": [None, 10, 20]}
METRIC = {"refB": [9, 9, 9], "sysA": [0.1, 0.2, 0.3], "sysB": [0.5, 0.4, 0.6], "sys.c": [0.9, 0.8, 0.7]}
REFERENCES = {"refA": ["the cat sat on the mat", "a dog", ""], "refB": ["a cat was on a mat", "the dog", "\u2028 late"]}
OUTPUTS = {
    "sysA": ["the cat sat on a mat", "a dog", ""],
    "sysB": ["cats sat", "the dog ran", "late"],
    "sys.c": ["on the mat", "dog", ""],
    "refB": REFERENCES["refB"],
}


def write_scores(path, scores):
    lines = [f"{system}\t{score}" for system, values in scores.items() for score in (values if values else [None])]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def scaled(scores, factor):
    return {system: [factor * score for score in values] for system, values in scores.items()}


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "wmt"
    write_scores(root / "human-scores" / "en-de.mqm.seg.score", MQM)
    write_scores(root / "human-scores" / "en-de.da.z.seg.score", DA)
    write_scores(root / "human-scores" / "en-de.da.z.sys.score", {"sysA": [1], "sysB": [2.5], "sys.c": [0]})
    scores = root / "metric-scores" / "en-de"
    write_scores(scores / "BLEU-refA.seg.score", METRIC)
    write_scores(scores / "BLEU-refA.sys.score", {"refB": [90], "sysA": [20], "sysB": [30], "sys.c": [25]})
    write_scores(scores / "BLEU-refB.seg.score", scaled(METRIC, 2))
    write_scores(scores / "COMET-QE-src.seg.score", scaled(METRIC, -1))
    write_scores(scores / "old-1.0-refA.sys.score", {"refB": [9], "sysA": [5], "sysB": [6], "sys.c": [7]})
    write_scores(scores / "both-all.seg.score", METRIC)
    for name, texts in REFERENCES.items():
        (root / "references").mkdir(exist_ok=True)
        (root / "references" / f"en-de.{name}.txt").write_bytes("".join(f"{text}\n" for text in texts).encode())
    for name, texts in OUTPUTS.items():
        (root / "system-outputs" / "en-de").mkdir(parents=True, exist_ok=True)
        (root / "system-outputs" / "en-de" / f"{name}.txt").write_bytes("".join(f"{t}\n" for t in texts).encode())
    return root


def fails(match, call):
    with pytest.raises(refscore.InputError, match=match) as caught:
        call()
    assert caught.value.fix
    return caught.value


def test_files(folder):
    opened = JudgedTestSet.open(folder)
    assert opened.pair == "en-de" and opened.human_names == ("da.z", "mqm")
    assert list(opened.references) == ["refA", "refB"] and set(opened.outputs) == set(OUTPUTS)
    assert opened.metric_names == ("BLEU-refA", "BLEU-refB", "COMET-QE-src", "both-all", "old-1.0-refA")


def test_human_scores(folder):
    """The reference, other human translations and systems without ratings are left out."""
    judgments = JudgedTestSet.open(folder).judgments(human="mqm", reference="refA")
    assert judgments.systems == ("sysA", "sysB")
    assert np.array_equal(judgments.human, [[-3, np.nan, -1], [0, -5.5, -2]], equal_nan=True)
    assert judgments.human_systems.tolist() == [-2, -2.5]
    with_human = JudgedTestSet.open(folder).judgments(human="mqm", reference="refA", with_human=True)
    assert with_human.systems == ("refB", "sysA", "sysB")
    assert with_human.metrics["BLEU"].systems.tolist() == [90, 20, 30]


def test_scores_of_systems(folder):
    judgments = JudgedTestSet.open(folder).judgments(human="da.z", reference="refA")
    assert judgments.systems == tuple(SYSTEMS)
    assert judgments.human_systems.tolist() == [1, 2.5, 0]
    assert agreement(judgments, "pairwise-accuracy")["old-1.0"] == pytest.approx(1 / 3)


def test_metrics_of_a_reference(folder):
    judgments = JudgedTestSet.open(folder).judgments(human="da.z", reference="refA")
    assert list(judgments.metrics) == ["BLEU", "COMET-QE", "old-1.0"]
    rows = np.array([METRIC[system] for system in SYSTEMS])
    assert judgments.metrics["BLEU"].segments.tolist() == rows.tolist()
    assert judgments.metrics["BLEU"].systems.tolist() == [20, 30, 25]
    assert judgments.metrics["COMET-QE"].segments.tolist() == (-rows).tolist()
    assert judgments.metrics["COMET-QE"].systems.tolist() == pytest.approx((-rows.mean(axis=1)).tolist())
    assert judgments.metrics["old-1.0"].segments is None
    other = JudgedTestSet.open(folder).judgments(human="da.z", reference="refB")
    assert list(other.metrics) == ["BLEU", "COMET-QE"]
    assert other.metrics["BLEU"].segments.tolist() == (2 * rows).tolist()
    assert JudgedTestSet.open(folder).judgments(human="mqm", reference="refB", given=False).metrics == {}


def test_metrics_with_and_without_a_reference(folder):
    write_scores(folder / "metric-scores" / "en-de" / "BLEU-src.seg.score", scaled(METRIC, 3))
    metrics = JudgedTestSet.open(folder).judgments(human="da.z", reference="refA").metrics
    assert list(metrics) == ["BLEU-refA", "BLEU-src", "COMET-QE", "old-1.0"]
    assert metrics["BLEU-src"].segments[0].tolist() == scaled(METRIC, 3)["sysA"]


def test_one_reference_is_all(folder):
    (folder / "references" / "en-de.refB.txt").unlink()
    judgments = JudgedTestSet.open(folder).judgments(human="da.z")
    assert list(judgments.metrics) == ["BLEU", "COMET-QE", "both", "old-1.0"]


def test_computed_metrics(folder):
    """Empty segments at the end of a file count, and a line separator does not end a line."""
    opened = JudgedTestSet.open(folder)
    for reference, texts in REFERENCES.items():
        judgments = opened.judgments(human="da.z", reference=reference, metrics=["bleu", "ter"], given=False, threads=1)
        assert list(judgments.metrics) == ["bleu", "ter"]
        for k, system in enumerate(SYSTEMS):
            segments = [
                refscore.BLEU().for_segments().segment(*pair).percent
                for pair in zip(OUTPUTS[system], texts, strict=True)
            ]
            assert judgments.metrics["bleu"].segments[k].tolist() == segments
            assert judgments.metrics["ter"].systems[k] == -refscore.TER().corpus(OUTPUTS[system], texts).percent


def test_left_out_systems(folder):
    opened = JudgedTestSet.open(folder)
    judgments = opened.judgments(human="da.z", reference="refA", without=["sysB"])
    assert judgments.systems == ("sysA", "sys.c") and judgments.human_systems.tolist() == [1, 0]
    fails(
        r"wmt has no system 'sysX' to leave out: it has sysA, sysB, sys\.c",
        lambda: opened.judgments(human="da.z", reference="refA", without=["sysX"]),
    )


def test_choices(folder):
    opened = JudgedTestSet.open(folder)
    fails(r"wmt has several human scores: choose one with human: da\.z, mqm", opened.judgments)
    fails(r"has several references: choose one with reference: refA, refB", lambda: opened.judgments(human="mqm"))
    fails(r"has no human scores 'x': it has da\.z, mqm", lambda: opened.judgments(human="x"))
    fails(r"has no reference 'x': it has refA", lambda: opened.judgments(human="mqm", reference="x"))
    fails(r"has no language pair 'de-en': it has en-de", lambda: JudgedTestSet.open(folder, "de-en"))
    write_scores(folder / "human-scores" / "zh-en.mqm.seg.score", {"s": [1, 2], "t": [2, 1]})
    assert language_pairs(folder) == ["en-de", "zh-en"]
    fails(r"wmt has several language pairs: choose one with pair: en-de, zh-en", lambda: JudgedTestSet.open(folder))
    other = JudgedTestSet.open(str(folder), "zh-en")
    assert other.judgments().human.tolist() == [[1, 2], [2, 1]]
    fails(r"wmt has no references: leave out the metrics", lambda: other.judgments(metrics=["bleu"]))


def test_no_folder(tmp_path):
    fails(r"has no human scores of segments: it needs files such as", lambda: JudgedTestSet.open(tmp_path))
    fails(r"missing does not exist: name a folder", lambda: JudgedTestSet.open(tmp_path / "missing"))
    (tmp_path / "file").write_text("")
    fails(r"file is not a folder: name a folder", lambda: JudgedTestSet.open(tmp_path / "file"))


@pytest.mark.parametrize("create", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_no_file(folder, create):
    path = folder / "human-scores" / "en-de.mqm.seg.score"
    path.unlink()
    create(path)
    fails(r"mqm\.seg\.score is not a file", lambda: JudgedTestSet.open(folder).judgments(human="mqm", reference="refA"))


def test_byte_order_marks(folder):
    for path in folder.rglob("*.*"):
        if path.is_file():
            path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    judgments = JudgedTestSet.open(folder).judgments(human="da.z", reference="refA", metrics=["ter"])
    assert judgments.systems == tuple(SYSTEMS) and judgments.human[0, 0] == DA["sysA"][0]
    assert judgments.metrics["ter"].systems[0] == -refscore.TER().corpus(OUTPUTS["sysA"], REFERENCES["refA"]).percent


def test_missing_systems(folder):
    opened = JudgedTestSet.open(folder)
    write_scores(folder / "metric-scores" / "en-de" / "BLEU-refA.seg.score", {"sysA": [1, 2, 3], "sys.c": [1, 2, 3]})
    fails(r"BLEU-refA\.seg\.score has no system 'sysB'", lambda: opened.judgments(human="da.z", reference="refA"))
    write_scores(folder / "metric-scores" / "en-de" / "BLEU-refA.seg.score", {**METRIC, "sysB": [1, None, 3]})
    fails(
        r"BLEU-refA\.seg\.score has no score for segment 1 of the system 'sysB'",
        lambda: opened.judgments(human="da.z", reference="refA"),
    )
    write_scores(folder / "metric-scores" / "en-de" / "BLEU-refA.seg.score", {s: [1, 2] for s in SYSTEMS})
    fails(r"has 2 segments, but there are 3 human", lambda: opened.judgments(human="da.z", reference="refA"))
    write_scores(folder / "human-scores" / "en-de.da.z.sys.score", {"sysA": [1], "sysB": [None], "sys.c": [0]})
    fails(
        r"en-de\.da\.z\.sys\.score has no score of the system 'sysB': add a line, or leave out",
        lambda: opened.judgments(human="da.z", reference="refA"),
    )
    (folder / "system-outputs" / "en-de" / "sysB.txt").unlink()
    fails(
        r"en-de has no output of the system 'sysB': add it, or leave",
        lambda: JudgedTestSet.open(folder).judgments(human="mqm", reference="refA", metrics=["bleu"], given=False),
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "line 2 of .*x.seg.score has 0 fields: write a system and a score"),
        ("sysA", "line 2 of .* has 1 fields: write a system and a score"),
        ("sysA 1 2", "line 2 of .* has 3 fields"),
        ("sysA x", "line 2 of .* has a score that is not a number, 'x': write None"),
        ("sysA 1,5", "line 2 of .* not a number, '1,5'"),
        ("sysA nan", "line 2 of .* has the score nan: write None"),
        ("sysA -inf", "line 2 of .* has the score -inf: write None"),
        ("sysA 1_0", "line 2 of .* not a number, '1_0'"),
        ("sysA none", "line 2 of .* not a number, 'none'"),
    ],
)
def test_bad_lines(tmp_path, line, message):
    path = tmp_path / "x.seg.score"
    path.write_text(f"sysA 1\n{line}\nsysA 3\n")
    error = fails(message, lambda: read_scores(path))
    assert (error.location.file, error.location.line) == (str(path), 2)


def test_score_files(tmp_path):
    path = tmp_path / "x.seg.score"
    path.write_bytes(b"b\t1\na   -2e3 \r\nb None\n a\t0.1")
    assert read_scores(path) == {"b": [1.0, None], "a": [-2000.0, 0.1]}
    path.write_bytes(b"")
    assert read_scores(path) == {}
    path.write_bytes(b"s\xff 1\n")
    fails(r"line 1 of .*x\.seg\.score is not UTF-8 .*: convert it", lambda: read_scores(path))


def test_different_numbers_of_segments(folder):
    write_scores(folder / "human-scores" / "en-de.mqm.seg.score", {"sysA": [1, 2, 3], "sysB": [1, 2]})
    fails(
        r"en-de\.mqm\.seg\.score has systems with 2 and 3 segments: give one score",
        lambda: JudgedTestSet.open(folder).judgments(human="mqm", reference="refA"),
    )


def test_segments_without_ratings(folder):
    judgments = JudgedTestSet.open(folder).judgments(human="mqm", reference="refA")
    assert [math.isnan(score) for score in judgments.human[0]] == [False, True, False]
    assert judgments.ratings == 5


def test_texts_of_different_lengths(folder):
    path = folder / "system-outputs" / "en-de" / "sysB.txt"
    path.write_text("one line\n")
    opened = JudgedTestSet.open(folder, "en-de")
    choice = {"human": "mqm", "reference": "refA", "metrics": ["chrf"]}
    fails(r"sysB.txt has 1 line, but the reference has 3: write one line", lambda: opened.judgments(**choice))
    write_scores(folder / "human-scores" / "en-de.mqm.seg.score", {"sysA": [None] * 3, "refA": [1, 2, 3]})
    fails("mqm.seg.score has no scores of the systems that are compared", lambda: opened.judgments(**choice))
