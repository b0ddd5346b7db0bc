"""The syntax of inputs, and errors if one cannot be read."""

import errno
import gzip
import io
import os
import sys

import pytest

import refscore
from refscore.errors import Location
from refscore.readers import FORMATS, open_segments
from tests.readers.reading import error_of, in_stdin, stdin, values_of


@pytest.fixture(autouse=True)
def _in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(name, text):
    with open(name, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def test_quotes_in_tsv_are_text_and_warned_about(recwarn):
    write("a.tsv", 'text\n"plain"\n"a" and "b"\n"he said ""no"""\n"again ""no"""\n')
    assert values_of("a.tsv:text")[2:] == ['"he said ""no"""', '"again ""no"""']
    write("a.csv", 'text\n"he said ""no"""\n')
    assert values_of("a.csv:text") == ['he said "no"']
    assert [str(each.message) for each in recwarn] == [
        "text in line 4 of a.tsv is quoted as in CSV, but TSV keeps the quotes as text: "
        "write the file without quoting, or as CSV"
    ]


@pytest.mark.parametrize(
    ("text", "is_warned"),
    [
        ('{"hyp": "a", "ref": "b"}\n{"hyp": "c", "ref": "d"}\n', True),
        ('{"hyp": "a"}\n{"ref": "d"}\n', False),
        ('{"hyp": "a"}\n{"hyp": }\n', False),
        ('{"hyp": "a"}\n{hyp}\na cat\n', False),
        ("{}\n{}\n", False),
        ('{"hyp": "a"}\n', False),
    ],
)
def test_plain_text_that_is_json_is_warned_about(text, is_warned, recwarn):
    assert values_of(**stdin(text)) == text.splitlines()
    assert [str(each.message) for each in recwarn] == is_warned * [
        "line 1 of standard input is JSON, and is read as plain text: "
        "name a field, as in -:hyp, if one of them is the text"
    ]


def test_turns_of_a_meeting_are_not_segments():
    write("a.rttm", "SPEAKER m1 1 0.5 1.0 <NA> <NA> Ann <NA> <NA>\n")
    error = error_of("a.rttm")
    assert "a.rttm has the turns of a meeting instead of segments: score it with refscore meeting" in str(error)
    assert len(values_of("a.rttm", format="text")) == 1


def test_a_path_object_is_never_split(tmp_path):
    write("a.jsonl", '{"b": "c"}\n')
    (tmp_path / "a.jsonl:b").write_text('"whole"\n')
    assert values_of(tmp_path / "a.jsonl:b", format="jsonl") == ["whole"]
    error = error_of(tmp_path / "b.jsonl:b")
    assert error.location == Location(file=str(tmp_path / "b.jsonl:b"))
    assert error.fix == f"did you mean {tmp_path / 'a.jsonl:b'}?"


def test_the_field_begins_after_the_last_file_that_exists():
    write("a.jsonl", '{"b": "1", "b:c": "2", "c": "3"}\n')
    assert (values_of("a.jsonl:b"), values_of("a.jsonl:b:c")) == (["1"], ["2"])
    write("a.jsonl:b", '{"c": "4"}\n')
    assert values_of("a.jsonl:b") == ['{"c": "4"}']
    assert values_of("a.jsonl:b:c", format="jsonl") == ["4"]


def test_standard_input():
    assert values_of(**stdin("a\nb\n")) == ["a", "b"]
    assert values_of(**stdin("a\tb\n", "2", format="tsv")) == ["b"]
    assert values_of(**stdin(gzip.compress(b"a\n"))) == ["a"]
    with open_segments(**stdin('{"x": "a"}', "x", format="jsonl")) as reader:
        assert reader.name == "standard input:x"
        assert reader.location(0) == in_stdin(1, "x")
        assert reader.fraction is None
    assert error_of(**stdin("")).location == in_stdin()


def test_standard_input_is_the_process_own_and_stays_open(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\n")))
    assert values_of("-") == ["a"]
    assert not sys.stdin.buffer.closed
    monkeypatch.setattr(sys, "stdin", None)
    assert error_of("-").location == in_stdin()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe(tmp_path):
    read, write_end = os.pipe()
    os.write(write_end, gzip.compress(b"a\nb\n"))
    os.close(write_end)
    with os.fdopen(read, "rb") as pipe, open_segments(f"/dev/fd/{pipe.fileno()}") as reader:
        assert reader.fraction is None
        assert list(reader) == [["a", "b"]]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *((name, "a\n") for name in ("x", "x.txt", "x.de", "tsv")),
        *((name, "a\tb\n") for name in ("x.tsv:1", "x.TSV:1")),
        ("x.csv:1", "a,b\n"),
        *((name, '"a"\n') for name in ("x.jsonl", "x.ndjson", "x.json")),
        ("x.xml", '<dataset><doc><ref><seg id="1">a</seg></ref></doc></dataset>'),
        ("x.sgm", '<refset><doc><seg id="1">a</seg></doc></refset>'),
        ("x.sgml", '<refset><doc><seg id="1">a</seg></doc></refset>'),
    ],
)
def test_formats_by_ending(name, text):
    path, colon, field = name.partition(":")
    write(path, text)
    assert values_of(name) == ["a"]
    with gzip.open(f"{path}.gz", "wt") as file:
        file.write(text)
    assert values_of(f"{path}.gz{colon}{field}") == ["a"]


def test_a_format_can_be_said():
    write("x.txt", "a\tb\n")
    assert values_of("x.txt:2", format="tsv") == ["b"]
    write("x.tsv", "a\tb\n")
    assert values_of("x.tsv", format="text") == ["a\tb"]
    with pytest.raises(refscore.errors.UnknownNameError, match=r"'jsnl'.*'jsonl'"):
        open_segments("x.txt", format="jsnl")
    texts = ["text", "tsv", "csv", "jsonl", "json", "parquet", "xml", "sgml"]
    assert list(FORMATS) == [*texts, "m2", "srt", "vtt", "trn", "stm", "ctm", "page", "alto"]


@pytest.mark.parametrize("ending", ["txt", "tsv", "csv", "jsonl", "parquet", "xml", "sgm"])
def test_what_is_no_file(ending):
    path = f"x.{ending}"
    for spec in (path, f"{path}:ref"):
        error = error_of(spec)
        assert error.location == Location(file=spec)
    os.mkdir(path)
    for spec in (path, f"{path}:ref") if ending != "txt" else (path,):
        assert error_of(spec).location == Location(file=path)


@pytest.mark.parametrize("ending", ["txt", "tsv", "csv", "jsonl", "sgm"])
@pytest.mark.parametrize("text", ["", "\ufeff"])
def test_empty_files(ending, text):
    write(f"x.{ending}", text)
    assert error_of(f"x.{ending}").location == Location(file=f"x.{ending}")


def test_what_may_not_be_read(monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    write("x.txt", "a\n")
    monkeypatch.setattr("builtins.open", refuse)  # the superuser may read everything
    assert str(error_of("x.txt")) == "x.txt cannot be read: Permission denied"


def test_a_disk_that_fails():
    class Failing(io.BytesIO):
        def read(self, *_):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    assert str(error_of("-", stdin=Failing())) == "standard input cannot be read: Input/output error"


def test_fields_of_plain_text():
    write("x.txt", "a\n")
    for spec in ("x.txt:2", "x.txt:"):
        assert error_of(spec).location == Location(file=spec)
    assert "tsv, csv, jsonl, json, parquet, xml, sgml" in error_of("x.txt:2").fix


@pytest.mark.parametrize(
    ("path", "fix"),
    [
        ("references/newtest.en", "did you mean references/newstest.en?"),
        ("references/other", ""),
        ("reference/newstest.en", "the folder reference does not exist"),
        ("x.text", "did you mean x.txt?"),
    ],
)
def test_a_file_of_a_similar_name_is_suggested(path, fix):
    os.mkdir("references")
    write("references/newstest.en", "a\n")
    write("x.txt", "a\n")
    assert error_of(path).fix == fix


@pytest.mark.parametrize(
    ("path", "file"),
    [("", "a file with an empty name"), *((name, name) for name in ("a\x00b", "C:\\x.txt", "x.txt/below"))],
)
def test_names_that_are_no_paths(path, file):
    write("x.txt", "a\n")
    error = error_of(path)
    assert error.location == Location(file=file)
    assert error.problem.startswith("cannot be read: ")


def test_what_was_read_so_far(monkeypatch):
    monkeypatch.setattr("refscore.readers.source.BLOCK", 4)
    write("x.txt", "abc\n" * 4)
    with open_segments("x.txt") as reader:
        assert (reader.name, reader.unit, reader.count) == ("x.txt", "line", 0)
        fractions = [reader.fraction for _ in reader]
        assert list(reader) == []
    assert reader._source._file.closed
    assert fractions[-1] == 1
    assert fractions == sorted(fractions)
    assert 0 < fractions[0] <= 1


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", '{"a": 1}\n'])
def test_a_file_that_cannot_be_read_is_closed(text, recwarn):
    for name in ("x.csv", "x.jsonl", "x.txt", "x.sgm"):
        write(name, text)
        try:
            values_of(f"{name}:c" if name != "x.txt" else name)
        except refscore.InputError as error:
            del error
    assert not [warning for warning in recwarn if warning.category is ResourceWarning]


XML = '<dataset><doc id="d"><ref translator="A"><seg id="1">a</seg><seg id="2">b</seg></ref></doc></dataset>'
SGML = '<refset><doc docid="d"><seg id="1">a</seg><seg id="2">b</seg></doc></refset>'


@pytest.mark.parametrize(
    ("format", "data", "field", "unit", "location"),
    [
        ("text", "a\nb\n", None, "line", (2,)),
        ("tsv", "a\tb\nc\td\ne\tf\n", "b", "row", (3, "b")),
        ("tsv", "a\tb\nc\td\n", "2", "row", (2, "column 2")),
        ("csv", "a,b\nc,d\ne,f\n", "b", "row", (3, "b")),
        ("csv", "a,b\nc,d\n", "2", "row", (2, "column 2")),
        ("jsonl", '{"a": {"b": "x"}}\n{"a": {"b": "x"}}\n', "a.b", "line", (2, "a.b")),
        ("json", '[{"a": "x"}, {"a": "y"}]', "a", "item", (None, "a of item 2")),
        ("xml", XML, "ref:A", "segment", (None, "ref:A of segment 2 of document d")),
        ("sgml", SGML, None, "segment", (None, "segment 2 of document d")),
    ],
)
def test_locations_and_units(format, data, field, unit, location):
    with open_segments(**stdin(data, field, format=format)) as reader:
        assert sum(map(len, reader)) == 2
        assert (reader.location(1), reader.unit) == (in_stdin(*location), unit)


@pytest.mark.parametrize(
    ("data", "line", "byte"),
    [
        (b"a\nb\nc\xe9d\n", 3, "e9"),
        (b"a\r\n\xc3", 2, "c3"),
        (b"\xed\xa0\x80", 1, "ed"),
        (b"\xef\xbb\xbfab\n\n\n\xfd\n", 4, "fd"),
        (b"a\x01\n\xff\xfe\n", 2, "ff"),
    ],
)
@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_broken_encoding(data, line, byte, compress):
    error = error_of(**stdin(compress(data)))
    assert (error.location, f"0x{byte}" in error.problem) == (in_stdin(line), True)


def test_fields_of_standard_input_are_json_lines():
    assert values_of(**stdin('{"x": "a"}\n', "x")) == ["a"]
    assert values_of(**stdin("a\tb\n", "2", format={"-": "tsv"})) == ["b"]


def test_formats_of_single_files():
    write("table", "x\ty\n1\t2\n")
    assert values_of("table:y", format={"table": "tsv", "": "jsonl"}) == ["2"]
    assert values_of("table", format={"other": "tsv"}) == ["x\ty", "1\t2"]
    assert "table" in str(error_of("table", format={"": "jsonl"}).location)
    with pytest.raises(refscore.errors.UnknownNameError, match=r"'tsvv'.*'tsv'"):
        open_segments("table", format={"table": "tsvv"})


def test_errors_name_the_argument():
    write("list", "[\n")
    write("table", "x\n")
    assert error_of("list", format="jsonl").fix.endswith("set format='json'")
    assert error_of("table:x").fix.endswith("with format")
