"""WMT's XML and SGML: fields, missing segments, malformed files, and sacrebleu's reading."""

import io
from contextlib import suppress

import pytest
from hypothesis import given, strategies as st
from sacrebleu.dataset.fake_sgml import FakeSGMLDataset
from sacrebleu.dataset.wmt_xml import WMTXMLDataset

import refscore
from tests.readers.reading import error_of, in_stdin, stdin, values_of

XML = """<?xml version="1.0" encoding="utf-8"?>
<dataset id="newstest"><collection id="general">
<doc id="news.1" origlang="en" domain="news">
  <src lang="en"><p><seg id="1">one &amp; only</seg><seg id="2">two</seg></p><p><seg id="3">three</seg></p></src>
  <ref lang="de" translator="A"><p><seg id="1">eins</seg><seg id="2">zwei</seg></p><p><seg id="3"></seg></p></ref>
  <ref lang="de" translator="B"><p><seg id="1">  ein\n  s </seg></p></ref>
  <hyp system="X" language="de"><p><seg id="1">x1</seg><seg id="2">x2</seg></p><p><seg id="3">x3</seg></p></hyp>
  <hyp system="Y:1" language="de"><p><seg id="1">y1</seg><seg id="2">y2</seg></p><p><seg id="3">y3</seg></p></hyp>
</doc>
<doc id="suite" origlang="en" testsuite="yes">
  <src lang="en"><p><seg id="1">skipped</seg></p></src>
  <ref lang="de" translator="A"><p><seg id="1">skipped</seg></p></ref>
</doc></collection>
<doc id="news.2" origlang="de" domain="news">
  <src lang="en"><p><seg id="1">four</seg></p></src>
  <ref lang="de" translator="A"><p><seg id="1">vier</seg></p></ref>
  <ref lang="de" translator="B"><p><seg id="1"><b>v</b>ier</seg></p></ref>
  <hyp system="X" language="de"><p><seg id="1">x4</seg></p></hyp>
  <hyp system="Y:1" language="de"><p><seg id="1">y4</seg></p></hyp>
</doc></dataset>
"""

SGML = """<refset setid="test" srclang="any" trglang="de">
<DOC sysid="ref" docid="d&amp;1" genre="news" origlang="en">
<hl>
<Seg id="1">eins &amp; R&D &lt;3 &#252;&#xFC; &quot;&nbsp;&unknown; &#1114112; a < b</SEG>
</hl>
<p>
<seg id=2> zwei
 zeilen </seg >
</p>
</DOC>
<doc docid='d2' sysid='ref'><seg id="1">drei</seg></doc>
</refset>
"""


def read(format, data, field=None):
    return values_of(**stdin(data, field, format=format))


def failure(format, data, field=None):
    return error_of(**stdin(data, field, format=format))


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("src", ["one & only", "two", "four"]),
        ("ref:A", ["eins", "zwei", "vier"]),
        ("ref:B", ["ein s", None, "vier"]),
        ("hyp:X", ["x1", "x2", "x4"]),
        ("hyp:Y:1", ["y1", "y2", "y4"]),
        ("docid", ["news.1", "news.1", "news.2"]),
        ("origlang", ["en", "en", "de"]),
    ],
)
def test_fields_of_xml(field, values):
    assert read("xml", XML, field) == values


def test_xml_as_sacrebleu_reads_it():
    fields = WMTXMLDataset._unwrap_wmt21_or_later(io.BytesIO(XML.encode().replace(b"<b>v</b>", b"v")))
    names = {"X": "hyp:X", "Y:1": "hyp:Y:1"}
    assert {"src", "ref:A", "ref:B", "docid", "origlang", "X", "Y:1", "domain"} == set(fields)
    for name, expected in fields.items():
        found = read("xml", XML, names.get(name, name))
        assert [value or "" for value in found] == [WMTXMLDataset._clean(value) for value in expected]


def test_a_field_that_is_not_clear():
    for field, text in [
        ("ref", "has 2 fields ref: name one of -:ref:A, -:ref:B"),
        (None, "has 5 fields: name one of -:src, -:ref:A, -:ref:B, -:hyp:X, -:hyp:Y:1"),
        ("ref:C", "has no field 'ref:C': did you mean 'ref:B'? (there are: docid, domain, hyp:X, hyp:Y:1, id, "),
    ]:
        assert str(failure("xml", XML, field)).startswith(f"standard input {text}")
    one = '<doc><ref translator="A"><seg id="1">a</seg></ref></doc>'
    assert read("xml", one) == read("xml", one, "ref") == read("xml", one, "ref:A") == ["a"]
    both = '<doc><ref><seg id="1">a</seg></ref><ref translator="A"><seg id="1">b</seg></ref></doc>'
    assert (read("xml", both, "ref"), read("xml", both, "ref:A")) == (["a"], ["b"])


def test_segments_are_ordered_by_number():
    def column(kind, *ids):
        return f"<{kind}>" + "".join(f'<seg id="{n}">{kind}{n}</seg>' for n in ids) + f"</{kind}>"

    text = f"<dataset><doc>{column('hyp', 10, 1)}{column('ref', 1, 2, 10)}</doc></dataset>"
    assert read("xml", text, "ref") == ["ref1", "ref2", "ref10"]
    assert read("xml", text, "hyp") == ["hyp1", None, "hyp10"]
    text = f"<dataset><doc>{column('hyp', 'b', 1)}{column('ref', 'b', 1)}</doc></dataset>"
    assert read("xml", text, "ref") == ["refb", "ref1"]


def test_documents_of_one_name_and_sets_in_xml():
    document = '<doc id="d"><ref><seg id="1">a</seg></ref></doc>'
    assert read("xml", f"<dataset>{document}{document}</dataset>", "docid") == ["d", "d"]
    test_set = '<mteval><tstset sysid="X"><doc docid="d"><seg id="1">a</seg></doc></tstset></mteval>'
    assert read("xml", test_set, "hyp:X") == ["a"]


@pytest.mark.parametrize(
    ("text", "at", "problem"),
    [
        ("<dataset></dataset>", (), "has no segments"),
        ("<doc><seg id='1'>a</seg></doc>", (), "has no segments"),
        ("", (1,), "is not XML (column 1:"),
        ("<a>\n <b></a>", (2,), "is not XML (column 7:"),
        ("<a>R&D</a>", (1,), "is not XML (column 7:"),
        ("<a>&eacute;</a>", (1,), "is not XML (column 4:"),
        ("<a>\x00</a>", (1,), "is not XML (column 4:"),
        (b"<a>\xff</a>", (1,), "is not XML (column 4:"),
        ("<doc><ref><seg>a</seg></ref></doc>", (None, "document number 1"), "has a segment without an id"),
        (
            "<doc id='d'><ref><seg id='1'>a</seg><seg id='1'>a</seg></ref></doc>",
            (None, "ref of segment 1 of document d"),
            "occurs twice",
        ),
    ],
)
def test_xml_that_cannot_be_read(text, at, problem):
    error = failure("xml", text, "ref")
    assert error.location == in_stdin(*at)
    assert error.problem.startswith(problem)


LAUGHS = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>'


@pytest.mark.parametrize(
    "text",
    [
        LAUGHS,
        '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://localhost/x"> %x;]><a/>',
        LAUGHS.encode("utf-16"),
    ],
)
def test_declarations_are_refused(text):
    assert failure("xml", text).problem.startswith("has a document type declaration")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "windows-1252"])
def test_xml_says_its_encoding(encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?><doc><ref><seg id="1">Zürich</seg></ref></doc>'
    assert read("xml", text.encode(encoding)) == ["Zürich"]


SGML_TEXT = ['eins & R&D <3 üü " &unknown; &#1114112; a < b', "zwei zeilen", "drei"]


@pytest.mark.parametrize(
    ("field", "values"),
    [
        *((field, SGML_TEXT) for field in (None, "ref", "ref:ref")),
        ("docid", ["d&1", "d&1", "d2"]),
        ("genre", ["news", "news", None]),
    ],
)
def test_fields_of_sgml(field, values):
    assert read("sgml", SGML, field) == values


def test_sets_in_sgml_share_their_documents():
    text = """<refset refid="A"><doc docid="1"><seg id="1">a1</seg><seg id="3">a3</seg></doc></refset>
    <refset refid="B"><doc docid="1"><seg id="1">b1</seg><seg id="2">b2</seg></doc></refset>
    <tstset><doc docid="1" sysid="X"><seg id="1">x1</seg></doc></tstset>
    <tstset><doc docid="1" sysid="Y"><seg id="1">y1</seg></doc></tstset>
    <srcset sysid="source"><doc docid="1" sysid="source"><seg id="2">s2</seg></doc></srcset>"""
    assert read("sgml", text, "ref:A") == ["a1", None, "a3"]
    assert read("sgml", text, "ref:B") == ["b1", "b2", None]
    assert read("sgml", text, "hyp:Y") == ["y1", None, None]
    assert read("sgml", text, "src") == [None, "s2", None]
    assert failure("sgml", text, "hyp").fix == "name one of -:hyp:X, -:hyp:Y"


@pytest.mark.parametrize(
    ("text", "at", "problem"),
    [
        ("just text", (), "has no segments"),
        ('<refset><doc>\n<seg id="1">a\n</doc>', (2,), "begins a segment without </seg>"),
        ('<refset><doc>\n<seg id="1">a\n<seg id="2">b</seg>', (2,), "begins a segment without </seg>"),
        ("<refset><doc docid='d'><seg>a</seg>", (None, "document d"), "has a segment without an id"),
        (b"<refset>\n\xff", (2,), "is not UTF-8"),
    ],
)
def test_sgml_that_cannot_be_read(text, at, problem):
    error = failure("sgml", text)
    assert error.location == in_stdin(*at)
    assert error.problem.startswith(problem)


TEXTS = st.text(
    st.characters(codec="utf-8", exclude_characters="<>&\r\n\x85\x0b\x0c\x1c\x1d\x1e\u2028\u2029"), max_size=12
)


@given(st.lists(st.lists(TEXTS, min_size=1, max_size=3), min_size=1, max_size=3))
def test_sgml_as_sacrebleu_reads_it(tmp_path_factory, documents):
    lines = ['<refset setid="x">']
    for number, texts in enumerate(documents):
        lines += [f'<doc docid="d{number}" sysid="ref">', "<p>"]
        lines += [f'<seg id="{index}">{text}</seg>' for index, text in enumerate(texts, 1)]
        lines += ["</p>", "</doc>"]
    folder = tmp_path_factory.mktemp("sgml")
    file = folder / "test.sgm"
    file.write_bytes("\n".join([*lines, "</refset>", ""]).encode())
    FakeSGMLDataset._convert_format(FakeSGMLDataset, str(file), str(folder / "test.txt"))
    FakeSGMLDataset._convert_meta(FakeSGMLDataset, str(file), "docid", str(folder / "test.docid"))
    expected = (folder / "test.txt").read_bytes().decode().split("\n")[:-1]
    assert values_of(str(file)) == expected
    assert values_of(f"{file}:docid") == (folder / "test.docid").read_text().splitlines()


@pytest.mark.parametrize(
    "text",
    [
        "<seg " * 50_000,
        "<doc" + " a" * 100_000 + ">",
        "<doc " + "a" * 1_000_000 + ">",
        "<doc " + "a=" * 100_000 + ">",
        "<doc " + 'a="' * 100_001 + ">",
        "<doc " + " " * 1_000_000 + ">",
        "<refset><doc>" + "<seg id='1'></seg" * 50_000,
        "&" * 1_000_000,
        "<refset><doc><seg id='1'>" + "&#1" * 300_000 + "</seg>",
    ],
)
@pytest.mark.slow
def test_sgml_takes_no_longer_than_its_length(text):
    with suppress(refscore.InputError):
        assert read("sgml", text)
