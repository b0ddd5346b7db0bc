"""Errors about a segment name its file and line in every command, keep their class, and suggest a fix."""

import pytest

from refscore.errors import EmptyReferenceError, LimitError
from tests.cli.running import at, check_failure, error_of, write_lines

SHORT, LONG = "a b c", "a b c d e f g h"
FILES = {
    "one": [SHORT, SHORT, SHORT],
    "two": [SHORT, SHORT, LONG],
    "ref": [SHORT, SHORT, SHORT],
    "blank": [SHORT, " ", SHORT],
}


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.setattr("refscore.report.page.find_spec", lambda name: True)  # no chart is drawn
    monkeypatch.chdir(tmp_path)
    rows = zip(FILES["one"], FILES["two"], FILES["blank"], strict=True)
    lines = [f'{{"one": "{one}", "refs": ["{one}", "{two}", "{blank}"]}}' for one, two, blank in rows]
    write_lines(tmp_path, **FILES, **{"data.jsonl": lines})


@pytest.mark.parametrize("command", ["score", "compare", "stats", "report"])
@pytest.mark.parametrize(
    ("arguments", "place", "segment"),
    [
        (["two", "-r", "ref", "--max-tokens", "7"], at("two", 3), ("hypotheses", 2, None)),
        (["one", "-r", "two", "--max-tokens", "7"], at("two", 3), ("references", 2, None)),
        (["one", "-r", "ref", "-r", "two", "--max-tokens", "7"], at("two", 3), ("references", 2, 1)),
        (["data.jsonl:one", "-r", "data.jsonl:refs", "--max-tokens", "7"], at("data.jsonl", 3, "refs"), None),
        (["one", "-r", "ref", "-r", "two", "--max-references", "1"], at("ref", 1), ("references", 0, None)),
    ],
)
def test_limits(capsys, command, arguments, place, segment):
    line = [command, *arguments, "-m", "ter"]
    line += {"compare": ["again=one"], "stats": ["-o", "part.refscore"]}.get(command, [])
    if command == "compare" and "data.jsonl:one" in line:
        line[-1] = "again=data.jsonl:one"
    check_failure(capsys, line, place)
    error = error_of(*line)
    assert type(error) is LimitError
    assert error.fix == f"raise {arguments[-2]}"
    location = error.location
    if segment is not None and not (command == "report" and segment[0] == "hypotheses"):
        assert (location.side, location.segment, location.reference) == segment


@pytest.mark.parametrize("command", ["score", "compare", "report"])
def test_the_system_that_is_too_long(capsys, command):
    check_failure(capsys, [command, "one", "two", "-r", "ref", "-m", "bleu", "--max-tokens", "7"], at("two", 3))


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (["score", "one", "-r", "blank", "-m", "ribes"], at("blank", 2)),
        (["score", "one", "-r", "ref", "-r", "blank", "-m", "bleu,ribes"], at("blank", 2)),
        (["score", "one", "-r", "data.jsonl:refs", "-m", "ribes"], at("data.jsonl", 2, "refs")),
        (["compare", "one", "two", "-r", "blank", "-m", "ribes"], at("blank", 2)),
        (["stats", "one", "-r", "blank", "-m", "ribes", "-o", "part.refscore"], at("blank", 2)),
        (["report", "one", "-r", "blank", "-m", "bleu,ribes"], at("blank", 2)),
        (["conventions", "one", "-r", "blank", "-m", "ribes", "--preset", "official"], at("blank", 2)),
        (["explain", "one:2", "ref", "blank", "-m", "ribes"], at("blank", 2)),
        (["explain", "a text", "ref:1", "blank:2", "-m", "ribes"], at("blank", 2)),
        (["explain", "data.jsonl:one:2", "data.jsonl:refs", "-m", "ribes"], at("data.jsonl", 2, "refs")),
    ],
)
def test_empty_references(capsys, arguments, place):
    check_failure(capsys, arguments, place)
    error = error_of(*arguments)
    assert type(error) is EmptyReferenceError
    assert "--set ribes.empty_reference=skip" in error.fix


@pytest.mark.parametrize("command", [["score"], ["stats", "-o", "part.refscore"]], ids=" ".join)
def test_segments_after_the_first_block(tmp_path, capsys, monkeypatch, command):
    monkeypatch.setattr("refscore.readers.source.BLOCK", 32)
    (tmp_path / "long").write_text(f"{SHORT}\n" * 100 + f"{LONG}\n")
    (tmp_path / "reference").write_text(f"{SHORT}\n" * 101)
    for threads in ("1", "2"):
        line = [*command, "long", "-r", "reference", "-m", "bleu", "--max-tokens", "7", "--threads", threads]
        check_failure(capsys, line, at("long", 101))
