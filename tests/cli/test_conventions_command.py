"""The command `refscore conventions`: output and errors."""

import json
import re
from pathlib import Path

import pytest

import refscore
from refscore import tokenizers
from refscore.conventions import compare_conventions
from refscore.tables import render
from tests.cli.running import at, check_failure, json_of, output_of, rows_of, status_of, write_lines

HYPOTHESES = ["The cat sat on a mat.", "Ein Hündchen, sehr klein", "3.5 % of it"]
REFERENCES = ["the cat sat on the mat.", "Ein Hund, sehr klein", "3.5 % of all of it"]
OTHERS = ["a cat sat on a mat", "Ein kleines Hündchen", ""]


@pytest.fixture
def files(tmp_path, monkeypatch):
    write_lines(tmp_path, hyp=HYPOTHESES, ref=REFERENCES, other=OTHERS, short=OTHERS[:2])
    monkeypatch.chdir(tmp_path)


def run(capsys, *arguments):
    return output_of(capsys, "conventions", *arguments)


def content(capsys, *arguments):
    return json_of(capsys, "conventions", *arguments)


def test_tables(files, capsys):
    expected = compare_conventions(HYPOTHESES, [*map(list, zip(REFERENCES, OTHERS, strict=True))])
    assert run(capsys, "hyp", "-r", "ref", "-r", "other") == f"{expected}\n"
    expected = "\n\n".join(render(table, "latex") for table in expected.tables())
    assert run(capsys, "hyp", "-r", "ref", "-r", "other", "--format", "latex") == f"{expected}\n"
    rows = rows_of(run(capsys, "hyp", "-r", "ref", "--format", "tsv"))
    assert {row["preset"] for row in rows} == set(refscore.BLEU.presets)
    (step,) = [row for row in rows if row["preset"] == "mteval" and row["setting"] == "lowercase"]
    assert (step["reason"], step["from"], step["to"], step["segments"]) == ("case", "no", "ascii", "1")


@pytest.mark.parametrize("metric", ["bleu", "nist", "ribes"])
def test_json(files, capsys, metric):
    data = content(capsys, "hyp", "-r", "ref", "-m", metric)
    result = compare_conventions(HYPOTHESES, REFERENCES, metric)
    assert data == {"schema": "refscore.conventions/1", "version": refscore.__version__, **result.to_dict()}


def test_presets_start_and_settings(files, capsys):
    arguments = ["--against", "nltk", "--against", "mteval", "--preset", "textbook", "--set", "bleu.max_order=2"]
    data = content(capsys, "hyp", "-r", "ref", *arguments)
    result = compare_conventions(HYPOTHESES, REFERENCES, presets=["nltk", "mteval"], start="textbook", max_order=2)
    assert data["conventions"] == result.to_dict()["conventions"]
    assert (data["start"], len(data["conventions"])) == ("textbook", 3)


@pytest.mark.parametrize(
    ("name", "start", "metric"),
    [
        ("rouge3", "given", refscore.ROUGE(variant=3)),
        ("chrF3", "given", refscore.CHRF(beta=3)),
        ("ROUGE-L", "rougeL", refscore.ROUGE()),
        ("chrF2++", "chrf++", refscore.CHRF(word_order=2)),
        ("bleu:nltk", "nltk", refscore.BLEU.preset("nltk")),
    ],
)
def test_settings_that_are_part_of_a_name_are_a_row_and_the_start(files, capsys, name, start, metric):
    bare = {each["preset"]: each for each in content(capsys, "hyp", "-r", "ref", "-m", metric.name)["conventions"]}
    data = content(capsys, "hyp", "-r", "ref", "-m", name)
    values = {each["preset"]: each["value"] for each in data["conventions"]}
    assert data["start"] == start
    assert values.pop(start) == metric.corpus(HYPOTHESES, REFERENCES).value
    assert values == {preset: bare[preset]["value"] for preset in values}
    assert {*bare} == {*values, start} - {"given"}
    one, *_, other = bare
    chosen = content(capsys, "hyp", "-r", "ref", "-m", name, "--against", one, "--against", other)
    assert {each["preset"] for each in chosen["conventions"]} == {one, other, start}


def test_settings_can_be_set_under_the_name_that_was_asked_for(files, capsys):
    data = content(capsys, "hyp", "-r", "ref", "-m", "rouge3", "--set", "rouge3.stem=yes", "--against", "rouge2")
    values = {each["preset"]: each["value"] for each in data["conventions"]}
    expected = {"given": refscore.ROUGE(variant=3, stem=True), "rouge2": refscore.ROUGE(variant=2, stem=True)}
    assert values == {name: metric.corpus(HYPOTHESES, REFERENCES).value for name, metric in expected.items()}


def test_find(files, capsys):
    value = refscore.bleu(HYPOTHESES, REFERENCES, lowercase=True).percent
    data = content(capsys, "hyp", "-r", "ref", "--find", f"{value:.4f}")
    assert {"preset": "sacrebleu", "lowercase": "yes"} in [
        {"preset": match["preset"], **match["switched"]} for match in data["matches"]
    ]
    lines = run(capsys, "hyp", "-r", "ref", "--find", f"{value:.4f}").splitlines()
    assert lines[0] == f"Settings that give BLEU {value:.4f}"
    assert any(line.startswith("sacrebleu with lowercase=yes ") for line in lines)
    data = content(capsys, "hyp", "-r", "ref", "--find", "99.99")
    assert (data["number"], data["matches"], len(data["nearest"])) == ("99.99", [], 5)
    assert "BLEU 99.99. Closest:" in run(capsys, "hyp", "-r", "ref", "--find", "99.99")


ONE = ["hyp", "-r", "ref"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["hyp"], "Missing option '-r'"),
        (["hyp", "-r", "short"], at("hyp", 3)),
        ([*ONE, "--preset", "nlkt"], "'nlkt'.*'nltk'"),
        ([*ONE, "--set", "chrf.beta=1"], r"--set chrf\.… does not fit -m bleu"),
        ([*ONE, "--set", "bleu.max_ordr=1"], "'max_order'"),
        ([*ONE, "--find", "many"], "number"),
        ([*ONE, "-m", "bleu,chrf"], "^refscore: conventions shows one metric: choose it with -m$"),
    ],
)
def test_mistakes(files, capsys, arguments, expected):
    check_failure(capsys, ["conventions", *arguments], expected)


def test_a_preset_that_cannot_score_here(files, capsys):
    text = run(capsys, "hyp", "-r", "other", "-m", "ribes")
    assert "official is not available: " in text
    assert re.search(r"^nltk .*NLTK 3\.10\.4", text, re.MULTILINE)


JAPANESE = ["猫がマットの上に座っていた。", "今日はとても良い天気です。", "私は昨日東京に行きました。"]
OUTPUT = ["猫はマットの上に座った。", "今日は良い天気です。", "私は昨日、東京へ行った。"]


def test_numbers_of_tokenizers_for_the_script(files, capsys, monkeypatch):
    def unavailable(name):
        if name == "icu":
            raise refscore.errors.NotInstalledError("icu needs icu4py: pip install 'refscore[icu]'")
        return tokenizers.get(name)

    monkeypatch.setattr("refscore.conventions.finding.get", unavailable)
    write_lines(Path(), japanese=JAPANESE, output=OUTPUT)
    value = refscore.bleu(OUTPUT, JAPANESE, tokenizer="ja-mecab").percent
    arguments = ["conventions", "output", "-r", "japanese", "--find", f"{value:.2f}", "--format"]
    assert status_of([*arguments, "json"]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    names = [match["switched"].get("tokenizer", "") for match in found["matches"] if match["preset"] == "sacrebleu"]
    assert names[0].startswith("ja-mecab")
    assert found["untried"]["icu"].startswith("icu needs icu4py: ")
    assert printed.err.endswith("[unspaced]\n") and "use --set bleu.tokenizer=ja-mecab (or char) [" in printed.err
    assert re.search(r"^Not tried: icu, .*refscore tokenize --list", output_of(capsys, *arguments, "text", "-q"), re.M)
