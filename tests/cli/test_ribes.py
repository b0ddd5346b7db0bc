"""The command `refscore ribes`: the official lines, refscore's additions, and errors."""

import json
import os
import re
import subprocess
import sys

import pytest

import refscore
from tests.cli.running import at, check_failure, command, installed, on_terminal, status_of

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
    written = {
        "hyp": HYPOTHESES,
        "other": OTHER,
        **{f"ref{i}": lines for i, lines in enumerate(REFERENCES)},
        "hole": HOLE,
        "holes": ["", ""],
        "short": HYPOTHESES[:1],
    }
    for name, lines in written.items():
        (tmp_path / name).write_bytes("".join(f"{line}\n" for line in lines).encode())
    (tmp_path / "nothing").touch()
    (tmp_path / "broken").write_bytes(b"a\nb\xff\n")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


CHARACTERS = refscore.RIBES(tokenizer="char")
ALL = ["-r", "ref0", "-r", "ref1", "-r", "ref2"]


def ribes(*arguments):
    return status_of(["ribes", *arguments])


def lines_of(capsys):
    output = capsys.readouterr()
    assert output.err == ""
    assert output.out.endswith("\n")
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
    assert ribes("hyp", *options) == 0
    assert lines_of(capsys) == [f"{value:.6f} alpha=0.250000 beta=0.100000 hyp"]


def test_sentences_of_several_files(files, capsys):
    assert ribes("hyp", "-s", "other", "--ref", "ref0", "--reference", "ref1", "-a", "0.5", "--beta", "0") == 0
    metric = refscore.RIBES(alpha=0.5, beta=0)
    references = refscore.from_streams(REFERENCES[:2])
    expected = []
    for name, texts in [("hyp", HYPOTHESES), ("other", OTHER)]:
        settings = f"alpha=0.500000 beta=0.000000 {name}"
        for index, value in enumerate(metric.segments(texts, references)):
            expected.append(f"{value:.6f} {settings} sentence {index}")
        expected.append(f"{metric.corpus(texts, references).value:.6f} {settings}")
    assert lines_of(capsys) == expected


def test_sentences_without_a_reference_are_left_out(files, capsys):
    assert ribes("hyp", "-r", "hole", "-r", "holes", "--emptyref", "--sentence") == 0
    value = refscore.RIBES().segment(HYPOTHESES[0], REFERENCES[1][0]).value
    settings = "alpha=0.250000 beta=0.100000 hyp"
    expected = [f"{value:.6f} {settings} sentence 0", f"-inf {settings} sentence 1", f"{value:.6f} {settings}"]
    assert lines_of(capsys) == expected


def test_an_empty_hypothesis(files, capsys):
    assert ribes("hole", "-s", "-r", "ref1") == 0
    assert [line.split()[0] for line in lines_of(capsys)] == ["1.000000", "0.000000", "0.500000"]


def test_json(files, capsys):
    assert ribes("hyp", "other", *ALL, "--format", "json") == 0
    metric, references = refscore.RIBES(), refscore.from_streams(REFERENCES)
    expected = [
        {"file": name, **metric.corpus(texts, references).to_dict()}
        for name, texts in [("hyp", HYPOTHESES), ("other", OTHER)]
    ]
    assert [json.loads(line) for line in lines_of(capsys)] == expected
    assert expected[0]["segments"] == 2 and expected[0]["value"] == pytest.approx(0.5995009866, abs=1e-10)


def test_json_of_sentences(files, capsys):
    assert ribes("hyp", "-r", "hole", "-z", "-s", "--format", "json") == 0
    (line,) = lines_of(capsys)
    data = json.loads(line)
    value = refscore.RIBES().segment(HYPOTHESES[0], REFERENCES[1][0]).value
    assert data["sentences"] == [value, None]
    assert (data["segments"], data["value"]) == (1, value)


ONE = ["hyp", "-r", "ref0"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["hyp", "-r", "missing"], at("missing")),
        (["missing", "-r", "ref0"], at("missing")),
        (["hyp", "folder", "-r", "ref0"], at("folder")),
        (["nothing", "-r", "ref0"], at("nothing")),
        (["hyp", "-r", "broken"], at("broken", 2)),
        (["hyp", "-r", "short"], at("hyp", 2)),
        (["hyp", "short", "-r", "ref0"], at("hyp", 2)),
        (["hyp", "-r", "hole"], "line 2 of hole has no words: add the text, or skip empty references with -z"),
        ([*ONE, "-r", "hole", "-r", "holes"], at("holes", 1)),
        (["hyp", "-z", "-r", "holes"], r"no reference has words"),
        ([*ONE, "-o", "folder"], at("folder")),
        ([*ONE, "-o", "hyp/out"], at("hyp/out")),
        ([*ONE, "--preset", "nlkt"], "unknown preset of ribes 'nlkt'; did you mean 'nltk'"),
        ([*ONE, "--tokenizer", "chr"], "unknown tokenizer 'chr'; did you mean 'char'"),
        ([*ONE, "-a", "-1"], "alpha"),
        ([*ONE, "-a", "nan"], "alpha"),
        ([*ONE, "-b", "inf"], "beta"),
        ([*ONE, "-b", "much"], "--beta.*'much'"),
        (["hyp"], "--reference"),
        (["-r", "ref0"], "HYP"),
        ([*ONE, "--sentances"], "--sentances"),
    ],
)
def test_mistakes(files, capsys, arguments, expected):
    check_failure(capsys, ["ribes", *arguments], expected)


def test_a_mistake_leaves_the_output_alone(files):
    (files / "out").write_text("before")
    assert ribes("hyp", "-r", "hole", "-o", "out") == 2
    assert (files / "out").read_text() == "before"


@pytest.mark.skipif(sys.platform != "linux", reason="needs file names that are any bytes")
def test_names_are_printed_as_they_are(files):
    name = b"h\xffp\xc3\xa4"
    os.link(b"hyp", name)
    for environment in ({}, {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}):
        result = command("ribes", os.fsdecode(name), *ALL, environment=environment)
        assert (result.returncode, result.stderr) == (0, b"")
        assert result.stdout == b"0.599501 alpha=0.250000 beta=0.100000 " + name + b"\n"


@pytest.mark.slow
def test_on_a_terminal(files):
    shown = on_terminal("ribes", "hyp", *ALL)
    score = refscore.RIBES().corpus(HYPOTHESES, refscore.from_streams(REFERENCES))
    assert f"RIBES = {score.percent:.2f}" in shown
    assert score.signature in shown
    for number in (score.nkt, score.precision, score.brevity_penalty):
        assert f" {number:.3f} " in shown
    assert "alpha=" not in shown


@pytest.mark.slow
def test_sentences_of_several_files_on_a_terminal(files):
    shown = on_terminal("ribes", "hyp", "other", "-s", "-z", "-r", "hole")
    for texts in (HYPOTHESES, OTHER):
        score = refscore.RIBES().segment(texts[0], REFERENCES[1][0])
        for number in (f"{score.percent:.2f}", f"{score.nkt:.3f}", f"{score.precision:.3f}"):
            assert f" {number} " in shown
    assert shown.count("skipped") == 2
    assert shown.count("ribes|") == 1
    assert re.search(r"\bother\b", shown)


@pytest.mark.slow
def test_lines_go_to_the_file_on_a_terminal_too(files):
    assert on_terminal("ribes", "hyp", *ALL, "-o", "out") == ""
    assert (files / "out").read_bytes() == b"0.599501 alpha=0.250000 beta=0.100000 hyp\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_closed_standard_output(tmp_path):
    (tmp_path / "a.txt").write_text("a b\n")

    def run(options):
        line = f"{installed()} ribes a.txt -r a.txt {options} >&-"
        return subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)

    ended = run("")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert run("-o out.txt").returncode == 0
    assert (tmp_path / "out.txt").read_text().startswith("1.000000 alpha")
