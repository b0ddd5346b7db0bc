"""Manifests of the Open ASR Leaderboard as input of every command."""

import json

import pytest

import refscore
from refscore.readers import evaluate_files
from tests.cli.running import error_of, json_of, output_of

LINES = [
    {"audio_filepath": "sample_0", "duration": 3.5, "time": 0.25, "text": "the cat sat", "pred_text": "the cat sad"},
    {"audio_filepath": "sample_1", "duration": 1.5, "time": 0.5, "text": "White paper.", "pred_text": "whitepaper"},
]


def write(path, lines=LINES, **changes):
    path.write_text("".join(json.dumps({**line, **changes}) + "\n" for line in lines))


@pytest.fixture
def manifests(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a.jsonl")
    write(tmp_path / "b.jsonl", pred_text="the cat", time=0.1)
    return tmp_path


def test_fields_need_no_names(manifests):
    texts = [line["pred_text"] for line in LINES], [line["text"] for line in LINES]
    expected = refscore.WER.preset("open-asr").corpus(*texts)
    evaluation = evaluate_files({"a": "a.jsonl"}, ["a.jsonl"], "wer:open-asr")
    assert evaluation["a"]["wer:open-asr"].row.tolist() == expected.row.tolist()


def test_score_has_rtfx(manifests, capsys):
    content = json_of(capsys, "score", "a.jsonl", "b.jsonl", "-m", "wer")
    first, second = (system["scores"]["RTFx"]["value"] for system in content["systems"])
    assert first == 5 / 0.75
    assert second == pytest.approx(5 / 0.2, rel=1e-15)
    assert json_of(capsys, "score", "a.jsonl", "-m", "wer", "-r", "a.jsonl:text")["systems"][0]["scores"]["RTFx"]


@pytest.mark.parametrize("change", [{"time": None}, {"duration": 0}, {"time": 0.0}])
def test_no_rtfx_without_times(manifests, capsys, change):
    write(manifests / "b.jsonl", **change)
    content = json_of(capsys, "score", "a.jsonl", "b.jsonl", "-m", "wer")
    assert list(content["metrics"]) == ["wer"]


@pytest.mark.parametrize(
    "command",
    [
        ["compare", "a.jsonl", "b.jsonl", "-m", "wer"],
        ["errors", "a.jsonl"],
        ["conventions", "a.jsonl", "-m", "wer"],
        ["gate", "a.jsonl", "--baseline", "b.jsonl", "-m", "wer"],
        ["report", "a.jsonl", "-m", "wer", "-o", "a.html"],
    ],
)
def test_every_command_reads_them(manifests, capsys, command):
    output_of(capsys, *command)
    assert output_of(capsys, *command, "-r", "a.jsonl:text") is not None


def test_different_references(manifests):
    write(manifests / "b.jsonl", text="other")
    message = str(error_of("score", "a.jsonl", "b.jsonl", "-m", "wer"))
    assert "line 1 of b.jsonl has a reference that differs from line 1 of a.jsonl: name the references" in message


def test_other_json_lines_need_a_field(manifests):
    (manifests / "c.jsonl").write_text('{"text": "a"}\n')
    assert "is an object" in str(error_of("score", "c.jsonl", "-r", "c.jsonl:text", "-m", "wer"))
