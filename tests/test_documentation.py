"""The README's and the docs' examples are true."""

import doctest
import re
from pathlib import Path

import pytest

import refscore

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples(page):
    failed, attempted = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert attempted > 0
    assert failed == 0


def test_worked_steps_in_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"```text\n(BLEU, step by step.*?)\n```", text, re.DOTALL)
    assert shown is not None
    steps = refscore.BLEU(max_order=2).explain("the the cat", ["the cat sat", "a cat"])
    assert shown.group(1) == str(steps)


def test_readme_begins_with_its_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert [len(block.strip().splitlines()) for block in blocks[:2]] == [1, 1]
    assert "refscore score examples/" in blocks[0]
    assert "pytest" in blocks[1]
