"""The normalizers of the Open ASR Leaderboard equal the original, and words written together match."""

import json
import sys
from pathlib import Path

import pytest

import refscore
from refscore import normalizers
from refscore.normalizers.open_asr import LANGUAGES

GOLDEN = json.loads(Path(__file__).parents[1].joinpath("golden", "open_asr.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", GOLDEN["outputs"])
def test_equals_the_original(name):
    if name.split("-")[2] in LANGUAGES:
        pytest.importorskip("num2words")
    assert normalizers.get(name).normalize_all(GOLDEN["texts"]) == GOLDEN["outputs"][name]


def test_every_normalizer_is_compared():
    assert {name for name in normalizers.available() if name.startswith("open-asr")} == {*GOLDEN["outputs"]}


def test_missing_num2words(monkeypatch):
    monkeypatch.setitem(sys.modules, "num2words", None)
    assert normalizers.normalize("zwei Häuser", "open-asr-de-2026-03") == "zwei häuser"
    with pytest.raises(refscore.errors.NotInstalledError, match=r"refscore\[numbers\]"):
        normalizers.normalize("2 Häuser", "open-asr-de-2026-03")


def test_presets():
    hypothesis, reference = "The white-paper, uh, was on wi fi.", "the whitepaper was on WiFi"
    assert refscore.WER.preset("open-asr").segment(hypothesis, reference).value == 0
    german = refscore.WER.preset("open-asr-multilingual").segment("Haus Tür", "Haustür")
    assert (german.errors, german.ref_len) == (0, 1)
