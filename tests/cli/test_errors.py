"""`refscore errors`: tables, alignments, formats and mistakes; alternatives and lists on the command line."""

import csv
import io

import pytest

import refscore
from tests.cli.running import error_of, json_of, output_of, write_lines

HYPOTHESES = ["a cat sat", "the whether is fine", "i am going to go"]
REFERENCES = ["the cat sat", "the weather is fine today", "i am {gonna / going to} go"]


@pytest.fixture
def files(tmp_path):
    write_lines(
        tmp_path, hyp=HYPOTHESES, ref=REFERENCES, labels=["<b>.wav", "b.wav", "c.wav"], words=["weather", "the"]
    )
    return tmp_path


def test_tables_and_alignments(capsys, files):
    arguments = ["errors", files / "hyp", "-r", files / "ref", "--set", "wer.alternatives=nist"]
    metric = refscore.WER(alternatives="nist")
    errors = refscore.alignments.word_errors(HYPOTHESES, REFERENCES, metric)
    view = refscore.alignments.alignment_view(HYPOTHESES, REFERENCES, metric)
    printed = output_of(capsys, *arguments)
    rate = metric.corpus(HYPOTHESES, REFERENCES)
    assert rate.value == 3 / 13
    summary = "WER ↓  errors  reference words\n-----  ------  ---------------\n23.08       3               13"
    assert printed == f"{summary}\n\n{errors}\n\n{metric.signature}\n"
    assert errors.errors == 3
    assert output_of(capsys, *arguments, "--alignments") == f"{printed}\n{view.with_errors()}\n"
    worst = output_of(capsys, *arguments, "--worst", "1", "--style", "sclite", "--labels", files / "labels")
    assert "id: (b.wav)\nScores: (#C #S #D #I) 3 1 1 0\n" in worst and "<b>" not in worst


def test_formats(capsys, files):
    arguments = ["errors", files / "hyp", "-r", files / "ref", "--set", "wer.alternatives=nist"]
    content = json_of(capsys, *arguments, "--alignments", "--labels", files / "labels")
    rate = refscore.wer(HYPOTHESES, REFERENCES, alternatives="nist")
    assert content["score"] == rate.to_dict()
    assert content["errors"] == 3 and [entry["segment"] for entry in content["alignments"]] == [0, 1]
    page = output_of(capsys, *arguments, "--format", "html", "--alignments", "--labels", files / "labels")
    assert "&lt;b&gt;.wav" in page and "<b>.wav" not in page and page.startswith("<!doctype html>")
    rows = list(csv.DictReader(io.StringIO(output_of(capsys, *arguments, "--format", "csv"))))
    assert [row["kind"] for row in rows] == ["substitution", "substitution", "deletion"]
    write_lines(files, by=["x", "y", "x"])
    rows = list(csv.DictReader(io.StringIO(output_of(capsys, *arguments, "--by", files / "by", "--format", "csv"))))
    assert [(row["group"], row["segments"]) for row in rows] == [("x", "2"), ("y", "1")]
    alignments = ["--alignments", "--labels", files / "labels", "--format", "csv"]
    rows = list(csv.DictReader(io.StringIO(output_of(capsys, *arguments, *alignments))))
    expected = [
        (str(entry["segment"] + 1), entry["label"], edit["kind"], edit["reference"] or "", edit["hypothesis"] or "")
        for entry in content["alignments"]
        for edit in entry["edits"]
    ]
    assert [tuple(row.values()) for row in rows] == expected
    assert [*rows[0]] == ["segment", "label", "kind", "reference", "hypothesis"]
    assert "```" in output_of(capsys, *arguments, "--format", "markdown", "--alignments")


def test_listed_words(capsys, files):
    words = ["--set", f"wer.words={files / 'words'}"]
    assert json_of(capsys, "errors", files / "hyp", "-r", files / "hyp", *words)["errors"] == 0
    listed = output_of(capsys, "errors", files / "hyp", "-r", files / "ref", *words).splitlines()[2].split()
    assert float(listed[0]) == round(100 * int(listed[1]) / int(listed[2]), 2)
    content = json_of(capsys, "score", files / "hyp", "-r", files / "ref", "-m", "wer", *words)
    expected = refscore.WER(words=["weather", "the"]).corpus(HYPOTHESES, REFERENCES).value
    assert content["systems"][0]["scores"]["wer"]["value"] == expected
    assert output_of(capsys, "errors", files / "hyp", "-r", files / "hyp").split()[8:11] == ["0.00", "0", "12"]
    characters = output_of(capsys, "errors", files / "hyp", "-r", files / "ref", "-m", "cer").splitlines()[0]
    assert characters.split() == ["CER", "↓", "errors", "reference", "characters"]


def test_mistakes(files):
    (files / "bad").write_text("a\n{b\nc\n")
    arguments = ["errors", files / "hyp", "-r"]
    assert "line 2 of" in str(error_of(*arguments, files / "bad", "--set", "wer.alternatives=nist"))
    assert "write --set wer.normalize=NFC" in str(error_of(*arguments, files / "ref", "--normalize", "NFC"))
    assert "no alignments" in str(error_of(*arguments, files / "ref", "-m", "bleu"))
    assert "one metric" in str(error_of(*arguments, files / "ref", "-m", "wer,cer"))
    assert "2 labels for 3 segments" in str(error_of(*arguments, files / "ref", "--labels", files / "words"))
    assert "cannot be read" in str(error_of(*arguments, files / "ref", "--set", "wer.words=missing.txt"))
