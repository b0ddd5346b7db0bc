"""The command `refscore demo` and its example data."""

import json
import os
import re
import shlex

import pytest

import refscore
from refscore.cli.demo import FOLDER, PARTS
from refscore.readers import read_lines
from tests.cli.running import at, check_failure, command, status_of

SYSTEMS = ["alder", "birch", "clover"]
TEXTS = {name: read_lines(FOLDER / f"{name}.txt") for name in [*SYSTEMS, "reference.a", "reference.b"]}
SEGMENTS = [json.loads(line) for line in read_lines(FOLDER / "segments.jsonl")]


def test_the_example_data():
    assert {len(lines) for lines in TEXTS.values()} == {len(SEGMENTS)} == {36}
    assert all(line == line.strip() and line for lines in TEXTS.values() for line in lines)
    assert [segment["id"] for segment in SEGMENTS] == list(range(1, 37))
    assert len({segment["document"] for segment in SEGMENTS}) == 6
    assert {segment["domain"] for segment in SEGMENTS} == {"news", "story", "recipe"}
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in FOLDER.iterdir():
        assert path.name == "README.md" or f"`{path.name}`" in readme


def test_the_systems_are_of_different_quality():
    references = refscore.from_streams([TEXTS["reference.a"], TEXTS["reference.b"]])
    scores = [refscore.scores(TEXTS[name], references, ["bleu", "chrf"]) for name in SYSTEMS]
    for metric in ("bleu", "chrf"):
        alder, birch, clover = (score[metric].percent for score in scores)
        assert alder > birch > clover + 10
        assert alder < birch + 10


@pytest.mark.slow
def test_it_shows_what_its_commands_print(capsys):
    here = os.getcwd()
    assert status_of(["demo"]) == 0
    assert os.getcwd() == here
    shown = capsys.readouterr()
    assert shown.err == ""
    lines = re.findall(r"^\$ (.*)$", shown.out, re.MULTILINE)
    assert shlex.split(lines[0]) == ["cd", str(FOLDER)]
    assert [shlex.split(line) for line in lines[1:]] == [["refscore", *arguments] for _, _, arguments in PARTS]
    for line in lines[1:]:
        printed = command(*shlex.split(line)[1:], cwd=FOLDER)
        assert printed.returncode == 0
        assert f"$ {line}\n\n{printed.stdout.decode()}" in shown.out


def test_it_copies_its_data(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert status_of(["demo", "--copy", "my demo"]) == 0
    assert "cd 'my demo'" in capsys.readouterr().out
    for path in FOLDER.iterdir():
        assert (tmp_path / "my demo" / path.name).read_bytes() == path.read_bytes()
    check_failure(capsys, ["demo", "--copy", "my demo"], at("my demo"))
    check_failure(capsys, ["demo", "--copy", os.devnull + "/demo"], at(os.devnull + "/demo"))
