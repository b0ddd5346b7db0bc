"""The page on the command line contains every command; its examples run with those of all pages."""

import re
from pathlib import Path

from refscore.cli.main import SECTIONS

TEXT = (Path(__file__).parents[1] / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")


def test_all_commands_are_listed():
    listed = re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)
    assert listed == [name for section in SECTIONS.values() for name in section]
