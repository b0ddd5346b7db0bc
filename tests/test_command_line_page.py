"""The page on the command line has every command and every option; its examples are run with those of all pages."""

import re
from pathlib import Path

import click
import pytest

from refscore.cli.main import SECTIONS, commands

TEXT = (Path(__file__).parents[1] / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
# The text under each heading, up to the next one. Headings of commands are code.
PARTS = dict(re.findall(r"^#+ `?([\w ]+)`?\n(.*?)(?=^##|\Z)", TEXT, re.DOTALL | re.MULTILINE))
NAMES = [name for section in SECTIONS.values() for name in section]


def listed_options(part):
    """The options in the tables of a part: the names of each, and its default."""
    rows = re.findall(r"^\| (`-[^|]*) \| ([^|]*?) ?\|", PARTS[part], re.MULTILINE)
    return {tuple(re.findall(r"(?<![\w-])--?[a-z][\w-]*", names)): default for names, default in rows}


def accepted_options(name):
    """The options of a command that the page lists: its own, and those of the groups that its section links to."""
    found = {}
    for anchor in re.findall(r"\]\(#([\w-]+)\)", PARTS[name]):
        part = next(title for title in PARTS if title.lower().replace(" ", "-") == anchor)
        found |= accepted_options(part) if (name, part) == ("serve", "report") else {}
        found |= listed_options(part) if part not in NAMES else {}
    return found | listed_options(name)


def test_all_commands_are_listed():
    assert re.findall(r"^\| \[`(\w+)`\]\(#\1\) \|", PARTS["Commands"], re.MULTILINE) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_all_options_are_listed(name):
    command = commands.get_command(click.Context(commands), name)
    options = {tuple(option.opts): option for option in command.params if isinstance(option, click.Option)}
    listed = accepted_options(name)
    if name == "serve":
        del listed["-o", "--output"], listed[("--history",)]
    assert listed.keys() == options.keys()
    for names, option in options.items():
        default = option.to_info_dict()["default"]
        if default:
            assert str(default) in listed[names], names
