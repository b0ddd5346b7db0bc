"""Files that are not UTF-8 text are recognized, and the error names a command that converts them."""

import contextlib
import gzip
import io
import lzma
import os
import pickle
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from pyarrow import feather, parquet

import refscore
from refscore.errors import Location
from tests.readers.reading import error_of, values_of

LINES = ["a cat sat on the mat", "ein Hündchen", "犬"]
TEXT = "".join(f"{line}\n" for line in LINES)


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def tar(path, mode="w"):
    with tarfile.open(path, mode) as archive:
        member = tarfile.TarInfo("inside.txt")
        member.size = len(TEXT.encode())
        archive.addfile(member, io.BytesIO(TEXT.encode()))


def zipped(path, name="inside.txt"):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, TEXT)


def database(path):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE segments (hyp TEXT)")


def array(path):
    with path.open("wb") as file:
        np.save(file, np.zeros(3))


TABLE = pyarrow.table({"hyp": LINES})

# How each file is created, and its name in the error.
FILES = {
    "tar archive": tar,
    "tar archive, compressed": lambda path: tar(path, "w:gz"),
    "zip archive": zipped,
    "office document": lambda path: zipped(path, "[Content_Types].xml"),
    "Parquet": lambda path: parquet.write_table(TABLE, path),
    "Arrow or Feather": lambda path: feather.write_feather(TABLE, path),
    "SQLite": database,
    "NumPy": array,
    "pickle": lambda path: path.write_bytes(pickle.dumps(LINES)),
    "compressed with lzma": lambda path: path.write_bytes(lzma.compress(TEXT.encode(), lzma.FORMAT_ALONE)),
    "compressed twice": lambda path: path.write_bytes(gzip.compress(gzip.compress(TEXT.encode()))),
    "PDF": lambda path: path.write_bytes(b"%PDF-1.4\n1 0 obj\n"),
    "HTML": lambda path: path.write_text("\n<!DOCTYPE html>\n<html lang='en'>\n"),
    "HTML, compressed": lambda path: path.write_bytes(gzip.compress(b"\xef\xbb\xbf<HTML><body>\n")),
    "PNG": lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0"),
    "JPEG": lambda path: path.write_bytes(b"\xff\xd8\xff\xe0\0\x10JFIF\0"),
    "GIF": lambda path: path.write_bytes(b"GIF89a\x10\0\x10\0\x80\0\0"),
    "sound": lambda path: path.write_bytes(b"RIFF\x24\x08\0\0WAVEfmt \x10\0\0\0"),
    "program": lambda path: path.write_bytes(b"\x7fELF\x02\x01\x01\0\0"),
    "UTF-16": lambda path: path.write_text(TEXT, "utf-16"),
    "UTF-16LE": lambda path: path.write_text(TEXT, "utf-16-le"),
    "UTF-16BE": lambda path: path.write_text(TEXT, "utf-16-be"),
    "UTF-32": lambda path: path.write_text(TEXT, "utf-32"),
    "UTF-16, compressed": lambda path: path.write_bytes(gzip.compress(TEXT.encode("utf-16"))),
}


# XML names its encoding, and has its own errors for tags.
CASES = [
    (kind, ending)
    for kind in FILES
    for ending in ("txt", "jsonl", "json", "csv", "sgm", "xml")
    if ending != "xml" or not kind.startswith(("UTF", "HTML"))
]


@pytest.mark.parametrize(("kind", "ending"), CASES)
def test_other_formats_are_named(kind, ending):
    path = Path(f"some file.{ending}")
    FILES[kind](path)
    error = error_of(path)
    assert error.location == Location(file=str(path))
    assert kind.removesuffix(", compressed") in error.problem
    assert error.fix


# The file that the suggested command creates, and its field.
MADE = {
    "tar archive": "inside.txt",
    "tar archive, compressed": "inside.txt",
    "zip archive": "inside.txt",
    "Arrow or Feather": "new.some file.txt.parquet:hyp",
    "compressed with lzma": "new.some file.txt",
    "compressed twice": "new.some file.txt",
    **{kind: "new.some file.txt" for kind in FILES if kind.startswith("UTF")},
}


@pytest.mark.parametrize("kind", MADE)
def test_the_command_converts(kind):
    path = Path("some file.txt")
    FILES[kind](path)
    command = error_of(path).fix.partition(": ")[2]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for program in (part.split()[0] for part in command.split(" | ")):
        if not shutil.which(program, path=path):
            pytest.skip(f"needs the command {program}")
    subprocess.run(["sh", "-c", command], check=True, timeout=300, env={**os.environ, "PATH": path})
    assert values_of(MADE[kind]) == LINES


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_nul_characters_are_an_error(compress):
    """A tar archive of the oldest format has no magic number, but it has NUL characters."""
    Path("some file.txt").write_bytes(compress(b"a cat\nsat\0 on the mat\n"))
    error = error_of(Path("some file.txt"))
    assert error.location == Location(file="some file.txt", line=2)
    assert "NUL character (at offset 9)" in error.problem
    subprocess.run(["sh", "-c", error.fix.partition(": ")[2]], check=True, timeout=300)
    assert values_of("new.some file.txt") == ["a cat", "sat on the mat"]


def test_nul_characters_in_later_blocks(monkeypatch):
    monkeypatch.setattr("refscore.readers.source.BLOCK", 16)
    Path("x").write_bytes(b"a cat sat down\n" * 20 + b"a\0cat\n")
    with pytest.raises(refscore.InputError) as caught:
        values_of("x")
    assert caught.value.location == Location(file="x", line=21)


def test_nul_characters_in_strings_and_json_are_text():
    Path("x.jsonl").write_text('{"a": "b\\u0000c"}\n')
    assert values_of("x.jsonl:a") == ["b\0c"]
    assert refscore.chrf(["b\0c"], ["b\0c"]) == 1


def test_parquet_of_another_name_can_be_read():
    FILES["Parquet"](Path("data.bin"))
    assert "set format='parquet'" in error_of(Path("data.bin")).fix
    assert values_of("data.bin:hyp", format="parquet") == LINES


def test_other_encodings_get_the_command():
    Path("latin.txt").write_text("ein Hündchen\n", "latin-1")
    assert "cat latin.txt | iconv -f WINDOWS-1252 -t UTF-8 > new.latin.txt" in error_of("latin.txt").fix


@pytest.mark.parametrize(
    "text", ["PAR1", "PDF", "<htmlx>", "PK", "Rar!", "7z", "[1]", "FEA1", "GIF89a", "MZ", "ustar " * 99]
)
def test_texts_that_begin_like_other_formats(text):
    Path("x").write_text(text)
    assert values_of("x") == text.removesuffix("\n").split("\n")
