"""`refscore overlap`: the table, formats, files and errors."""

import csv
import io
import json

import pytest

from refscore import overlap
from tests.cli.running import error_of, json_of, output_of

SEGMENTS = ["one two three four five", "six seven", "eight nine ten eleven"]
CORPUS = ["zero one two three four", "eight ten", "ONE two"]


@pytest.fixture
def files(tmp_path):
    (tmp_path / "test.txt").write_text("".join(f"{text}\n" for text in SEGMENTS))
    (tmp_path / "a.txt").write_text(f"{CORPUS[0]}\n")
    (tmp_path / "b.txt").write_text("".join(f"{text}\n" for text in CORPUS[1:]))
    (tmp_path / "c.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in CORPUS))
    return tmp_path


def test_table(capsys, files):
    printed = output_of(
        capsys, "overlap", files / "test.txt", "--corpus", files / "a.txt", files / "b.txt", "--order", "3"
    )
    found = overlap.find(SEGMENTS, CORPUS, order=3)
    assert printed == f"{found}\n\ncorpus: 3 documents, 9 tokens\n{found.signature}\n"


def test_settings(capsys, files):
    arguments = ["overlap", files / "test.txt", "--corpus", files / "c.jsonl", "--field", "text", "--lowercase"]
    options = [
        "--order",
        "2",
        "--measure",
        "ngrams",
        "--threshold",
        "0.5",
        "--max-documents",
        "1",
        "--tokenizer",
        "13a",
    ]
    content = json_of(capsys, *arguments, *options)
    settings = {"measure": "ngrams", "threshold": 0.5, "max_documents": 1, "tokenizer": "13a", "lowercase": True}
    found = overlap.find(SEGMENTS, CORPUS, order=2, **settings)
    assert found[0].matches == 2
    assert content == {"schema": content["schema"], "version": content["version"], **found.to_dict()}


def test_without_a_threshold(capsys, files):
    printed = output_of(capsys, "overlap", files / "test.txt", files / "a.txt", "--preset", "llama3", "--order", "3")
    assert "no segment is judged: set --threshold" in printed
    content = json_of(
        capsys, "overlap", files / "test.txt", files / "a.txt", "--preset", "llama3", "--order", "3", "--format", "json"
    )
    assert content["summary"]["contaminated"] is content["matching"][0]["contaminated"] is None
    lines = output_of(capsys, "overlap", files / "test.txt", files / "a.txt", "--preset", "llama3", "--segments", "-")
    assert lines.splitlines()[1] == "1\t5\t0\t0\t0\t"


def test_flat_formats(capsys, files):
    printed = output_of(capsys, "overlap", files / "test.txt", files / "a.txt", "--order", "3", "--format", "csv")
    (row,) = csv.DictReader(io.StringIO(printed))
    expected = overlap.find(SEGMENTS, CORPUS[:1], order=3).summary
    assert row == {name: str(value) for name, value in expected.items()}


@pytest.mark.parametrize("ending", ["tsv", "csv", "jsonl"])
def test_segments(capsys, files, ending):
    path = files / f"segments.{ending}"
    printed = output_of(capsys, "overlap", files / "test.txt", files / "a.txt", "--order", "3", "--segments", path)
    assert printed.startswith("segments")
    text = path.read_text()
    if ending == "jsonl":
        rows = [[int(value) for value in json.loads(line).values()] for line in text.splitlines()]
    else:
        lines = csv.reader(io.StringIO(text), delimiter="," if ending == "csv" else "\t")
        assert next(lines) == ["segment", "tokens", "ngrams", "matches", "covered", "contaminated"]
        rows = [[*map(int, line)] for line in lines]
    assert rows == [[1, 5, 3, 2, 4, 1], [2, 2, 0, 0, 0, 0], [3, 4, 2, 0, 0, 0]]


def test_filters(capsys, files):
    path = files / "corpus.filter"
    arguments = ["overlap", files / "test.txt"]
    built = output_of(
        capsys, *arguments, "--corpus", files / "c.jsonl:text", "--save-filter", path, "--memory", "64K", "--order", "3"
    )
    assert path.stat().st_size > 1 << 16
    assert "false matches: " in built
    assert output_of(capsys, *arguments, "--filter", path) == built
    assert "the filter has order=3, not 4" in str(error_of(*arguments, "--filter", path, "--order", "4"))


def test_errors(files):
    test, corpus = files / "test.txt", files / "a.txt"
    assert "name the files of the corpus with --corpus" in str(error_of("overlap", test))
    assert "or a saved filter with --filter" in str(error_of("overlap", test, corpus, "--filter", corpus))
    assert "a.txt is not a filter of n-grams" in str(error_of("overlap", test, "--filter", corpus))
    assert "is an input and would be overwritten" in str(error_of("overlap", test, corpus, "--save-filter", corpus))
    assert "is an input and would be overwritten" in str(error_of("overlap", test, "--corpus", corpus, "-o", corpus))
    assert "is not a size" in str(error_of("overlap", test, corpus, "--save-filter", files / "f", "--memory", "much"))
    assert "No such file" in str(error_of("overlap", test, corpus, files / "none.txt"))
    corpus.write_bytes(b"a\n\xff\n")
    assert "line 2 of" in str(error_of("overlap", test, corpus))
