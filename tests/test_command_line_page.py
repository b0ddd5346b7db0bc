"""The commands in docs/command-line.md and the README print what is shown there."""

import re
import shlex
from pathlib import Path

import pytest

from refscore.cli.demo import FOLDER
from refscore.cli.main import SECTIONS
from tests.cli.running import status_of

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = [
    (line, shown)
    for block in re.findall(r"^```console\n(.*?)^```$", TEXT + README, re.DOTALL | re.MULTILINE)
    for line, shown in re.findall(r"^\$ refscore ([^\n]*)\n(.*?)(?=^\$ refscore |\Z)", block, re.DOTALL | re.MULTILINE)
]


def printed(line, capsys):
    """What the command prints on both streams, and the part of it that `| head -n` leaves."""
    line, _, count = line.partition(" | head -n ")
    status_of(shlex.split(line))
    output = capsys.readouterr()
    lines = (output.out + output.err).splitlines(keepends=True)
    return "".join(lines[: int(count)] if count else lines)


@pytest.mark.parametrize(("line", "shown"), EXAMPLES, ids=[line for line, _ in EXAMPLES])
def test_examples(line, shown, capsys, monkeypatch):
    monkeypatch.chdir(FOLDER)
    monkeypatch.setenv("COLUMNS", "80")
    assert printed(line, capsys) == shown


def test_there_are_examples():
    assert len(EXAMPLES) > 8


def test_all_commands_are_listed():
    listed = re.findall(r"^\| `(\w+)` \|", TEXT, re.MULTILINE)
    assert listed == [name for section in SECTIONS.values() for name in section]
