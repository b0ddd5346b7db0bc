"""The README's and the docs' examples are true."""

import doctest
import re
from pathlib import Path

import pytest

import refscore
from refscore.cli import main
from refscore.tokenizers import registry

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.fixture(autouse=True)
def _registry_as_before(monkeypatch):
    """The examples register tokenizers."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples(page):
    failed, attempted = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert attempted > 0
    assert failed == 0


def shown(page, beginning):
    text = (ROOT / page).read_text(encoding="utf-8")
    block = re.search(rf"```text\n({beginning}.*?)\n```", text, re.DOTALL)
    assert block is not None
    return block.group(1)


def test_worked_steps_in_the_readme():
    steps = refscore.BLEU(max_order=2).explain("the the cat", ["the cat sat", "a cat"])
    assert shown("README.md", "BLEU, step by step") == str(steps)


def test_worked_steps_of_meteor():
    steps = refscore.METEOR().explain("the dogs were walking on the big hill", "the dog walked on a hill")
    assert shown("docs/meteor.md", "METEOR, step by step") == str(steps)


def test_worked_steps_of_ribes():
    steps = refscore.RIBES().explain("the book was read by the boy", "the boy read the book")
    assert shown("docs/ribes.md", "RIBES, step by step") == str(steps)


def test_worked_steps_of_ter():
    steps = refscore.TER().explain("the ferry leaves at seven", "at seven the ferry departs")
    assert shown("docs/ter.md", "TER, step by step") == str(steps)


def test_worked_steps_of_gleu():
    steps = refscore.GLEU(max_order=2).explain("the the cat", ["a cat", "the cat sat"])
    assert shown("docs/gleu.md", "GLEU, step by step") == str(steps)


def test_worked_steps_of_nist():
    metric = refscore.NIST.fit(["the cat sat on the mat"], max_order=2)
    assert shown("docs/nist.md", "NIST, step by step") == str(metric.explain("the the cat", ["the cat sat", "a cat"]))


def test_worked_steps_of_chrf():
    steps = refscore.CHRF(char_order=3).explain("the cat", ["a cat sat", "the bat"])
    assert shown("docs/chrf.md", "chrF, step by step") == str(steps)


def test_the_command_of_ribes(monkeypatch, capsys):
    text = (ROOT / "docs" / "ribes.md").read_text(encoding="utf-8")
    line = re.search(r"^refscore (ribes .*)$", text, re.MULTILINE)
    assert line is not None
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as end:
        main(line.group(1).split())
    assert not end.value.code
    assert capsys.readouterr().out == shown("docs/ribes.md", r"\d\.\d{6} alpha=") + "\n"


def test_readme_begins_with_its_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert [len(block.strip().splitlines()) for block in blocks[:2]] == [1, 1]
    assert "refscore score examples/" in blocks[0]
    assert "pytest" in blocks[1]


def test_worked_steps_of_rouge():
    steps = refscore.ROUGE().explain("the cat sat on a mat", "the cat is on the mat today")
    assert shown("docs/rouge.md", "ROUGE-L, step by step") == str(steps)


def test_worked_steps_of_wer():
    steps = refscore.WER().explain("a cat sat down", "the cat sat")
    assert shown("docs/wer.md", "WER, step by step") == str(steps)


def test_the_commands_of_conventions(monkeypatch, capsys):
    text = (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")
    lines = re.findall(r"^refscore (conventions .*)$", text, re.MULTILINE)
    assert len(lines) == 2
    monkeypatch.chdir(ROOT)
    for line, beginning in zip(lines, ("BLEU of 8 segments", "62.9 is the BLEU of"), strict=True):
        with pytest.raises(SystemExit):
            main(line.split())
        assert capsys.readouterr().out == shown("docs/conventions.md", beginning) + "\n"
