"""Readers of utterances and turns: formats, compression, and errors with file and line."""

import bz2
import gzip
import json
from decimal import Decimal

import pytest

import refscore
from refscore import meetings
from refscore.meetings import Utterance


def read(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return meetings.read_utterances(path)


ANN = Utterance("m", "Ann", "good morning", Decimal("0.5"), Decimal("1.5"))
SEGMENT = {"session_id": "m", "speaker": "Ann", "words": "good morning", "start_time": 0.5, "end_time": "1.5"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.stm", "; comment\n\nm 1 Ann 0.5 1.5 good morning\n"),
        ("a.STM", "m\tx  Ann 0.5 1.5   good morning\r\n"),
        ("a.stm.gz", gzip.compress(b"m 1 Ann 0.5 1.5 good morning", mtime=0)),
        ("a.json", json.dumps([SEGMENT])),
        ("a.seglst.json.bz2", bz2.compress(json.dumps([{**SEGMENT, "channel": 1}]).encode())),
        ("a.jsonl", f"\n{json.dumps(SEGMENT)}\n"),
    ],
)
def test_formats(tmp_path, name, content):
    assert read(tmp_path, name, content) == [ANN]


def test_empty_words_and_missing_times(tmp_path):
    assert read(tmp_path, "a.stm", "m 1 Ann 0 1\n")[0].words == ""
    segment = {"session_id": "m", "speaker": 3, "words": ["a", "b"]}
    assert read(tmp_path, "a.json", json.dumps([segment])) == [Utterance("m", 3, ("a", "b"))]
    assert read(tmp_path, "a.json", "[]") == []


def test_ctm(tmp_path):
    words = read(tmp_path, "Ann.ctm", ";; c\nm 1 0.5 0.25 good 0.9\nm A 1 .5 morning\n")
    assert [(word.speaker, word.words, str(word.end_time)) for word in words] == [
        ("Ann", "good", "0.75"),
        ("Ann", "morning", "1.5"),
    ]


def test_several_files_and_formats(tmp_path):
    for name in ("a.ctm", "b.ctm"):
        (tmp_path / name).write_text("m 1 0 1 word\n")
    files = [tmp_path / "a.ctm", tmp_path / "b.ctm"]
    assert [each.speaker for each in meetings.read_utterances(*files)] == ["a", "b"]
    result = meetings.score(files, files)
    assert result.total.scored_speakers == 2 and result.errors == 0
    (tmp_path / "c").write_text("m 1 Ann 0.5 1.5 good morning\n")
    assert meetings.read_utterances(tmp_path / "c", format="stm") == [ANN]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.stm", "m 1 A 0 1 a\nm 1 A 0\n", "line 2 of {} has 4 fields: STM needs session, channel, speaker"),
        ("a.stm", "\nm 1 A 0 x a\n", "line 2 of {} has 'x' where a time is expected"),
        ("a.stm", "m 1 A 2 1 a\n", "line 1 of {} ends before it begins (from 2 to 1): swap the times"),
        ("a.stm", "m 1 A 0 NaN a\n", "line 1 of {} has Decimal('NaN') as end_time"),
        ("a.stm", "m 1 A 0 1e999999 a\n", "line 1 of {} has Decimal('1E+999999') as end_time"),
        ("a.stm", b"m 1 A 0 1 \xff\n", "line 1 of {} is not UTF-8"),
        ("a.ctm", "m 1 0 -1 a\n", "line 1 of {} has a negative duration (-1)"),
        ("a.ctm", "m 1 0 1\n", "line 1 of {} has 4 fields"),
        ("a.json", '[\n{"a": }]', "line 2 of {} is not JSON"),
        ("a.json", "{}", "line 1 of {} has no 'session_id'"),
        ("a.json", "[" * 100_000, "{} cannot be read"),
        ("a.json", "[1]", "segment 1 in {} is of type int"),
        ("a.json", '[{"session_id": "m", "speaker": "A"}]', "segment 1 in {} has no 'words'"),
        ("a.json", json.dumps([{**SEGMENT, "start_time": None}]), "segment 1 in {} has no 'start_time' but the other"),
        ("a.json", json.dumps([{**SEGMENT, "start_time": True}]), "segment 1 in {} has True as start_time"),
        ("a.json", json.dumps([{**SEGMENT, "start_time": "soon"}]), "segment 1 in {} has 'soon' as start_time"),
        ("a.json", f'[{json.dumps(SEGMENT)[:-1]}, "end_time": {"9" * 9999}}}]', "segment 1 in {} has '999"),
        ("a.json", json.dumps([{**SEGMENT, "words": 3}]), "segment 1 in {} has words of type int"),
        ("a.json", json.dumps([{**SEGMENT, "words": ["a", ""]}]), "segment 1 in {} has '' among its words"),
        ("a.json", json.dumps([{**SEGMENT, "speaker": ["A"]}]), "segment 1 in {} has a speaker of type list"),
        ("a.jsonl", "{}\n{\n", "line 1 of {} has no 'session_id'"),
        ("a.txt", "", "{} has an unknown format: name a file in .stm"),
        ("a.rttm", "SPEAKER m 1 0 1 <NA> <NA> A <NA>\n", "{} has speaker turns without words"),
    ],
)
def test_errors(tmp_path, name, content, message):
    with pytest.raises(refscore.InputError) as caught:
        read(tmp_path, name, content)
    assert str(caught.value).startswith(message.format(tmp_path / name))


def test_turns(tmp_path):
    lines = ["SPKR-INFO m 1 <NA> <NA> <NA> unknown A <NA>", "; c", "SPEAKER m 1 0.5 1.0 <NA> <NA> A <NA> <NA>"]
    (tmp_path / "a.rttm").write_text("\n".join(lines))
    assert meetings.read_turns(tmp_path / "a.rttm") == [Utterance("m", "A", "", Decimal("0.5"), Decimal("1.5"))]
    (tmp_path / "a.rttm").write_text("SPEAKER m 1 0.5\n")
    with pytest.raises(refscore.InputError, match=r"line 1 of .* has 4 fields"):
        meetings.read_turns(tmp_path / "a.rttm")
    (tmp_path / "a.json").write_text('[{"session_id": "m", "speaker": "A", "words": ""}]')
    with pytest.raises(refscore.InputError, match="has no times"):
        meetings.read_turns(tmp_path / "a.json")


def test_speakers_of_turns():
    turns = [Utterance("m", *turn) for turn in (("A", "", 0, 10), ("B", "", 2, 4), ("C", "", 20, 21), ("A", "", 3, 3))]

    def speaker(start, end):
        return meetings.assign_speakers([Utterance("m", "x", "w", start, end)], turns)[0].speaker

    assert [speaker(0, 1), speaker(3, 5), speaker(2, 4), speaker(3.5, 4)] == ["A", "A", "A", "A"]
    assert [speaker(12, 13), speaker(18, 19), speaker(30, 31), speaker(20.5, 20.5)] == ["A", "C", "C", "C"]
    for start in range(25):
        for end in range(start, 25):
            overlaps = [min(end, turn.end_time) - max(start, turn.start_time) for turn in turns]
            best = [turn.speaker for turn, overlap in zip(turns, overlaps, strict=True) if overlap == max(overlaps)]
            assert speaker(start, end) in best
    with pytest.raises(refscore.InputError, match=r"utterances\[0\] has no times"):
        meetings.assign_speakers([Utterance("m", "x", "w")], turns)
    with pytest.raises(refscore.InputError, match="turns has no turn of the session 'n'"):
        meetings.assign_speakers([Utterance("n", "x", "w", 0, 1)], turns)
