"""The command `refscore mbr`."""

import json

import pytest

import refscore
from refscore import mbr
from refscore.errors import EmptyReferenceError, LimitError
from tests.cli.running import at, check_failure, error_of, output_for, output_of, write_lines

LINES = [
    {"id": "a", "candidates": ["the cat sat on a mat", "the cat sat on the mat", "a dog ran"], "p": [0.2, 0.2, 9]},
    {"id": "ü", "candidates": ["Äpfel sind rot", "Äpfel sind sehr rot"], "p": [1, 1]},
]
LINES[0] |= {"refs": ["a cat", "cats"], "tokens": [["a", "cat"], ["a", "\ud83d"]]}
LINES[1] |= {"refs": ["Äpfel"], "tokens": [[1, 2, 3], [1, 2]]}
for line in LINES:
    line["samples"] = [{"text": "a cat", "logprob": -1.5}, {"text": "a bat", "logprob": -0.5}]


def written(path, lines):
    write_lines(path.parent, **{path.name: map(json.dumps, lines)})
    return path


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return written(tmp_path / "data.jsonl", LINES).name


def shown(capsys, *arguments):
    return [json.loads(line) for line in output_of(capsys, "mbr", *arguments).splitlines()]


def test_chrf_is_the_default(file, capsys):
    lines = shown(capsys, file)
    assert [{key: value for key, value in line.items() if key != "mbr"} for line in lines] == LINES
    for line in lines:
        choice = mbr.choose(line["candidates"])
        assert line["mbr"] == {"candidate": line["candidates"][choice.best], **choice.to_dict()}


@pytest.mark.parametrize(
    ("options", "choose"),
    [
        ("-m bleu", lambda line: mbr.choose(line["candidates"], metric=refscore.BLEU.preset("sacrebleu-sentence"))),
        ("-m bleu:nltk", lambda line: mbr.choose(line["candidates"], metric=refscore.BLEU.preset("nltk"))),
        ("-m chrf++ --aggregate", lambda line: mbr.choose(line["candidates"], metric="chrf++", aggregate=True)),
        (
            "-m ter --set ter.lowercase=no --threads 2",
            lambda line: mbr.choose(line["candidates"], metric=refscore.TER(lowercase=False)),
        ),
        ("--weights p", lambda line: mbr.choose(line["candidates"], weights=line["p"])),
        ("--reference-field refs", lambda line: mbr.choose(line["candidates"], line["refs"])),
        ("--field tokens -m wer", lambda line: mbr.choose(line["tokens"], metric="wer", tokens=True)),
        (
            "--field samples.text --log-probabilities samples.logprob",
            lambda line: mbr.choose(["a cat", "a bat"], log_probabilities=[-1.5, -0.5]),
        ),
    ],
)
def test_options(file, capsys, options, choose):
    for line in shown(capsys, file, *options.split()):
        assert line["mbr"]["expected"] == choose(line).expected.tolist()


def test_files(file, capsys, tmp_path, monkeypatch):
    expected = shown(capsys, file)
    assert shown(capsys, file, "--output", "out.jsonl") == []
    text = (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line) for line in text.splitlines()] == expected
    assert "Äpfel" in text
    printed = output_for(capsys, monkeypatch, (tmp_path / file).read_bytes(), "mbr", "-")
    assert [json.loads(line) for line in printed.splitlines()] == expected


@pytest.mark.parametrize(
    ("second", "options", "field"),
    [
        ("{", [], None),
        ("x", [], None),
        ("", [], None),
        ("[]", [], None),
        ('{"candidate": []}', [], None),
        ('{"candidates": "a"}', [], "candidates"),
        ('{"candidates": []}', [], "candidates"),
        ('{"candidates": ["a", null]}', [], "candidates[1]"),
        ('{"candidates": [[["a"]]]}', [], "candidates"),
        ('{"candidates": ["a"], "mbr": 1}', [], None),
        ('{"candidates": ["a"], "x": 1e999}', [], None),
        ('{"candidates": ["a"], "p": [1, 2]}', ["--weights", "p"], "p"),
        ('{"candidates": ["a", ""]}', ["-m", "ribes"], "candidates[1]"),
        ('{"candidates": ["a", "b"], "r": ["", "b"]}', ["-m", "ribes", "--reference-field", "r"], "r[0]"),
        ('{"candidates": ["a", "b c d"]}', ["-m", "bleu", "--max-tokens", "2"], "candidates[1]"),
        ('{"candidates": [{"text": 1}]}', ["--field", "candidates.txt"], None),
    ],
)
def test_mistakes_in_lines(tmp_path, monkeypatch, capsys, second, options, field):
    monkeypatch.chdir(tmp_path)
    first = {"candidates": ["a", "b"], "p": [1, 1], "r": ["a", "b"]}
    if "candidates.txt" in options:
        first = {"candidates": [{"txt": "a"}]}
    (tmp_path / "data.jsonl").write_text(json.dumps(first) + f"\n{second}\n")
    error = error_of("mbr", "data.jsonl", *options, "--output", "new.jsonl")
    assert (error.location.file, error.location.line, error.location.field) == ("data.jsonl", 2, field)
    assert not (tmp_path / "new.jsonl").exists()
    assert isinstance(error, EmptyReferenceError) == ("ribes" in options)
    assert isinstance(error, LimitError) == ("--max-tokens" in options)


def test_mistakes(file, capsys, tmp_path):
    (tmp_path / "empty.jsonl").touch()
    for arguments, expected in [
        ([file, "-m", "bleu,chrf"], "bleu, chrf"),
        ([file, "-m", "ter", "--aggregate"], "ter"),
        (["nothing.jsonl"], at("nothing.jsonl")),
        ([file, "--output", str(tmp_path)], at(str(tmp_path))),
        (["empty.jsonl"], at("empty.jsonl")),
        ([], "Missing argument"),
    ]:
        check_failure(capsys, ["mbr", *arguments], expected)
