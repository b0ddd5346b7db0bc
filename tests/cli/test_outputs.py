"""No command overwrites one of its input files, under any name of the file."""

import csv
import json
import os

import click
import pytest

from refscore import Evaluation
from refscore.cli.main import commands
from refscore.cli.output import OutputFile, names_inputs
from tests.cli.running import at, check_failure, status_of

SEGMENTS = ["a cat sat on the mat", "it rained all day"]
# Each command with its inputs and its option for an output file.
WRITERS = {
    "report": (["hyp.tsv:1", "-r", "ref.tsv:1", "--source", "src.tsv:1", "--units", "unit.tsv:1"], "-o"),
    "score": (["hyp.tsv:1", "-r", "ref.tsv:1", "--units", "unit.tsv:1", "--ci", "--resamples", "10"], "--segments"),
    "stats": (["hyp.refscore", "-r", "ref.refscore"], "-o"),
    "show": (["part.0.refscore"], "-o"),
    "verify": (["part.0.refscore", "hyp.tsv:1", "-r", "ref.tsv:1"], "-o"),
    "merge": (["part.0.refscore", "part.1.refscore"], "-o"),
    "meeting": (["hyp.stm", "-r", "ref.stm", "--turns", "turns.rttm"], "-o"),
    "mbr": (["candidates.jsonl"], "-o"),
    "compare": (["a=hyp.tsv:1", "b=ref.tsv:1", "-r", "ref.tsv:1", "--units", "unit.tsv:1", "--resamples", "10"], "-o"),
    "gate": (["hyp.tsv:1", "--baseline", "ref.tsv:1", "-r", "ref.tsv:1", "-m", "chrf"], "-o"),
    "meta": (["a=hyp.tsv:1", "b=ref.tsv:1", "-r", "ref.tsv:1", "--human", "human.tsv", "--trials", "10"], "-o"),
    "select": (["a=hyp.tsv:1", "b=ref.tsv:1", "-r", "ref.tsv:1"], "-o"),
    "spans": (["spans.jsonl", "spans.jsonl"], "-o"),
    "conventions": (["hyp.tsv:1", "-r", "ref.tsv:1", "--preset", "sacrebleu", "--against", "nltk"], "-o"),
    "errors": (["hyp.txt", "-r", "ref.txt", "--labels", "unit.txt"], "-o"),
    "explain": (["hyp.txt:1", "ref.txt:1"], "-o"),
    "overlap": (["hyp.txt", "--corpus", "ref.txt"], "--segments"),
    "resegment": (
        [
            *("hyp.txt", "-r", "ref.txt", "--set", "resegment.documents=unit.txt"),
            *("--set", "resegment.hypothesis_documents=src.txt"),
        ],
        "-o",
    ),
    "tokenize": (["hyp.txt"], "-o"),
}
CASES = [
    (name, argument.removesuffix(":1").partition("=")[2] or argument.removesuffix(":1"))
    for name, (arguments, _) in WRITERS.items()
    for argument in arguments
    if "." in argument
]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr("refscore.report.page.find_spec", lambda name: True)  # no chart is drawn
    monkeypatch.chdir(tmp_path)
    for name in ("hyp", "ref", "src", "unit"):
        for ending in ("tsv", "refscore", "txt"):
            (tmp_path / f"{name}.{ending}").write_text("".join(f"{line}\n" for line in SEGMENTS))
    for name in ("hyp", "ref"):
        (tmp_path / f"{name}.stm").write_text("s 1 A 0 1 a cat\n")
    (tmp_path / "turns.rttm").write_text("SPEAKER s 1 0 1 <NA> <NA> A <NA> <NA>\n")
    (tmp_path / "human.tsv").write_text("a\tb\n1\t2\n3\t4\n")
    for part in range(2):
        Evaluation("bleu").save(f"part.{part}.refscore")
    spans = {"system": "a", "line_id": 1, "tgt": "a cat", "esa_spans": []}
    (tmp_path / "spans.jsonl").write_text(json.dumps(spans) + "\n")
    (tmp_path / "candidates.jsonl").write_text(json.dumps({"candidates": SEGMENTS}) + "\n")
    return tmp_path


def test_every_command_that_writes_is_tried():
    context = click.Context(commands)
    for name in commands.list_commands(context):
        options = {parameter.name for parameter in commands.get_command(context, name).params}
        assert bool(options & {"target", "segment_file"}) == (name in WRITERS or name == "metrics"), name


# Parameters that take text and do not name an input file.
NO_INPUTS = {
    *("field", "folder", "languages", "log_probabilities", "master", "metric", "names", "normalize"),
    *("notes", "number", "preset", "presets", "rater", "reference_field", "save_filter", "segment_file"),
    *(
        "session",
        "settings",
        "signatures",
        "source_field",
        "test_set",
        "title",
        "tokenizer",
        "utilities",
        "weights",
        "without",
    ),
}


@pytest.mark.parametrize("name", commands.list_commands(click.Context(commands)))
def test_parameters_declare_input_files(name):
    """A text names input files if the shell completes it with file names. A new parameter must do so, or be listed."""
    command = commands.get_command(click.Context(commands), name)
    texts = [each for each in command.params if isinstance(each.type, (click.types.StringParamType, OutputFile))]
    for parameter in texts:
        is_input = parameter.name not in NO_INPUTS and not isinstance(parameter.type, OutputFile)
        assert names_inputs(parameter) == is_input, parameter.name
    for parameter in command.params:
        assert parameter in texts or not names_inputs(parameter), parameter.name


@pytest.mark.parametrize("link", [None, os.symlink, os.link])
@pytest.mark.parametrize(("name", "file"), CASES)
def test_an_output_is_not_an_input(files, capsys, name, file, link):
    arguments, option = WRITERS[name]
    before = (files / file).read_bytes()
    output = file if link is None else f"link.{file}"
    if link is not None:
        link(file, output)
    check_failure(capsys, [name, *arguments, option, output], at(output))
    assert (files / file).read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        (["mbr", "-", "-o"], "candidates.jsonl"),
        (["stats", "-", "-r", "ref.tsv:1", "-o"], "hyp.refscore"),
        (["tokenize", "-o"], "hyp.txt"),
    ],
)
def test_an_output_is_not_standard_input(files, capsys, monkeypatch, arguments, file):
    before = (files / file).read_bytes()
    with (files / file).open() as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        check_failure(capsys, [*arguments, file], at(file))
    assert (files / file).read_bytes() == before


def test_two_outputs_are_two_files(files, capsys):
    arguments = ["score", "hyp.txt", "-r", "ref.txt", "-o", "x.csv", "--segments"]
    check_failure(capsys, [*arguments, "./x.csv"], at("x.csv"))
    assert not (files / "x.csv").exists()
    assert status_of([*arguments, "y.csv"]) == 0


def test_a_device_may_be_both(files, monkeypatch):
    with open(os.devnull) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        assert status_of(["mbr", "candidates.jsonl", "-o", os.devnull]) == 0


def test_a_changed_file_of_the_same_size_is_not_resumed(files, capsys):
    arguments = ["stats", "hyp.tsv:1", "-r", "ref.tsv:1", "-o", "sum.refscore", "--resume"]
    for _ in range(2):
        assert status_of(arguments) == 0
    for file in ("hyp.tsv", "ref.tsv"):
        text, times = (files / file).read_text(), os.stat(file)
        (files / file).write_text(text.replace("cat", "dog"))
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        check_failure(capsys, arguments, at("sum.refscore"))
        (files / file).write_text(text)
    assert status_of(arguments) == 0
    check_failure(capsys, [*arguments, "--blank-reference", "missing"], at("sum.refscore"))


FORMULAS = ["=1+1", "+cmd|x", "-2+3", "@SUM(A1)", "\uff1d1", "-1.5", "a=b"]


@pytest.mark.parametrize("form", ["csv", "tsv"])
@pytest.mark.parametrize("quoting", [True, False])
def test_formulas_are_quoted_on_request(files, capsys, form, quoting):
    for name in FORMULAS:  # of files, since NAME=FILE takes no name with an equals sign
        (files / name).write_text((files / "hyp.txt").read_text())
    expected = {name: f"'{name}" if quoting and name not in ("-1.5", "a=b") else name for name in FORMULAS}
    options = ["--format", form, "--segments", f"segments.{form}", *(["--quote-formulas"] if quoting else [])]
    assert status_of(["score", "-r", "ref.txt", *options, "--", *FORMULAS]) == 0
    delimiter = "," if form == "csv" else "\t"
    for text in (capsys.readouterr().out, (files / f"segments.{form}").read_text("utf-8")):
        rows = list(csv.reader(text.splitlines(), delimiter=delimiter))
        assert {row[0] for row in rows[1:]} == {*expected.values()}
        assert all(float(cell) >= 0 for row in rows[1:] for cell in row[1:])


@pytest.mark.parametrize("ending", ["xlsx", "parquet", "json.gz", "yaml"])
def test_an_output_of_a_different_format(files, capsys, ending):
    arguments = ["score", "hyp.txt", "-r", "ref.txt", "-m", "chrf", "-o", f"out.{ending}"]
    expected = f"-o cannot write .{ending.rpartition('.')[2]} files: end the name in one of .csv"
    check_failure(capsys, arguments, expected)
    assert not (files / f"out.{ending}").exists()
