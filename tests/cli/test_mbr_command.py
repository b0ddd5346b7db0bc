"""The command `refscore mbr`."""

import gzip
import json
import re
from pathlib import Path

import pytest

import refscore
from refscore import mbr
from refscore.errors import EmptyReferenceError, LimitError
from tests.cli.running import at, check_failure, error_of, output_for, output_of

ROOT = Path(__file__).parents[2]
LINES = [
    {"id": "a", "candidates": ["the cat sat on a mat", "the cat sat on the mat", "a dog ran"], "p": [0.2, 0.2, 9]},
    {"id": "ü", "candidates": ["Äpfel sind rot", "Äpfel sind sehr rot"], "p": [1, 1]},
]
SAMPLED = {
    "samples": [{"text": "a cat", "logprob": -1.5}, {"text": "a bat", "logprob": -0.5}],
    "refs": ["a cat", "cats"],
}


def written(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
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
    ("options", "settings"),
    [
        (["-m", "bleu"], {"metric": refscore.BLEU.preset("sacrebleu-sentence")}),
        (["-m", "bleu:nltk"], {"metric": refscore.BLEU.preset("nltk")}),
        (["-m", "chrf++", "--aggregate"], {"metric": refscore.CHRF(word_order=2), "aggregate": True}),
        (["-m", "ter", "--set", "ter.lowercase=no", "--threads", "2"], {"metric": refscore.TER(lowercase=False)}),
    ],
)
def test_metrics(file, capsys, options, settings):
    for line in shown(capsys, file, *options):
        assert line["mbr"]["expected"] == mbr.choose(line["candidates"], **settings).expected.tolist()


def test_weights(file, capsys):
    lines = shown(capsys, file, "--weights", "p")
    assert lines[0]["mbr"]["best"] == 2
    for line in lines:
        assert line["mbr"]["expected"] == mbr.choose(line["candidates"], weights=line["p"]).expected.tolist()


def test_fields_within(tmp_path, capsys):
    path = written(tmp_path / "samples.jsonl", [SAMPLED])
    options = ["--field", "samples.text", "--log-probabilities", "samples.logprob"]
    (line,) = shown(capsys, path, *options)
    expected = mbr.choose(["a cat", "a bat"], log_probabilities=[-1.5, -0.5])
    assert line["mbr"]["expected"] == expected.expected.tolist()
    (line,) = shown(capsys, path, "--field", "samples.text", "--references", "refs")
    assert line["mbr"]["expected"] == mbr.choose(["a cat", "a bat"], ["a cat", "cats"]).expected.tolist()
    assert line["mbr"]["candidate"] == "a cat"


def test_tokens(tmp_path, capsys):
    items = [{"candidates": [["a", "cat"], ["a", "a"]]}, {"candidates": [[1, 2, 3], [1, 2]]}]
    lines = shown(capsys, written(tmp_path / "tokens.jsonl", items), "-m", "wer")
    for line, item in zip(lines, items, strict=True):
        choice = mbr.choose(item["candidates"], metric="wer", tokens=True)
        assert line["mbr"]["expected"] == choice.expected.tolist()


def test_files(file, capsys, tmp_path, monkeypatch):
    expected = shown(capsys, file)
    (tmp_path / "data.jsonl.gz").write_bytes(gzip.compress((tmp_path / file).read_bytes()))
    assert shown(capsys, "data.jsonl.gz") == expected
    assert shown(capsys, file, "--output", "out.jsonl") == []
    text = (tmp_path / "out.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line) for line in text.splitlines()] == expected
    assert "Äpfel" in text
    printed = output_for(capsys, monkeypatch, (tmp_path / file).read_bytes(), "mbr", "-")
    assert [json.loads(line) for line in printed.splitlines()] == expected


def test_half_a_pair_of_surrogates(tmp_path, capsys):
    (line,) = shown(capsys, written(tmp_path / "half.jsonl", [{"candidates": ["a \ud83d", "b"]}]))
    assert line["mbr"]["candidate"] == "a \ud83d"


@pytest.mark.parametrize(
    ("second", "options", "field", "problem"),
    [
        ("{", [], None, "begins JSON that spans several lines"),
        ("x", [], None, "is not JSON"),
        ("", [], None, "is empty"),
        ("[]", [], None, "is a list"),
        ('{"candidate": []}', [], None, "has no field 'candidates'"),
        ('{"candidates": "a"}', [], "candidates", "is not a list"),
        ('{"candidates": []}', [], "candidates", "is empty"),
        ('{"candidates": ["a", null]}', [], "candidates[1]", "is "),
        ('{"candidates": [[["a"]]]}', [], "candidates", "has nested lists"),
        ('{"candidates": ["a"], "mbr": 1}', [], None, "has a field 'mbr' already"),
        ('{"candidates": ["a"], "x": 1e999}', [], None, "has a number that JSON cannot represent"),
        ('{"candidates": ["a"], "x": [{"y": NaN}]}', [], None, "has a number that JSON cannot represent"),
        ('{"candidates": ["a"], "p": [1, 2]}', ["--weights", "p"], "p", "must be 1 numbers"),
        ('{"candidates": ["a", ""]}', ["-m", "ribes"], "candidates[1]", "has no words"),
        ('{"candidates": ["a", "b"], "r": ["", "b"]}', ["-m", "ribes", "--references", "r"], "r[0]", "has no words"),
        ('{"candidates": ["a", "b c d"]}', ["-m", "bleu", "--max-tokens", "2"], "candidates[1]", "has 3 tokens"),
        ('{"candidates": [{"text": 1}]}', ["--field", "candidates.txt"], None, "has no field 'candidates.txt'"),
    ],
)
def test_mistakes_in_lines(tmp_path, monkeypatch, capsys, second, options, field, problem):
    monkeypatch.chdir(tmp_path)
    first = {"candidates": ["a", "b"], "p": [1, 1], "r": ["a", "b"]}
    if "candidates.txt" in options:
        first = {"candidates": [{"txt": "a"}]}
    (tmp_path / "data.jsonl").write_text(json.dumps(first) + f"\n{second}\n")
    error = error_of("mbr", "data.jsonl", *options, "--output", "new.jsonl")
    assert (error.location.file, error.location.line, error.location.field) == ("data.jsonl", 2, field)
    assert error.problem.startswith(problem)
    assert not (tmp_path / "new.jsonl").exists()
    assert isinstance(error, EmptyReferenceError) == ("ribes" in options)
    assert isinstance(error, LimitError) == ("--max-tokens" in options)


def test_mistakes(file, capsys, tmp_path):
    (tmp_path / "empty.jsonl").touch()
    for arguments, expected in [
        ([file, "-m", "bleu,chrf"], "needs one metric, not bleu, chrf"),
        ([file, "-m", "ter", "--aggregate"], "ter cannot aggregate"),
        (["nothing.jsonl"], at("nothing.jsonl")),
        ([file, "--output", str(tmp_path)], at(str(tmp_path))),
        (["empty.jsonl"], at("empty.jsonl")),
        ([], "Missing argument"),
    ]:
        check_failure(capsys, ["mbr", *arguments], expected)


def test_the_page(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "howto" / "decode-with-mbr.md").read_text(encoding="utf-8")
    shown_there = json.loads(re.search(r"```json\n(.*?)```", text, re.DOTALL).group(1))["mbr"]
    line = re.search(r"^refscore (mbr .*)$", text, re.MULTILINE).group(1)
    found = shown(capsys, *line.split()[1:])[0]["mbr"]
    found["expected"] = [round(value, 4) for value in found["expected"]]
    assert found == shown_there
