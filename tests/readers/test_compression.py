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


@pytest.mark.parametrize("kind", COMPRESS)
def test_what_is_in_it_can_be_empty(write, kind):
    with pytest.raises(refscore.InputError, match=r"file\.txt is empty"):
        open_segments(write(COMPRESS[kind](b"")))


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("part", [0.3, 0.6, 0.97])
def test_cut_off(write, kind, part):
    path = write(COMPRESSED[kind][: int(part * len(COMPRESSED[kind]))])
    error = error_of(path)
    assert error.location == Location(file=str(path))
    assert error.problem.startswith(f"is truncated: its {kind} data ")


@pytest.mark.parametrize("kind", COMPRESS)
def test_damaged(write, kind):
    data = bytearray(COMPRESSED[kind])
    data[len(data) // 2 : len(data) // 2 + 40] = bytes(40)
    path = write(bytes(data))
    error = error_of(path)
    assert error.location == Location(file=str(path))
    assert error.problem.startswith(f"is damaged: its {kind} data ")


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("garbage", [b"\n", b"x", b"and more text\n", b"\1" * 5000, b"PK\3\4", b"BZh9", b"\xfd7zXZ\0"])
def test_anything_after_the_end(write, kind, garbage):
    error = error_of(write(COMPRESSED[kind] + garbage))
    assert error.location == Location(file=str(write(b"")))
    assert error.problem.startswith(("is damaged", "is truncated"))


def test_xz_may_be_padded_with_zeros(write):
    part = lzma.compress(b"a\n")
    assert values_of(write(part + bytes(4) + part + bytes(2048))) == ["a", "a"]


def test_a_damaged_checksum(write):
    data = bytearray(gzip.compress(b"a\n"))
    data[-8] ^= 1
    assert error_of(write(bytes(data))).problem.startswith("is damaged")


def test_the_ending_alone_makes_no_file_compressed(write):
    assert values_of(write(b"a\n", "file.gz")) == ["a"]
    assert values_of(write(b"BZh9 is how bzip2 begins\n", "file.bz2")) == ["BZh9 is how bzip2 begins"]


def test_zstd_with_a_frame_to_skip(write):
    skipped = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"note"
    assert values_of(write(skipped + zstandard.compress(b"a\n"))) == ["a"]


def test_zstd_is_not_installed(write, monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(refscore.NotInstalledError, match=r"file\.txt, which is compressed with zstd.*refscore\[zstd\]"):
        open_segments(write(zstandard.compress(b"a\n")))


def test_encoding_errors_name_the_decompressed_line(write):
    data = TEXT + b"\xff\n"
    error = error_of(write(gzip.compress(data)))
    assert error.location.line == len(LINES) + 1
    assert error.problem == f"is not UTF-8 (byte 0xff, at offset {len(TEXT):,})"


def bomb(kind, size):
    """Write lines that decompress to `size` bytes, piece by piece, to a much smaller file."""
    compressors = {
        "gzip": lambda: zlib.compressobj(1, zlib.DEFLATED, 31),
        "xz": lambda: lzma.LZMACompressor(preset=0),
        "bzip2": bz2.BZ2Compressor,
        "zstd": lambda: zstandard.ZstdCompressor().compressobj(),
    }
    compressor = compressors[kind]()
    piece = bytes(99) + b"\n"
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
    result = subprocess.run(
        [sys.executable, "-c", MEMORY, str(path)], capture_output=True, text=True, check=True, timeout=120
    )
    count, grown = result.stdout.split()
    assert int(count) == 2_000_000
    assert float(grown) < 64


def test_a_line_without_end(write, monkeypatch):
    monkeypatch.setattr("refscore.readers.source.LONGEST_LINE", 1 << 21)
    path = write(gzip.compress(b"a\n" + bytes(1 << 24)))
    assert error_of(path).location == Location(file=str(path), line=2)


def test_what_is_read_whole_has_a_limit(write, monkeypatch):
    monkeypatch.setattr("refscore.readers.source.LARGEST_WHOLE", 1 << 21)
    for name in ("file.sgm", "file.xml"):
        path = write(gzip.compress(b"<a>" + b" " * (1 << 24)), name)
        with pytest.raises(refscore.InputError, match=r"is larger than 2 MiB, the limit for its format: split it"):
            values_of(path)
