"""`refscore meeting`: tables, formats, files and errors."""

import csv
import gzip
import io
import json
from pathlib import Path

import pytest

from refscore import meetings
from refscore.cli import meeting
from tests.cli.running import error_of, json_of, output_of, status_of

REFERENCE = ["m 1 Ann 0.1 2.3 good Morning all", "m 1 Bob 2.3 5.1 hello", "t 1 Ann 0 1 we start"]
HYPOTHESIS = ["m 1 1 1.1 4.3 hello", "m 1 2 0.3 1.1 good morning", "t 1 1 0 8 we start now"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, lines in {"ref": REFERENCE, "hyp": HYPOTHESIS}.items():
        (tmp_path / f"{name}.stm").write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


def test_choices_are_those_of_the_package():
    for kind in meetings.MEETING_METRICS.values():
        assert kind.settings().keys() <= meeting.KINDS.keys()


def test_tables(capsys, files):
    printed = output_of(capsys, "meeting", "hyp.stm", "-r", "ref.stm", "-m", "cpwer,tcpwer", "--by-speaker")
    results = [meetings.score("ref.stm", "hyp.stm"), meetings.score("ref.stm", "hyp.stm", "tcpwer")]
    tables = "\n\n".join(str(result.table(by_speaker=True)) for result in results)
    assert printed == f"{tables}\n\n{results[0].signature}\n{results[1].signature}\n"
    assert results[0].errors == 3


def test_settings(capsys, files):
    content = json_of(capsys, "meeting", "hyp.stm", "-r", "ref.stm", "-m", "tcorcwer", "--lowercase", "--collar", "0.5")
    result = meetings.score("ref.stm", "hyp.stm", "tcorcwer", collar=0.5, lowercase=True)
    assert content["metrics"] == [json.loads(json.dumps(result.to_dict()))]
    assert result.value != meetings.score("ref.stm", "hyp.stm", "tcorcwer").value


def test_formats_for_programs(capsys, files):
    printed = output_of(capsys, "meeting", "hyp.stm", "-r", "ref.stm", "-m", "orcwer", "--format", "csv")
    rows = [*csv.DictReader(io.StringIO(printed))]
    assert [row["session"] for row in rows] == ["m", "t", "total"]
    assert [int(row["errors"]) for row in rows] == [2, 1, 3]
    printed = output_of(capsys, "meeting", "hyp.stm", "-r", "ref.stm", "--by-speaker", "--format", "tsv")
    assert [row["hypothesis"] for row in csv.DictReader(io.StringIO(printed), delimiter="\t")] == [
        *("2", "1", "", "1", "", "")
    ]


def test_turns(capsys, files):
    words = ["m 1 0.1 0.5 good", "m 1 0.8 0.5 Morning", "m 1 1.5 0.5 all", "m 1 2.5 0.5 hello", "t 1 0 .4 we"]
    with gzip.open("words.ctm.gz", "wt") as file:
        file.write("\n".join([*words, "t 1 0.5 0.4 start"]))
    turns = ["m 1 0 2.2 <NA> <NA> x", "m 1 2.2 3 <NA> <NA> y", "t 1 0 1 <NA> <NA> x"]
    (files / "turns.rttm").write_text("".join(f"SPEAKER {turn} <NA> <NA>\n" for turn in turns))
    content = json_of(capsys, "meeting", "words.ctm.gz", "--turns", "turns.rttm", "-r", "ref.stm")
    assert content["metrics"][0]["total"]["errors"] == 0
    assert content["metrics"][0]["sessions"][0]["assignment"] == [["Ann", "x"], ["Bob", "y"]]


def test_warnings(capsys, files):
    (files / "twice.stm").write_text("m 1 1 1 4 hello\nm 1 1 2 5 good\nt 1 1 0 8 we\n")
    assert status_of(["meeting", "twice.stm", "-r", "ref.stm", "-m", "tcpwer,tcorcwer"]) == 0
    message = "speakers of the hypothesis overlap with themselves for 2.00 of 13.00 seconds"
    assert capsys.readouterr().err == f"refscore: warning: {message}\n"
    output_of(capsys, "meeting", "twice.stm", "-r", "ref.stm", "-m", "tcpwer", "--quiet")


def test_errors(files):
    def error(*arguments):
        return str(error_of("meeting", *arguments))

    assert "-m names 'cpwer' twice" in error("hyp.stm", "-r", "ref.stm", "-m", "cpwer,cpwer")
    assert "unknown meeting metric 'cpwr'; did you mean 'cpwer'?" in error("hyp.stm", "-r", "ref.stm", "-m", "cpwr")
    assert "'five' is not a valid float" in error("hyp.stm", "-r", "ref.stm", "--collar", "five")
    message = error("hyp.stm", "-r", "ref.stm", "--collar", "1")
    assert message == "--collar changes nothing in cpwer: add tcpwer, tcorcwer, ditcpwer, greedy_tcorcwer, der or jer"
    assert "collar must be a number of seconds" in error("hyp.stm", "-r", "ref.stm", "-m", "tcpwer", "--collar", "-1")
    assert "unknown normalizer 'upper'" in error("hyp.stm", "-r", "ref.stm", "--normalize", "upper")
    (files / "empty.stm").write_text("")
    assert error("hyp.stm", "-r", "empty.stm").startswith("empty.stm has no utterances: pass at least one")
    message = error("empty.stm", "-r", "ref.stm")
    assert message.startswith("empty.stm lacks 2 of 2 sessions") and "or raise --max-missing" in message
    (files / "more.stm").write_text("x 1 A 1 2 words\n")
    message = error("more.stm", "-r", "ref.stm")
    assert (
        message.startswith("line 1 of more.stm is of the session 'x'") and "(1 such session): set --partial" in message
    )
    message = error("hyp.stm", "-r", "ref.stm", "-m", "orcwer", "--memory", "1")
    assert message.endswith("split the session, or raise --memory")
    (files / "bad.stm").write_text("m 1 A 3 2 words\n")
    assert "line 1 of bad.stm ends before it begins" in error("bad.stm", "-r", "ref.stm")
    (files / "x.rttm").write_text("SPEAKER m 1 0 1 <NA> <NA> x <NA>\n")
    assert "has speaker turns without words" in error("x.rttm", "-r", "ref.stm")


class TestSeveralSystems:
    @pytest.fixture
    def systems(self, files):
        """Twelve sessions, and two systems whose errors differ."""
        for name, words in {"all": "a b c", "old": "x y c", "new": "a b x"}.items():
            lines = [f"s{k} 1 A {k} {k + 1} {words} {'d e' if k % 3 else ''}\n" for k in range(12)]
            (files / f"{name}.stm").write_text("".join(lines))
        return meetings.evaluate({"old": "old.stm", "new": "new.stm"}, "all.stm", ["cpwer", "tcorcwer"])

    ARGUMENTS = ("meeting", "old=old.stm", "new=new.stm", "-r", "all.stm", "-m", "cpwer,tcorcwer")

    def test_totals(self, capsys, systems):
        assert output_of(capsys, *self.ARGUMENTS) == f"{systems.summary()}\n"
        shown = systems.summary(intervals=True, resamples=50, seed=3)
        assert output_of(capsys, *self.ARGUMENTS, "--ci", "--resamples", "50", "--seed", "3") == f"{shown}\n"
        content = json_of(capsys, *self.ARGUMENTS, "--ci", "--resamples", "50", "--seed", "3")
        assert [each.pop("file") for each in content["systems"]] == ["old.stm", "new.stm"]
        assert content["systems"] == json.loads(json.dumps(shown.to_dict()["systems"]))
        one = meetings.evaluate("old.stm", "all.stm").summary(intervals=True)
        assert output_of(capsys, "meeting", "old.stm", "-r", "all.stm", "--ci") == f"{one}\n"

    def test_comparisons(self, capsys, systems):
        shown = systems.compare("old", trials=100, holm=True)
        assert output_of(capsys, *self.ARGUMENTS, "--compare", "--trials", "100", "--holm") == f"{shown}\n"
        assert json_of(capsys, *self.ARGUMENTS, "--compare")["baseline"]
        assert shown.verdict("cpwer", "new") == "better"

    def test_files_of_one_system(self, capsys, systems):
        """Files with the same name are one system, which prints its sessions."""
        lines = Path("old.stm").read_text().splitlines(keepends=True)
        Path("first.stm").write_text("".join(lines[:5]))
        Path("last.stm").write_text("".join(lines[5:]))
        printed = [
            output_of(capsys, "meeting", *files, "-r", "all.stm")
            for files in (["old.stm"], ["first.stm", "last.stm"], ["a=first.stm", "a=last.stm"])
        ]
        assert printed[0] == printed[1] == printed[2]

    def test_errors(self, systems):
        assert "some files have the name of a system" in str(
            error_of("meeting", "a=old.stm", "new.stm", "-r", "all.stm")
        )
        assert "there is only one system" in str(error_of("meeting", "old.stm", "-r", "all.stm", "--compare"))
        assert "--by-speaker needs a single system" in str(error_of(*self.ARGUMENTS, "--by-speaker"))
        assert "--trials needs --compare" in str(error_of(*self.ARGUMENTS, "--ci", "--trials", "9"))
        assert "--seed needs --ci or --compare" in str(error_of(*self.ARGUMENTS, "--seed", "9"))
        Path("short.stm").write_text("s0 1 A 0 1 a\n")
        message = str(error_of("meeting", "a=old.stm", "b=short.stm", "-r", "all.stm"))
        assert message.startswith("short.stm lacks 11 of 12 sessions")


class TestDiarization:
    @pytest.fixture
    def rttm(self, files):
        for name, lines in {
            "ref": ["m 1 0 5 <NA> <NA> Ann", "m 1 5 3 <NA> <NA> Bob", "t 1 0 3 <NA> <NA> Bob"],
            "hyp": ["m 1 0 6 <NA> <NA> 1", "m 1 6 3 <NA> <NA> 2", "t 1 0 2 <NA> <NA> 2"],
        }.items():
            (files / f"{name}.rttm").write_text("".join(f"SPEAKER {line} <NA> <NA>\n" for line in lines))
        (files / "all.uem").write_text("m 1 0 8\nt 1 0 3\n")
        return files

    def test_tables(self, capsys, rttm):
        printed = output_of(capsys, "meeting", "hyp.rttm", "-r", "ref.rttm", "-m", "der,jer", "--by-speaker")
        results = [meetings.score("ref.rttm", "hyp.rttm", name) for name in ("der", "jer")]
        tables = "\n\n".join(str(result.table(by_speaker=True)) for result in results)
        assert printed == f"{tables}\n\n{results[0].signature}\n{results[1].signature}\n"

    def test_presets_and_settings(self, capsys, rttm):
        arguments = ("-m", "der:pyannote,jer", "--collar", "0.5", "--skip-overlap", "--uem", "all.uem")
        content = json_of(capsys, "meeting", "hyp.rttm", "-r", "ref.rttm", *arguments)
        settings = {"collar": 0.5, "skip_overlap": True, "uem": "all.uem"}
        results = [meetings.score("ref.rttm", "hyp.rttm", name, **settings) for name in ("der:pyannote", "jer")]
        assert content["metrics"] == [json.loads(json.dumps(result.to_dict())) for result in results]
        assert "collar_sides:both" in content["metrics"][0]["signature"]

    def test_beside_words(self, capsys, rttm):
        printed = output_of(capsys, "meeting", "hyp.stm", "-r", "ref.stm", "-m", "cpwer,der", "--format", "csv")
        rows = [*csv.DictReader(io.StringIO(printed))]
        assert [row["metric"] for row in rows] == ["cpwer"] * 3 + ["der"] * 3
        assert (rows[0]["scored"], rows[3]["hits"]) == ("", "")
        assert float(rows[5]["value"]) == meetings.score("ref.stm", "hyp.stm", "der").value

    def test_comparisons(self, capsys, rttm):
        arguments = ("a=hyp.rttm", "b=ref.rttm", "-r", "ref.rttm", "-m", "der", "--uem", "all.uem")
        evaluation = meetings.evaluate({"a": "hyp.rttm", "b": "ref.rttm"}, "ref.rttm", "der", uem="all.uem")
        assert output_of(capsys, "meeting", *arguments, "--compare") == f"{evaluation.compare()}\n"
        assert output_of(capsys, "meeting", *arguments) == f"{evaluation.summary()}\n"

    def test_errors(self, rttm):
        def error(*arguments):
            return str(error_of("meeting", "hyp.rttm", "-r", "ref.rttm", *arguments))

        assert "has speaker turns without words: choose der or jer" in error("-m", "cpwer,der")
        assert "unknown preset of der 'x'" in error("-m", "der:x")
        assert "--step changes nothing in der: add jer" in error("-m", "der", "--step", "1")
        assert error("-m", "der", "--uem", "none.uem").startswith("none.uem")
        (rttm / "some.uem").write_text("m 1 0 8\n")
        assert error("-m", "der", "--uem", "some.uem") == (
            "line 3 of ref.rttm is of the session 't', which the UEM file lacks: add it, or set --partial to ignore "
            "such sessions"
        )
        message = str(error_of("meeting", "hyp.stm", "-r", "ref.stm", "--uem", "all.uem"))
        assert message == "uem changes nothing in cpwer: add der or jer"


class TestSources:
    def test_tables(self, capsys, files):
        evaluation = meetings.evaluate({"new": "hyp.stm"}, "ref.stm", ["cpwer", "dicpwer"])
        shown = meetings.split_errors(evaluation)
        expected = f"{shown}\n\n{shown.whole.signature}\n{shown.forgiving.signature}\n"
        assert output_of(capsys, "meeting", "new=hyp.stm", "-r", "ref.stm", "--sources") == expected
        content = json_of(capsys, "meeting", "a=hyp.stm", "b=ref.stm", "-r", "ref.stm", "--sources")
        assert [(each["system"], each["errors"]) for each in content["totals"]] == [("a", 3), ("b", 0)]
        arguments = ("-m", "tcpwer,ditcpwer", "--collar", "3", "--format", "csv")
        rows = [
            *csv.DictReader(
                io.StringIO(output_of(capsys, "meeting", "hyp.stm", "-r", "ref.stm", "--sources", *arguments))
            )
        ]
        assert [row["session_id"] for row in rows] == ["m", "t", "total"]
        for row in rows:
            assert int(row["errors"]) == int(row["recognition"]) + int(row["attribution"])

    def test_errors(self, files):
        def error(*arguments):
            return str(error_of("meeting", "hyp.stm", "-r", "ref.stm", "--sources", *arguments))

        assert "--sources cannot be combined" in error("--ci")
        assert error("-m", "orcwer") == (
            "split_errors needs a metric such as cpwer or tcpwer: pass it to meetings.evaluate"
        )
        assert "have different settings" in error("-m", "cpwer,ditcpwer")


class TestTimeline:
    def test_formats(self, capsys, files):
        shown = meetings.timeline("ref.stm", "hyp.stm", "m")
        assert output_of(capsys, "meeting", "hyp.stm", "-r", "ref.stm", "--timeline", "m").strip() == str(shown)
        content = json_of(capsys, "meeting", "hyp.stm", "-r", "ref.stm", "--timeline", "m", "-m", "der:md-eval")
        assert "self_overlap:once" in content["signature"]
        output_of(capsys, "meeting", "hyp.stm", "-r", "ref.stm", "--timeline", "t", "-o", "t.html")
        page = Path("t.html").read_text()
        assert page.startswith("<!doctype html>") and "<svg" in page and "<script" not in page

    def test_errors(self, files):
        arguments = ("meeting", "hyp.stm", "-r", "ref.stm", "--timeline")
        assert "unknown session 'x'" in str(error_of(*arguments, "x"))
        assert "--timeline needs a single system" in str(error_of(*arguments, "m", "--ci"))
        assert "a timeline shows der or jer, not cpwer" in str(error_of(*arguments, "m", "-m", "cpwer"))
