"""Files of both sides: every format, compressed or not, and errors with their location."""

import bz2
import gzip
import json
import lzma

import pytest

import refscore
from refscore import overlap

SEGMENTS = ["the cat sat on the mat", "ÄÖÜ straße ΣΟΦΟΣ 👍🏽 x", "nothing of this occurs"]
CORPUS = ["a cat sat on the sofa", "", "äöü straße σοφος 👍🏽 X", "ÄÖÜ STRASSE"]


def search(corpus, **settings):
    return overlap.find(SEGMENTS, corpus, order=3, **settings).counts[:, 2].tolist()


@pytest.mark.parametrize("lowercase", [False, True, "ascii"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_text(tmp_path, lowercase, end, compress):
    expected = search(CORPUS, lowercase=lowercase)
    assert any(expected)
    for mark in ("", "\ufeff"):
        (tmp_path / "corpus.txt").write_bytes(compress((mark + end.join(CORPUS)).encode()))
        files = overlap.Files(tmp_path / "corpus.txt")
        assert search(files, lowercase=lowercase) == expected
        assert search(files, lowercase=lowercase, tokenizer=str.split) == expected
        found = overlap.find(files, CORPUS, order=3, lowercase=lowercase)
        assert found.counts.tolist() == overlap.find(CORPUS, CORPUS, order=3, lowercase=lowercase).counts.tolist()


def test_fields(tmp_path):
    expected = search(CORPUS)
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in CORPUS))
    (tmp_path / "b.jsonl").write_text(json.dumps({"text": [*CORPUS, None]}) + "\n" + json.dumps({"text": None}) + "\n")
    (tmp_path / "c.tsv").write_text("id\ttext\n" + "".join(f"{i}\t{text}\n" for i, text in enumerate(CORPUS)))
    for name in ("a.jsonl:text", "b.jsonl:text", "c.tsv:text"):
        assert search(overlap.Files(f"{tmp_path}/{name}")) == expected
    with pytest.warns(UserWarning, match="looks like a header"):
        assert search(overlap.Files(f"{tmp_path}/c.tsv:2")) == expected
    assert overlap.find(SEGMENTS, overlap.Files(f"{tmp_path}/b.jsonl:text")).documents == len(CORPUS)


def test_parquet(tmp_path):
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"text": CORPUS}), tmp_path / "corpus.parquet")
    assert search(overlap.Files(tmp_path / "corpus.parquet")) == search(CORPUS)


def test_blocks_of_a_large_file(tmp_path, monkeypatch):
    """The lines of all blocks count, wherever a block ends."""
    lines = [f"{i} b c {i + 1} 𝒳 {'é' * (i % 7)}" for i in range(300)]
    (tmp_path / "corpus.txt").write_text("\n".join(lines))
    expected = overlap.find(lines, lines, order=3).counts.tolist()
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr("refscore.overlap.corpus._BYTES", size)
        found = overlap.find(lines, overlap.Files(tmp_path / "corpus.txt"), order=3)
        assert found.counts.tolist() == expected
        assert found.documents == len(lines)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"a\nb\n\xff\n", r"line 3 of .*corpus.txt is not UTF-8 \(byte 0xff, at offset 4\)"),
        (b"a\nb\n\xed\xa0\x80\n", "line 3 of .* is not UTF-8"),
        (b"", "corpus.txt is empty"),
        (b"%PDF-1.5", "is a PDF document"),
        (b"\xff\xfea\0", "is in UTF-16"),
    ],
)
def test_errors_have_locations(tmp_path, content, problem, monkeypatch):
    (tmp_path / "corpus.txt").write_bytes(content)
    for size in (2, 1 << 20):
        monkeypatch.setattr("refscore.overlap.corpus._BYTES", size)
        with pytest.raises(refscore.InputError, match=problem):
            search(overlap.Files(tmp_path / "corpus.txt"))


def test_segments_need_one_text(tmp_path):
    for value, problem in (("[]", "has a list of texts"), ("null", "has no text")):
        (tmp_path / "test.jsonl").write_text(f'{{"q": "a"}}\n{{"q": {value}}}\n')
        with pytest.raises(refscore.InputError, match=f"q in line 2 of .* {problem}"):
            overlap.find(overlap.Files(f"{tmp_path}/test.jsonl:q"), ["a"])


def test_missing_files_and_formats(tmp_path):
    def fail():
        raise AssertionError("a file is missing, so nothing should be read")
        yield

    with pytest.raises(refscore.InputError, match="No such file"):
        overlap.find(fail(), overlap.Files(__file__, tmp_path / "none.txt"))
    with pytest.raises(refscore.InputError, match="standard input can be read only once"):
        overlap.find(overlap.Files("-"), overlap.Files(__file__, "-"))
    with pytest.raises(refscore.InputError, match="No such file"):
        search(overlap.Files(tmp_path / "none.txt"))
    with pytest.raises(refscore.errors.UnknownNameError, match="unknown format"):
        overlap.Files("a", format="doc")
    with pytest.raises(refscore.InputError, match="name at least one"):
        overlap.Files()


@pytest.mark.parametrize("name", ["part.txt", "part.jsonl:text", "part.txt.gz", "part.tsv:text"])
def test_an_empty_part_of_a_corpus(tmp_path, name):
    empty, full = tmp_path / name.partition(":")[0], tmp_path / "corpus.txt"
    empty.write_bytes(gzip.compress(b"") if ".gz" in name else b"text\n" if ".tsv" in name else b"")
    full.write_text("\n".join(CORPUS))
    spec = f"{tmp_path}/{name}"
    for parts in ((spec, full), (full, spec), (spec, full, spec)):
        assert overlap.find(SEGMENTS, overlap.Files(*parts)).documents == len(CORPUS) * parts.count(full)
    with pytest.raises(refscore.InputError, match=r"part\..* is empty"):
        overlap.find(SEGMENTS, overlap.Files(spec, spec))
