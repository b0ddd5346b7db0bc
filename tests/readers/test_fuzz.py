"""Reading arbitrary bytes gives values or an InputError, in any format, compressed or not."""

import bz2
import gzip
import lzma

import pyarrow  # noqa: F401
import pytest
import zstandard
from hypothesis import example, given, strategies as st

import refscore
from refscore.readers import FORMATS, read_lines
from refscore.readers.source import recognize
from tests.examples import examples
from tests.readers.reading import stdin, values_of

COMPRESS = [bytes, gzip.compress, lzma.compress, bz2.compress, zstandard.compress]
FIELDS = [None, "1", "2", "a", "a.b", "ref", "ref:A", "hyp", "docid", ""]

PIECES = st.sampled_from(
    [
        *(b"\n", b"\r\n", b"\t", b",", b'"', b"\xef\xbb\xbf", b"\x00", b"\xff", b"&amp;", b"&", b"<", b">", b"{", b"}"),
        *(b'{"a": "b"}', b'{"a": {"b": ["c", null]}}', b'"a"', b"[", b"]", b"null", b"1e999", b'"\\ud800"', b"a,b\n"),
        *(b"<doc>", b"</doc>", b'<doc id="x">', b"<ref>", b"</ref>", b'<ref translator="A">', b"<seg>", b"</seg>"),
        *(b'<seg id="1">', b'<seg id="1">x</seg>', b"<refset>", b'<REFSET refid="A">', b"</refset>", b"<dataset>"),
        *(b"</dataset>", b"<!DOCTYPE x>", b"<?xml version='1.0' encoding='utf-7'?>", b"<![CDATA[", b"&#55296;", b"]]>"),
        *(
            b"WEBVTT\n",
            b"NOTE",
            b"00:00:01,000 --> 00:00:02,500\n",
            b"1\n",
            b"00:01.5 --> ",
            b"-->",
            b"<i>",
            b"{\\an8}",
        ),
        *(b"PAR1", b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"BZh91AY&SY", "ü".encode(), b"\xe2\x80\xa8"),
    ]
)
BYTES = st.one_of(st.binary(max_size=64), st.lists(st.one_of(PIECES, st.binary(max_size=3)), max_size=24).map(b"".join))


def check(data, format, field, block=1 << 20, labels=False):
    failure = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("refscore.readers.source.BLOCK", block)
        try:
            values = values_of(**stdin(data, field, format=format, labels=labels))
        except refscore.InputError as error:
            failure = error
    if failure is not None:
        assert failure.location.file.startswith(("standard input", "-:")) and str(failure).isprintable()
        return None
    for value in values:
        entries = value if isinstance(value, list) else [value]
        assert all(entry is None or isinstance(entry, str) for entry in entries)
    return values


@pytest.mark.parametrize("format", FORMATS)
@examples(300)
@given(BYTES, st.sampled_from(FIELDS), st.integers(1, 32), st.sampled_from(COMPRESS), st.booleans())
@example(b"<?xml version='1.0' encoding='no-such'?><a/>", None, 32, bytes, False)
@example(b"<?xml version='1.0' encoding='base64'?><a/>", None, 32, bytes, False)
@example(b"<?xml version='1.0' encoding='idna'?><a/>", None, 32, bytes, False)
@example(b"\xff\xfe<\x00a\x00/\x00>\x00", None, 32, bytes, False)
def test_values_or_an_input_error(format, data, field, block, compress, labels):
    check(compress(data), format, field, block, labels)


@pytest.mark.parametrize("compress", COMPRESS)
@examples(200)
@given(st.data())
def test_damaged_files(compress, data):
    damaged = bytearray(compress(b"a cat\n" * data.draw(st.integers(1, 50))))
    for _ in range(data.draw(st.integers(1, 3))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    del damaged[data.draw(st.integers(1, len(damaged))) :]
    check(bytes(damaged), "text", None)


def lines_of(data):
    """Split plain text by definition, in one piece."""
    text = data.decode().removeprefix("\ufeff")
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else None


@examples(300)
@given(BYTES, st.integers(1, 32))
@example(b"\xef\xbb\xbf", 1)
@example(b"\xef\xbb\xbf\n", 1)
@example(b"a\n\xef\xbb\xbfb\n", 1)
@example(b"a\r\nb\r", 1)
@example(b"a\r\r\nb\rc\n\n", 1)
@example("a\u2028b\u2029c\x85d\x0be\x0cf\x1cg \t\n".encode(), 1)
@example(b"a\0b\n", 1)
def test_text_in_blocks_is_text(data, block):
    if any(data.startswith(start) for start in (b"\x1f\x8b", b"BZh91AY&SY")):
        return
    try:
        is_text = b"\0" not in data and recognize(data, "-", None) is None
        expected = lines_of(data) if is_text else None
    except UnicodeDecodeError:
        expected = None
    assert check(data, "text", None, block) == expected


@examples(50)
@given(BYTES)
def test_read_lines(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("fuzz") / "file"
    path.write_bytes(data)
    try:
        lines = read_lines(path)
    except refscore.InputError:
        lines = None
    assert lines == check(data, "text", None)
