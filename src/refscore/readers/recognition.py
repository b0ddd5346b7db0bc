"""Recognize data that is not UTF-8 text by its first bytes, and suggest a command that converts it."""

from __future__ import annotations

import re
import shlex
from pathlib import PurePath

from refscore.readers.compression import detect_compression

HEAD = 512  # bytes: the header of a tar archive, the longest pattern

_CONVERT_ENCODING = "convert it: {read} | iconv -f {name} -t UTF-8 > {new}"
_OTHER_FILE = "name a file of texts, one per line"
_EXPORT = "export it as CSV or as text"

# The kind of data with these first bytes, and a fix. The first match counts. Except for PDF and HTML, no text begins
# like this: these bytes are not UTF-8 or have control characters.
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
    rb"\x1f\x9d": ("compressed with compress", "decompress it: gzip -dc {file} > {new}"),
    rb"\x04\x22\x4d\x18": ("compressed with lz4", "decompress it: lz4 -dc {file} > {new}"),
    rb"\x5d\0\0.{2}\0*\xff": ("compressed with lzma", "decompress it: xz -dc --format=lzma {file} > {new}"),
    rb"PAR1[\0-\x08\x0e-\x1f]": ("Parquet", "end its name in .parquet, or add --input-format parquet"),
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
    rb"\x89PNG\r\n\x1a\n": ("a PNG image", _OTHER_FILE),
    rb"\xff\xd8\xff": ("a JPEG image", _OTHER_FILE),
    rb"GIF8[79]a.{1,3}[\0-\x08]": ("a GIF image", _OTHER_FILE),
    rb"RIFF.{4}(WEBP|WAVE|AVI )": ("an image, sound or video", _OTHER_FILE),
    rb"ID3[\x02-\x04]|OggS\0|fLaC\0": ("a sound", _OTHER_FILE),
    rb"\x7fELF|MZ.{6}\0\0": ("a program", _OTHER_FILE),
    rb"\x93NUMPY": ("a NumPy array", "write its texts to a file, one per line"),
    rb"\x80[\x02-\x05][\x95\]}c(]": ("a Python pickle", "write its texts to a file, one per line"),
}


def recognize(head: bytes, file: str, compression: str | None) -> tuple[str, str] | None:
    """Return the kind of a file and a fix, or None if its first bytes look like UTF-8 text.

    `head` has the first bytes after decompression, and `compression` the compression of the file.
    """
    file = "FILE" if file == "-" else file
    if compression is not None and detect_compression(head) is not None:
        return "compressed twice", f"decompress it: {read_command(file, compression)} > {_new_name(file)}"
    for pattern, (kind, fix) in _KINDS.items():
        if re.match(pattern, head, re.DOTALL):
            words = {"read": read_command(file, compression), "file": shlex.quote(file), "new": _new_name(file)}
            return f"in {kind}" if kind.startswith("UTF") else kind, fix.format(name=kind, **words)
    return None


def removal_command(file: str, compression: str | None) -> str:
    """Return the command that removes NUL characters from a text file."""
    file = "FILE" if file == "-" else file
    return f"{read_command(file, compression)} | tr -d '\\000' > {_new_name(file)}"


def read_command(file: str, compression: str | None) -> str:
    """Return the command that prints the content of a file."""
    program = "cat" if compression is None else f"{compression} -dc"
    return f"{program} {shlex.quote(file)}"


def conversion_command(file: str, compression: str | None, encoding: str) -> str:
    """Return the command that converts a text file to UTF-8."""
    file = "FILE" if file == "-" else file
    return _CONVERT_ENCODING.format(read=read_command(file, compression), name=encoding, new=_new_name(file))


def _new_name(file: str) -> str:
    """Return a name for the converted file, in the folder of the original."""
    path = PurePath(file)
    return shlex.quote(str(path.with_name(f"new.{path.name}" if path.name else "new")))
