"""`python -m refscore.compat ribes`: the official lines and errors."""

import json
import os
import re
import shlex
import subprocess
import sys

import pytest

import refscore
from refscore.compat.__main__ import main
from tests.cli.running import command, write_lines

COMMAND = [sys.executable, "-m", "refscore.compat", "ribes"]

HYPOTHESES = [
    "It is a guide to action which ensures that the military always obeys the commands of the party",
    "he read the book because he was interested in world history",
]
WORLD = "he was interested in world history because he read the book"
REFERENCES = [
    ["It is a guide to action that ensures that the military will forever heed Party commands", WORLD],
    [
        "It is the guiding principle which guarantees the military forces always being under the command of the Party",
        WORLD,
    ],
    ["It is the practical guide for the army always to heed the directions of the party", WORLD],
]
HOLE = [REFERENCES[1][0], " "]
OTHER = ["It is a guide to action", "he was interested in world history"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    references = {f"ref{i}": lines for i, lines in enumerate(REFERENCES)}
    write_lines(tmp_path, hyp=HYPOTHESES, other=OTHER, hole=HOLE, holes=["", ""], short=HYPOTHESES[:1], **references)
    (tmp_path / "broken").write_bytes(b"a\nb\xff\n")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


CHARACTERS = refscore.RIBES(tokenizer="char")
ALL = ["-r", "ref0", "-r", "ref1", "-r", "ref2"]


def lines_of(capsys, *arguments):
    assert main(["ribes", *arguments]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    return output.out.splitlines()


@pytest.mark.parametrize(
    ("options", "value"),
    [
        (ALL, 0.599501),
        ([*ALL, "-c"], 0.596625),
        ([*ALL, "--case"], 0.596625),
        ([*ALL, "--preset", "nltk"], 0.632988),
        ([*ALL, "--preset", "nltk-3.9"], 0.359703),
        (["-r", "ref0", "-r", "hole", "-r", "ref2", "-z"], 0.599501),  # empty references are left out
        (["-r", "hole", "--preset", "nltk"], refscore.RIBES.preset("nltk").corpus(HYPOTHESES, HOLE).value),
        (["-r", "ref0", "--tokenizer", "char"], CHARACTERS.corpus(HYPOTHESES, REFERENCES[0]).value),
    ],
)
def test_corpus_scores(files, capsys, options, value):
    assert lines_of(capsys, "hyp", *options) == [f"{value:.6f} alpha=0.250000 beta=0.100000 hyp"]


def test_sentences_of_several_files(files, capsys):
    metric = refscore.RIBES(alpha=0.5, beta=0)
    references = refscore.from_streams(REFERENCES[:2])
    expected = []
    for name, texts in [("hyp", HYPOTHESES), ("other", OTHER)]:
        settings = f"alpha=0.500000 beta=0.000000 {name}"
        for index, value in enumerate(metric.segments(texts, references)):
            expected.append(f"{value:.6f} {settings} sentence {index}")
        expected.append(f"{metric.corpus(texts, references).value:.6f} {settings}")
    options = ["-s", "--ref", "ref0", "--reference", "ref1", "-a", "0.5", "--beta", "0"]
    assert lines_of(capsys, "hyp", "other", *options) == expected


def test_sentences_without_a_reference_are_left_out(files, capsys):
    lines = lines_of(capsys, "hyp", "-r", "hole", "-r", "holes", "--emptyref", "--sentence")
    value = refscore.RIBES().segment(HYPOTHESES[0], REFERENCES[1][0]).value
    settings = "alpha=0.250000 beta=0.100000 hyp"
    assert lines == [f"{value:.6f} {settings} sentence 0", f"-inf {settings} sentence 1", f"{value:.6f} {settings}"]


ONE = ["hyp", "-r", "ref0"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["hyp", "-r", "missing"], "ribes: missing "),
        (["hyp", "folder", "-r", "ref0"], "ribes: folder "),
        (["hyp", "-r", "broken"], "line 2 of broken"),
        (["hyp", "-r", "short"], "line 2 of hyp"),
        (["hyp", "-r", "hole"], "line 2 of hole .* -z"),
        ([*ONE, "-r", "hole", "-r", "holes"], "line 1 of holes"),
        (["hyp", "-z", "-r", "holes"], "no reference"),
        (["-", "-r", "-"], "standard input can be read only once: name a file"),
        (["texts.jsonl:none", "-r", "ref0"], "none in line 1 of texts.jsonl is missing: a hypothesis must be one text"),
        (["hyp", "-r", "texts.jsonl:none"], "none in line 1 of texts.jsonl has no reference"),
        (["hyp", "-r", "texts.jsonl:two", "-r", "hole"], "two in line 2 of texts.jsonl .* -z"),
        ([*ONE, "-o", "folder"], "folder cannot be written"),
        ([*ONE, "-o", "nowhere/out"], "nowhere/out cannot be written"),
        ([*ONE, "-o", "hyp"], "hyp is an input and would be overwritten"),
        ([*ONE, "-o", "./ref0"], "ref0 is an input and would be overwritten"),
        ([*ONE, "--preset", "nlkt"], "'nlkt'.*'nltk'"),
        ([*ONE, "--tokenizer", "chr"], "'chr'.*'char'"),
        ([*ONE, "-a", "nan"], "alpha"),
        ([*ONE, "-b", "much"], "--beta.*'much'"),
        (["hyp"], "--reference"),
        (["-r", "ref0"], "HYP"),
    ],
)
def test_mistakes(files, capsys, arguments, expected):
    lines = [{"none": None, "two": ["a b", "c"]}, {"none": None, "two": ["a b", "c"]}]
    (files / "texts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["ribes", *arguments]) == 2
    output = capsys.readouterr()
    assert (output.out, output.err.count("\n")) == ("", 1)
    assert re.search(expected, output.err), output.err
    assert [len((files / name).read_text().splitlines()) for name in ("hyp", "ref0")] == [2, 2]


@pytest.mark.skipif(sys.platform != "linux", reason="needs file names that are any bytes")
def test_names_are_printed_as_they_are(files):
    name = b"h\xffp\xc3\xa4"
    os.link(b"hyp", name)
    for environment in ({}, {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}):
        result = command(os.fsdecode(name), *ALL, environment=environment, program=COMMAND)
        assert (result.returncode, result.stderr) == (0, b"")
        assert result.stdout == b"0.599501 alpha=0.250000 beta=0.100000 " + name + b"\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_closed_standard_output(files):
    for options, status in (("", 2), ("-o out", 0)):
        line = f"{shlex.join(COMMAND)} hyp -r hyp {options} >&-"
        ended = subprocess.run(["sh", "-c", line], cwd=files, capture_output=True, text=True, check=False, timeout=300)
        assert (ended.returncode, ended.stderr.count("\n")) == (status, status // 2)
    assert (files / "out").read_text().startswith("1.000000 alpha")
