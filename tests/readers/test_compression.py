"""Compressed files: decompressed while reading, with any name, and never trusted."""

import bz2
import gzip
import lzma
import subprocess
import sys
import zlib

import pytest
import zstandard

import refscore
from refscore.errors import Location
from refscore.readers import open_segments
from tests.readers.reading import error_of, values_of

COMPRESS = {
    "gzip": gzip.compress,
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "zstd": zstandard.ZstdCompressor(write_checksum=True).compress,
}
TEXT = "".join(f"a line with number {n} and an ü\n" for n in range(5_000)).encode()
LINES = TEXT.decode().split("\n")[:-1]
COMPRESSED = {kind: compress(TEXT) for kind, compress in COMPRESS.items()}


@pytest.fixture
def write(tmp_path):
    def make(data, name="file.txt"):
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return make


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("name", ["file.txt", "file.txt.gz", "file.zst", "file"])
def test_by_the_first_bytes(write, kind, name):
    assert values_of(write(COMPRESSED[kind], name)) == LINES


@pytest.mark.parametrize("kind", COMPRESS)
def test_parts_one_after_the_other(write, kind):
    compress = COMPRESS[kind]
    assert values_of(write(compress(b"a\nb") + compress(b"") + compress(b"c\n"))) == ["a", "bc"]
    assert error_of(write(compress(b""))).problem == "is empty"


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("part", [0.3, 0.6, 0.97, "damaged"])
def test_cut_off_or_damaged(write, kind, part):
    data = bytearray(COMPRESSED[kind])
    if part == "damaged":
        data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
    else:
        del data[int(part * len(data)) :]
    path = write(bytes(data))
    error = error_of(path)
    assert error.location == Location(file=str(path))
    assert error.problem.startswith(f"is {'damaged' if part == 'damaged' else 'truncated'}: its {kind} data ")


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("garbage", [b"\n", b"x", b"and more text\n", b"\1" * 5000, b"PK\3\4", b"BZh9", b"\xfd7zXZ\0"])
def test_anything_after_the_end(write, kind, garbage):
    error = error_of(write(COMPRESSED[kind] + garbage))
    assert error.location == Location(file=str(write(b"")))
    assert error.problem.startswith(("is damaged", "is truncated"))


def test_bytes_that_are_allowed_or_not_compressed(write):
    part = lzma.compress(b"a\n")
    skipped = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"note"
    for name, data, lines in [
        ("padded.xz", part + bytes(4) + part + bytes(2048), ["a", "a"]),
        ("skipped frame.zst", skipped + zstandard.compress(b"a\n"), ["a"]),
        ("text.gz", b"a\n", ["a"]),
        ("text.bz2", b"BZh9 is how bzip2 begins\n", ["BZh9 is how bzip2 begins"]),
    ]:
        assert values_of(write(data, name)) == lines
    data = bytearray(gzip.compress(b"a\n"))
    data[-8] ^= 1  # in the checksum
    assert error_of(write(bytes(data))).problem.startswith("is damaged")


def test_zstd_is_not_installed(write, monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(refscore.errors.NotInstalledError, match=r"file\.txt.*refscore\[zstd\]"):
        open_segments(write(zstandard.compress(b"a\n")))


def bomb(kind, size):
    """Write lines that decompress to `size` bytes, piece by piece, to a much smaller file."""
    compressors = {
        "gzip": lambda: zlib.compressobj(1, zlib.DEFLATED, 31),
        "xz": lambda: lzma.LZMACompressor(preset=0),
        "bzip2": bz2.BZ2Compressor,
        "zstd": lambda: zstandard.ZstdCompressor().compressobj(),
    }
    compressor = compressors[kind]()
    piece = b" " * 99 + b"\n"
    compressed = [compressor.compress(piece * 10_000) for _ in range(size // 1_000_000)]
    return b"".join([*compressed, compressor.flush()])


MEMORY = """
import resource, sys
from refscore.readers import open_segments
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
before = peak()
with open_segments(sys.argv[1]) as reader:
    print(sum(map(len, reader)), peak() - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the unit of ru_maxrss differs")
@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.slow
def test_memory_does_not_grow_with_the_decompressed_size(write, kind):
    path = write(bomb(kind, 200_000_000))
    assert path.stat().st_size < 2_000_000
    line = [sys.executable, "-c", MEMORY, str(path)]
    count, grown = subprocess.run(line, capture_output=True, text=True, check=True, timeout=300).stdout.split()
    assert int(count) == 2_000_000
    assert float(grown) < 64


def test_large_content_has_limits(write, monkeypatch):
    monkeypatch.setattr("refscore.readers.source.LONGEST_LINE", 1 << 21)
    monkeypatch.setattr("refscore.readers.source.LARGEST_WHOLE", 1 << 21)
    path = write(gzip.compress(b"a\n" + bytes(1 << 24)))
    assert error_of(path).location == Location(file=str(path), line=2)
    for name in ("file.sgm", "file.xml"):
        assert "2 MiB" in error_of(write(gzip.compress(b"<a>" + b" " * (1 << 24)), name)).problem
