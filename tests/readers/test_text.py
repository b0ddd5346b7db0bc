"""Plain text files: one segment per line."""

import pytest

import refscore
from refscore.errors import Location
from refscore.readers import read_lines


@pytest.fixture
def write(tmp_path):
    def make(data):
        path = tmp_path / "file.txt"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return make


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        ("a\nb\n", ["a", "b"]),
        ("a\nb", ["a", "b"]),
        ("a", ["a"]),
        ("\n", [""]),
        ("\n\n", ["", ""]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\r\nb\r", ["a", "b"]),
        ("a\rb\n", ["a\rb"]),
        ("a\r\r\n", ["a\r"]),
        (" a \t\n", [" a \t"]),
        ("a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\n", ["a\u2028b\u2029c\x85d\x0be\x0cf\x1cg"]),
        ("a\x00b\n", ["a\x00b"]),
        ("\ufeffa\nb\n", ["a", "b"]),
        ("a\n\ufeffb\n", ["a", "\ufeffb"]),
        ("你好\n👍🏽\n", ["你好", "👍🏽"]),
    ],
)
def test_lines(write, data, lines):
    path = write(data)
    assert read_lines(path) == lines
    assert read_lines(str(path)) == lines


@pytest.mark.parametrize(
    ("data", "line", "byte"),
    [
        (b"\xff", 1, "ff"),
        (b"a\nb\nc\xe9d\n", 3, "e9"),
        (b"a\r\n\xc3", 2, "c3"),
        (b"\xed\xa0\x80", 1, "ed"),
        (b"\xef\xbb\xbfa\nb\xfe\n", 2, "fe"),
        (b"\xef\xbb\xbfab\n\n\n\xfd\n", 4, "fd"),
        (b"a\x00\n\xff\xfe\n", 2, "ff"),
    ],
)
def test_broken_encoding(write, data, line, byte):
    path = write(data)
    with pytest.raises(refscore.InputError, match=rf"is not UTF-8 \(byte 0x{byte}, at offset") as caught:
        read_lines(path)
    assert caught.value.location == Location(file=str(path), line=line)
