"""What all commands share: the list of them, help, and the ways in which they end."""

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import refscore.cli
from refscore.cli import migration_hints
from refscore.cli.main import SECTIONS, commands
from tests.cli.running import command, installed, on_terminal, status_of

NAMES = [name for section in SECTIONS.values() for name in section]
OTHER_MODULES = {
    *("bootstrap_options", "engine_options", "input_options", "limits_options", "metric_options", "report_options"),
    *("group", "inputs", "main", "migration_hints", "option_group", "output", "progress", "segment_files"),
    *("system_scores", "systems", "test_sets"),
}


def test_every_command_has_its_module():
    modules = {module.name for module in pkgutil.iter_modules(refscore.cli.__path__) if not module.ispkg}
    assert set(NAMES) <= modules
    assert modules - OTHER_MODULES == set(NAMES), "a module that is no command belongs in OTHER_MODULES"


def test_help_lists_all_commands_by_sections(capsys):
    assert status_of(["--help"]) == 0
    shown = capsys.readouterr().out
    for title, section in SECTIONS.items():
        assert f"\n{title}:\n" in shown
        for name in section:
            assert re.search(rf"^  {name}  +\S", shown, re.MULTILINE)
    assert status_of([]) == 0
    assert capsys.readouterr().out == shown


def test_help_of_the_group_needs_no_command():
    code = (
        "import sys; from refscore.cli import main\n"
        "try: main(['-h'])\n"
        "except SystemExit: print([name for name in sys.modules if name.startswith(('refscore.cli.', 'rich'))])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout.splitlines()[-1] == "['refscore.cli.group', 'refscore.cli.main']"


@pytest.mark.parametrize("name", NAMES)
def test_help_of_each_command(name, capsys):
    assert status_of([name, "-h"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"Usage: refscore {name}")
    for parameter in commands.get_command(click.Context(commands), name).params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{parameter.name} has no help"
            assert parameter.opts[-1] in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scroe"], r"refscore: there is no command 'scroe'; did you mean 'score'\? \(see refscore --help\)"),
        (["x"], r"refscore: there is no command 'x' \(there are: score, .*\)"),
        (["--versoin"], "--versoin"),
        (["metrics", "--outptu"], r"refscore metrics: .*--outptu.* \(see refscore metrics --help\)"),
    ],
)
def test_mistakes(capsys, arguments, message):
    assert status_of(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert re.match(message, output.err) or message in output.err
    assert output.err.count("\n") == 1


def test_an_interruption_ends_with_130(monkeypatch, capsys):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    module = importlib.import_module("refscore.cli.tokenize")
    monkeypatch.setattr(module, "open_segments", interrupted)
    assert status_of(["tokenize", "file"]) == 130
    output = capsys.readouterr()
    assert (output.out, output.err.strip()) == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_reader_that_has_seen_enough_gets_no_message(tmp_path):
    (tmp_path / "long.txt").write_text("a b c d e f g h\n" * 200_000)
    line = f"{installed()} tokenize long.txt | head -n 1"
    ended = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (ended.stdout, ended.stderr) == ("a b c d e f g h\n", "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("metrics", "chrf"),
        ("explain", "Ein Hündchen", "ein Hündchen 猫"),
        ("tokenize", "--list"),
        ("explain", "a b", "a c", "-m", "ribes,ter,chrf"),
    ],
)
def test_output_in_an_encoding_that_lacks_characters(arguments, encoding):
    environment = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": encoding}
    result = command(*arguments, environment=environment)
    assert (result.returncode, result.stderr) == (0, b"")
    if encoding == "latin-1" and arguments[0] == "explain":
        assert b"\\u2713" in result.stdout  # the sign of a match


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("arguments", [("explain", "a", "a 猫"), ("metrics", "chrf"), ("tokenize", "--list")])
def test_a_terminal_in_another_encoding(arguments):
    shown = on_terminal(*arguments, encoding="latin-1")
    assert shown.strip()
    assert arguments[0] != "explain" or "\\u732b" in shown


def test_migration_hints_are_for_unknown_options_and_name_known_ones():
    context = click.Context(commands)
    for name, hints in migration_hints.HINTS_BY_COMMAND.items():
        options = {text for option in commands.get_command(context, name).params for text in option.opts}
        for option, hint in hints.items():
            assert option not in options
            named = re.match(r"--?[a-z-]+", hint)
            if named and " of refscore " not in hint:
                assert named[0] in options, f"{name} {option}"


def test_every_page_that_the_source_names_exists():
    root = Path(__file__).parents[2]
    for path in (root / "src").rglob("*.py"):
        for page in re.findall(r"docs/[\w/-]+\.md", path.read_text(encoding="utf-8")):
            assert (root / page).is_file(), f"{path} names {page}"
