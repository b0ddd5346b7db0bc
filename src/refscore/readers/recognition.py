"""Data that is not text, or not in UTF-8: what it is by its first bytes, and the command that converts it."""

from __future__ import annotations

import re
import shlex
from pathlib import PurePath

from refscore.readers.compression import detect_compression

HEAD = 512  # how many of the first bytes are needed: the header of a tar archive

_CONVERT_ENCODING = "convert it: {read} | iconv -f {name} -t UTF-8 > {new}"
_EXPORT = "export it as CSV or as text"

# What data with these first bytes is, and what to do about it. The first match counts. Except for PDF and HTML, none of
# them begins a text: they are not UTF-8 or hold control characters.
_KINDS = {
    rb"\xff\xfe\0\0|\0\0\xfe\xff": ("UTF-32", _CONVERT_ENCODING),
    rb"\xff\xfe|\xfe\xff": ("UTF-16", _CONVERT_ENCODING),
    rb"(?:[^\0]\0){8}": ("UTF-16LE", _CONVERT_ENCODING),
    rb"(?:\0[^\0]){8}": ("UTF-16BE", _CONVERT_ENCODING),
    rb".{257}ustar": ("a tar archive", "unpack it: tar -xf {file}"),
    rb"PK\x03\x04.{26}(\[Content_Types\]|_rels/|docProps/|xl/|word/|mimetype)": ("an office document", _EXPORT),
    rb"PK(\x03\x04|\x05\x06)": ("a zip archive", "unpack it: unzip {file}"),
    rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": ("an office document", _EXPORT),
    rb"7z\xbc\xaf\x27\x1c": ("a 7z archive", "unpack it: 7z x {file}"),
    rb"Rar!\x1a\x07": ("a RAR archive", "unpack it: unrar x {file}"),
    rb"\x1f\x9d": ("compressed by compress", "decompress it: gzip -dc {file} > {new}"),
    rb"\x04\x22\x4d\x18": ("compressed by lz4", "decompress it: lz4 -dc {file} > {new}"),
    rb"\x5d\0\0.{2}\0*\xff": ("compressed by lzma", "decompress it: xz -dc --format=lzma {file} > {new}"),
    rb"PAR1[\0-\x08\x0e-\x1f]": ("Parquet", "end its name in .parquet, or give the format: --input-format parquet"),
    rb"ARROW1\0\0|FEA1\0": (
        "Arrow or Feather",
        "convert it: python -c 'import sys, pyarrow.feather as f, pyarrow.parquet as p; "
        "p.write_table(f.read_table(sys.argv[1]), sys.argv[2])' {file} {new}.parquet",
    ),
    rb"Obj\x01": ("Avro", "convert it to JSON lines: java -jar avro-tools.jar tojson {file} > {new}.jsonl"),
    rb"SQLite format 3\0": ("an SQLite database", "export a column: sqlite3 {file} 'SELECT column FROM table' > {new}"),
    rb"%PDF-": ("a PDF document", "convert it: pdftotext {file} {new}"),
    rb"(?i)(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!doctype\s+html|<html[\s>])": (
        "an HTML page",
        "save its text, one segment per line; for segments in HTML, use JSON lines",
    ),
    rb"\x93NUMPY": ("a NumPy array", "write its texts to a file, one per line"),
    rb"\x80[\x02-\x05][\x95\]}c(]": ("a pickle of Python", "write its texts to a file, one per line"),
}


def recognize(head: bytes, file: str, compression: str | None) -> tuple[str, str] | None:
    """Return what a file is and what to do about it, if its first bytes are not those of text in UTF-8.

    `head` is decompressed if the file is compressed, and `compression` says how.
    """
    file = "FILE" if file == "-" else file
    if compression is not None and detect_compression(head) is not None:
        return "compressed twice", f"decompress it: {read_command(file, compression)} > {_new_name(file)}"
    for pattern, (kind, fix) in _KINDS.items():
        if re.match(pattern, head, re.DOTALL):
            words = {"read": read_command(file, compression), "file": shlex.quote(file), "new": _new_name(file)}
            return f"in {kind}" if kind.startswith("UTF") else kind, fix.format(name=kind, **words)
    return None


def read_command(file: str, compression: str | None) -> str:
    """Return the command that prints the content of a file."""
    program = "cat" if compression is None else f"{compression} -dc"
    return f"{program} {shlex.quote(file)}"


def conversion_command(file: str, compression: str | None, encoding: str) -> str:
    """Return the command that converts a text file to UTF-8."""
    file = "FILE" if file == "-" else file
    return _CONVERT_ENCODING.format(read=read_command(file, compression), name=encoding, new=_new_name(file))


def _new_name(file: str) -> str:
    """Return a name for the converted file, beside the old one."""
    path = PurePath(file)
    return shlex.quote(str(path.with_name(f"new.{path.name}" if path.name else "new")))
