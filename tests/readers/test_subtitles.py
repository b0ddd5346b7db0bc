"""SRT and WebVTT: fields, tags, times, and malformed files."""

import pytest

from refscore.readers import open_segments
from refscore.tokenizers.subtitles import write_time
from tests.readers.reading import error_of, in_stdin, stdin, values_of

SRT = """1
00:00:01,000 --> 00:00:02,500
It rained.

2
00:00:02,000 --> 00:00:04,000
- What a day,
- isn't it?
"""

VTT = """WEBVTT - a title
X-TIMESTAMP-MAP=LOCAL:00:00:00.000

STYLE
::cue { color: red }

NOTE
A comment --

opening
00:01.000 --> 00:02.500 align:start position:10%
It <b>rained</b> &amp; rained.

100:00:02.000 --> 100:00:04.000
<v Ann Lee>- What <00:00:03.000>a <c.loud>day</c>,
&lrm;- isn&#39;t it?
"""


def srt(data, field=None):
    return values_of(**stdin(data, field, format="srt"))


def vtt(data, field=None):
    return values_of(**stdin(data, field, format="vtt"))


def test_fields():
    assert srt(SRT) == srt(SRT, "text") == ["It rained.", "- What a day, - isn't it?"]
    assert srt(SRT, "lines") == ["It rained.", "- What a day, eol - isn't it?"]
    assert srt(SRT, "breaks") == ["It rained. eob", "- What a day, eol - isn't it? eob"]
    assert srt(SRT, "timed") == [
        "00:00:01,000 --> 00:00:02,500\nIt rained.",
        "00:00:02,000 --> 00:00:04,000\n- What a day,\n- isn't it?",
    ]
    assert srt(SRT, "film") == ["\n\n".join(srt(SRT, "timed"))]
    error = error_of(**stdin(SRT, "times", format="srt"))
    assert error.problem == "has no field 'times'" and "timed" in error.fix


def test_webvtt():
    assert vtt(VTT) == ["It rained & rained.", "- What a day, - isn't it?"]
    assert vtt(VTT, "timed")[1].startswith("100:00:02,000 --> 100:00:04,000\n")
    assert srt(VTT) == vtt(VTT)
    assert vtt("WEBVTT\n\n00:01.000 --> 00:02.000\n") == [""]


@pytest.mark.parametrize(
    "data",
    [
        "\ufeff" + SRT,
        SRT.replace("\n", "\r\n"),
        "\n\n" + SRT,
        SRT.replace("1\n00", "00", 1).replace("\n2\n", "\n"),  # without numbers
        SRT.replace("\n\n2", "\n2"),  # without an empty line
        SRT.replace("1\n", "1\n\n", 1),
        SRT.replace("rained.\n", "rained.\n \t\u00a0\n"),
        SRT.replace(" --> ", "  -> "),
        SRT.replace("02,500", "02,500 X1:1 X2:2"),
        SRT.replace(",000", ".000").replace(",500", ".5"),
        SRT.replace("00:00:01,000", "1").replace("00:00:02,500", "2.5"),
        SRT.replace("It rained.", "<i>It</i> {\\an8}<font color='red'>rained.</FONT>"),
        SRT.replace("It rained.", "  It \t rained. "),
        SRT.replace("It rained.", "<i>\nIt rained.\n</i>"),
        SRT + "\n\n",
        SRT.removesuffix("\n"),
    ],
)
def test_awkward_files(data):
    assert srt(data) == srt(SRT)
    assert srt(data, "timed") == srt(SRT, "timed")


def test_texts_that_look_like_something_else():
    text = "1\n00:00:01,000 --> 00:00:02,500\n2\na < b --> c <3 years\n{a} &amp;\n"
    assert srt(text, "lines") == ["2 eol a < b --> c <3 years eol {a} &amp;"]


MALFORMED = {
    "1\nIt rained.\n": (2, "is not the time of a cue: 'It rained.'"),
    "1\n": (1, "is not the time of a cue: '1'"),
    "00:00:01,000 --> 00:00:02\na\n\nb\n": (4, "is neither a number nor the time of a cue"),
    "1\n00:00:61,000 --> 00:01:02\na\n": (2, "is not the time of a cue: '00:00:61,000 --> 00:01:02'"),
    "1\n00:00:01,0000000 --> 00:01:02\na\n": (2, "is not the time of a cue: '00:00:01,0000000 --> 00:01:02'"),
    "1\n1:2:3:4 --> 5\na\n": (2, "is not the time of a cue: '1:2:3:4 --> 5'"),
    "1\n00:00:03,000 --> 00:00:02\na\n": (2, "ends at 00:00:02,000, before its start at 00:00:03,000"),
    "00:00:03 --> 00:00:04\na\n\n00:00:02,9 --> 00:00:04\nb\n": (4, "begins before the cue at line 1"),
    "WEBVTT\n\nname\n\n00:01.000 --> 00:02.000\na\n": (3, "is not the time of a cue: 'name'"),
}


@pytest.mark.parametrize("data", MALFORMED)
def test_malformed_files(data):
    error = error_of(**stdin(data, format="srt"))
    assert (error.location, error.problem) == (in_stdin(MALFORMED[data][0]), MALFORMED[data][1])
    assert error.fix


def test_a_missing_header():
    error = error_of(**stdin(SRT, format="vtt"))
    assert error.location == in_stdin(1) and "WEBVTT" in error.problem and "srt" in str(error)


def test_no_cues():
    assert error_of(**stdin("", format="srt")).problem == "is empty"
    assert error_of(**stdin("WEBVTT\n", format="vtt")).problem == "is empty"


def test_locations_are_times(tmp_path):
    path = tmp_path / "a.SRT"
    path.write_text(SRT)
    with open_segments(path) as reader:
        assert [*reader] == [srt(SRT)]
        assert [reader.location(index).line for index in range(2)] == [2, 6]
        assert reader.times == [(1_000_000, 2_500_000), (2_000_000, 4_000_000)]


def test_long_lines_take_linear_time():
    for text in ("<c " * 10**5, "-" * 10**6, "{\\" * 10**5, "<" * 10**6, "1" * 10**6, "<1:" * 10**5 + "->"):
        open_segments(**stdin(f"1 --> 2\n{text}\n", format="srt")).close()


def test_written_times():
    assert write_time(0) == "00:00:00,000"
    assert write_time(362_439_123_456) == "100:40:39,123456"
