"""`refscore report`: the page is written, and mistakes are reported before any work."""

import pytest
import vl_convert  # noqa: F401

from refscore.cli.demo import FOLDER
from refscore.report import page as page_module
from tests.cli.running import at, check_failure, status_of

SYSTEMS = [FOLDER / "alder.txt", FOLDER / "birch.txt"]
REFERENCES = ["-r", FOLDER / "reference.a.txt", "-r", FOLDER / "reference.b.txt"]


def test_the_page_is_written(tmp_path, capsys):
    page = tmp_path / "page.html"
    options = ["-o", page, "--title", "Two of them", "--notes", "A note.", "-m", "bleu,chrf++,bleu:nltk,nist"]
    source = ["--source", FOLDER / "reference.b.txt"]
    assert status_of(["report", *SYSTEMS, *REFERENCES, *options, *source]) == 0
    output = capsys.readouterr()
    assert output.out == f"{page}: 36 segments, 2 systems. Open it in a browser.\n"
    text = page.read_text(encoding="utf-8")
    for part in ("<h1>Two of them</h1>", "<p>A note.</p>", "chrF2++", "BLEU (nltk)", "baseline alder.txt", "nrefs:2"):
        assert part in text


def test_names_units_and_settings_of_the_test(tmp_path, capsys):
    page = tmp_path / "page.html"
    named = [f"old={SYSTEMS[1]}", f"new={SYSTEMS[0]}"]
    units = ["--units", f"{FOLDER / 'segments.jsonl'}:document"]
    options = ["-m", "ter", "-o", page, "--seed", 7, "--holm", "--alpha", 0.2, "--max-segments", 5]
    assert status_of(["report", *named, *REFERENCES, *units, *options]) == 0
    text = page.read_text(encoding="utf-8")
    assert "test:paired-bootstrap|resamples:1000|seed:7|conf:0.95|units:6|holm:yes" in text
    assert "a random sample of 5 of the 36 segments" in text
    assert "(p ≤ 0.2)" in text


def test_groups(tmp_path, capsys):
    page = tmp_path / "page.html"
    by = ["--by", f"{FOLDER / 'segments.jsonl'}:document"]
    assert status_of(["report", *SYSTEMS, *REFERENCES, *by, "-m", "bleu", "--resamples", 10, "-o", page]) == 0
    assert page.read_text(encoding="utf-8").count("<span data-group=") == 6


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([*SYSTEMS], "-r"),
        ([*SYSTEMS, *REFERENCES, "-o", "no/such/folder/page.html"], at("no/such/folder/page.html")),
        ([*SYSTEMS, *REFERENCES, "-o", "."], at(".")),
        ([*SYSTEMS, *REFERENCES, "--source", "none.txt"], at("none.txt")),
        ([*SYSTEMS, *REFERENCES, "--by", "none.txt"], at("none.txt")),
        ([SYSTEMS[0], SYSTEMS[0], *REFERENCES], "alder.txt"),
    ],
)
def test_mistakes(arguments, expected, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check_failure(capsys, ["report", *arguments], expected)
    assert not list(tmp_path.iterdir())


def test_a_missing_package(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(page_module, "find_spec", lambda name: None)
    assert status_of(["report", *SYSTEMS, *REFERENCES, "-o", tmp_path / "page.html"]) == 2
    assert "pip install 'refscore[report]'" in capsys.readouterr().err
