"""Behaviour of all commands: the list of commands, help, and exit statuses."""

import importlib
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

import refscore
from refscore import meetings, readers, tokenizers
from refscore.cli import help, migration_hints
from refscore.cli.demo import PARTS
from refscore.cli.main import SECTIONS, commands
from refscore.cli.output import FORMATS
from tests.cli.running import check_failure, command, error_of, installed, on_terminal, output_of, status_of

NAMES = [name for section in SECTIONS.values() for name in section]


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
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert result.stdout.splitlines()[-1] == "['refscore.cli.group', 'refscore.cli.main']"


def test_sections_of_the_help_have_existing_options():
    context = click.Context(commands)
    spelled = {text for name in NAMES for option in commands.get_command(context, name).params for text in option.opts}
    listed = [text for groups in help.SECTIONS.values() for group in groups for text in group.split()]
    assert {*listed} - {"--help", "--help-all"} <= spelled
    assert len({*listed}) == len(listed)


def test_the_citation_can_be_redirected_to_a_file(capsys):
    entry = output_of(capsys, "--citation", notes=1)
    assert entry == f"{refscore.citation.bibtex()}\n"
    assert output_of(capsys, "--citation", "score", "--no-such-option", notes=1) == entry  # like --version
    assert status_of(["--citation"]) == 0
    assert "refscore metrics NAME" in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_help_of_each_command(name, capsys):
    assert status_of([name, "-h"]) == 0
    brief = capsys.readouterr().out
    assert status_of([name, "--help-all"]) == 0
    shown = capsys.readouterr().out
    options = [each for each in commands.get_command(click.Context(commands), name).params if each.opts[0][0] == "-"]
    for option in options:
        assert option.help, f"{option.name} has no help"
        assert option.opts[-1] in shown
    for text in (brief, shown):
        assert text.startswith(f"Usage: refscore {name}")
        assert max(map(len, text.splitlines())) <= 80
    # One screen: all options if they fit, otherwise the frequent ones.
    assert brief.count("\n") <= help.LINES
    assert (brief == shown) == (shown.count("\n") <= help.LINES)
    assert all(option.opts[-1] in brief for option in options if option.required)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scroe"], "^refscore: there is no command 'scroe'; did you mean 'score'"),
        (["x"], "'x' .*: score, "),
        (["out.txt", "-r", "my ref.txt"], "no command 'out.txt': write refscore score out.txt -r 'my ref.txt' "),
        (["new=out", "-r", "ref"], "write refscore score new=out -r ref "),
        (["wer", "a.txt", "-r", "b.txt"], "it is a metric: write refscore score a.txt -r b.txt -m wer "),
        (["bleu:nltk", "a.txt"], "write refscore score a.txt -m bleu:nltk "),
        (["a.txt", "ref.txt"], "write refscore score a.txt -r ref.txt "),
        (["wer", "a.txt", "ref.txt"], "write refscore score a.txt -r ref.txt -m wer "),
        # sacrebleu's command.
        (["ref.txt", "-i", "a.txt", "b.txt", "-m", "bleu", "chrf"], "score a.txt b.txt -r ref.txt -m bleu,chrf "),
        (["evaluate", "a.txt", "-r", "my ref.txt"], "write refscore score a.txt -r 'my ref.txt' "),
        (["diff", "a.txt", "b.txt", "-r", "ref"], "write refscore compare a.txt b.txt -r ref "),
        (["help"], "write refscore --help "),
        (["errors", "a.txt", "b.txt"], r"argument \(b.txt\): name one system, and write -r before a file"),
        (["--versoin"], "--versoin"),
        (["metrics", "--outptu"], "^refscore metrics: .*--outptu"),
    ],
)
def test_mistakes(capsys, arguments, message):
    check_failure(capsys, arguments, message)


def test_an_interruption_ends_with_130(monkeypatch, capsys):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    module = importlib.import_module("refscore.cli.tokenize")
    monkeypatch.setattr(module, "open_segments", interrupted)
    assert status_of(["tokenize", "file"]) == 130
    output = capsys.readouterr()
    assert (output.out, output.err.strip()) == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.slow
def test_a_reader_that_has_seen_enough_gets_no_message(tmp_path):
    (tmp_path / "long.txt").write_text("a b c d e f g h\n" * 200_000)
    line = f"{installed()} tokenize long.txt | head -n 1"
    ended = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert (ended.stdout, ended.stderr) == ("a b c d e f g h\n", "")


@pytest.mark.parametrize(
    ("encoding", "arguments", "shown"),
    [
        ("latin-1", ("explain", "Ein Hündchen", "ein Hündchen 猫"), b"\\u2713"),  # the check mark of a match
        ("ascii", ("score", __file__, "-r", __file__, "-m", "ter", "-q"), b"TER \\u2193"),
        ("ascii", ("metrics", "chrf"), b"Popovi"),
    ],
)
def test_output_in_an_encoding_that_lacks_characters(encoding, arguments, shown):
    environment = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": encoding}
    result = command(*arguments, environment=environment)
    assert (result.returncode, result.stderr) == (0, b"")
    assert shown in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "options", "parts"),
    [
        ("explain a b -m bleu,ter", {}, ["BLEU, step by step", "TER, step by step"]),
        ("explain a a", {"styled": True}, ["\x1b[32m"]),  # green
        ("explain a 猫", {"encoding": "latin-1"}, ["\\u732b"]),
        ("metrics chrf", {}, ["Popović (2015): chrF: character n-gram F-score for automatic MT evaluation. WMT."]),
        ("metrics chrf", {"encoding": "latin-1"}, ["\\u0107"]),
        ("tokenize --list", {}, [tokenizers.get("13a").summary]),
        ("conventions FILE -r FILE --against nltk --preset sacrebleu", {}, ["sacrebleu", "─"]),
        ("demo", {"styled": True}, ["\x1b[", *(text for title, note, _ in PARTS for text in (title, note))]),
    ],
)
def test_on_a_terminal(arguments, options, parts):
    shown = on_terminal(*arguments.replace("FILE", __file__).split(), **options)
    assert not [part for part in parts if part not in shown]
    assert "=====" not in shown  # rules are drawn


# A spelling from sacrebleu or an earlier version, and the replacement in the hint.
SPELLINGS = [
    ("score", "-f json", "--format json"),
    ("score", "-b", "--format csv"),
    ("score", "-tok char", "--set bleu.tokenizer=char"),
    ("score", "--tokenize=char", "--set bleu.tokenizer=char"),
    ("score", "-lc", "--set bleu.lowercase=yes"),
    ("score", "-m wer --lowercase", "--set wer.lowercase=yes"),
    ("score", "-m wer,cer --normalize NFC", "--set '*.normalize=NFC'"),
    ("score", "--output-format json", "--format json"),
    ("score", "--sentence", "--segments -"),
    ("score", "-s floor", "--set bleu.smoothing=floor"),
    ("score", "-sl", "--segments -"),
    ("score", "--sentence-level", "--segments -"),
    ("score", "-w 4", "--digits 4"),
    ("score", "--chrf-word-order 2", "--set chrf.word_order=2"),
    ("score", "--ter-normalized", "--set ter.tokenizer=tercom-norm"),
    ("score", "--refs ref", "-r ref"),
    ("compare", "--paired-bs-n 10", "--resamples 10"),
    ("compare", "--markdown", "--format markdown"),
    ("compare", "--out new.txt", "-o new.txt"),
    ("conventions", "--json", "--format json"),
    ("tokenize", "--json", "--format json"),
    ("tokenize", "-lc", "--lowercase"),
    ("tokenize", "-tok char", "--tokenizer char"),
    ("explain", "--html", "--format html"),
    # Options with a changed meaning.
    ("score", "--output json", "--format json"),
    ("score", "--output table", "--format text"),
    ("explain", "--output html", "--format html"),
    ("score", "--format jsonl", "--input-format jsonl"),
    ("mbr", "--json", ""),
]


@pytest.mark.parametrize(("name", "wrong", "right"), SPELLINGS)
def test_spellings_of_other_commands_get_the_right_one(tmp_path, monkeypatch, capsys, name, wrong, right):
    monkeypatch.chdir(tmp_path)
    for file in ("hyp", "other", "ref"):
        Path(file).write_text('"a cat sat on the mat"\n' * 3)
    needed = {
        "score": ["hyp", "-r", "ref"],
        "compare": ["hyp", "other", "-r", "ref", "-q"],
        "conventions": ["hyp", "-r", "ref", "--against", "nltk"],
        "tokenize": ["hyp"],
        "explain": ["--text", "a cat", "a cat"],
        "mbr": ["samples"],
    }
    Path("samples").write_text('{"candidates": ["a cat", "a dog"]}')
    assert status_of([name, *needed[name], *wrong.split()]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"refscore {name}: ") and f"write {right}" in error
    chosen = wrong.split()[:2] if wrong.startswith("-m ") else []
    assert status_of([name, *needed[name], *chosen, *shlex.split(right)]) == 0


@pytest.mark.parametrize("form", [*FORMATS, "html"])
@pytest.mark.parametrize("name", NAMES)
def test_hints_about_formats_name_what_the_command_takes(name, form):
    parameters = commands.get_command(click.Context(commands), name).params
    options = {text: option for option in parameters for text in option.opts}
    formats = options["--format"].type.choices if "--format" in options else ()
    spellings = [] if f"--{form}" in options else [[f"--{form}"]]
    for arguments in [*spellings, ["--output", form], *([] if form in formats else [["--format", form]])]:
        error = error_of(name, *arguments)
        assert isinstance(error, click.UsageError)
        for option, value in re.findall(r"write (--\S*format) (\w+)", error.format_message()):
            assert value in options[option].type.choices


def test_what_other_tools_name_by_options():
    error = error_of("compare", "a.txt", "b.txt", "--baseline", "b.txt", "-r", "ref")
    assert "write b.txt as the first system" in error.format_message()
    error = error_of("compare", "a.txt", "b.txt", "--human", "ratings.tsv", "-r", "ref")
    assert "write refscore meta SYSTEM... -r REF --human ratings.tsv" in error.format_message()


def test_systems_need_no_option():
    for option in ("--hyp", "-i", "--system"):
        assert "write out.txt without" in error_of("score", option, "out.txt", "-r", "ref").format_message()


def test_values_are_not_taken_for_options():
    arguments = ["report", "hyp", "-r", "ref", "--title", "--json", "--notes", "-b"]
    assert not isinstance(error_of(*arguments), click.UsageError)  # only the missing file is reported


def test_other_words_for_commands_are_not_commands():
    assert {*migration_hints.COMMANDS.values()} <= {*NAMES, "--help", "--version"}
    assert not {*migration_hints.COMMANDS} & {*NAMES}


def test_hints_name_options_that_exist():
    context = click.Context(commands)
    known = {name: commands.get_command(context, name) for name in NAMES}
    spelled = {name: {text for option in known[name].params for text in option.opts} for name in NAMES}
    for hints in migration_hints.HINTS.values():
        for hint in hints:
            words = re.findall(r"(?<!\S)--?[a-z][a-z-]*", hint)
            first = hint.split()[0]
            having = [name for name in NAMES if first in spelled[name]] if first.startswith("-") else NAMES
            assert any({*words} <= spelled[name] for name in having) or "python -m" in hint, hint


# Options that mean the same in every command that has them: their other spellings and how their help begins.
MEANINGS = {
    "--by": ({"--by"}, "A file with a label per segment."),
    "--test-set": ({"-t", "--test-set"}, "A test set of sacrebleu"),
    "-t": ({"-t", "--test-set"}, "A test set of sacrebleu"),
    "--source": ({"--source"}, ("A file of sources", "The source of the segment")),
    "--preset": ({"--preset"}, "The preset of "),
    "--lowercase": ({"--lowercase"}, "Lowercase "),
    "-r": ({"-r", "--reference"}, "A file of "),
    "-m": ({"-m", "--metric"}, ""),
    "--set": ({"--set"}, "A setting, as in bleu.tokenizer=zh."),
}


@pytest.mark.parametrize("spelling", MEANINGS)
def test_options_have_one_meaning_in_all_commands(spelling):
    context = click.Context(commands)
    spellings, help_text = MEANINGS[spelling]
    options = [option for name in NAMES for option in commands.get_command(context, name).params]
    having = [option for option in options if spelling in option.opts]
    assert having
    for option in having:
        assert {*option.opts} == spellings
        assert option.help.startswith(help_text), option.help
    assert not [option.opts for option in options if {"--case", "--cased"} & {*option.opts}]


def test_options_mean_one_thing():
    context = click.Context(commands)
    for name in NAMES:
        options = {text: option for option in commands.get_command(context, name).params for text in option.opts}
        if "--output" in options:
            assert options["-o"] is options["--output"] and options["-o"].metavar == "FILE"
        else:
            assert "-o" not in options
        if "--format" in options:
            assert {*options["--format"].type.choices} <= {*FORMATS, "html", "github", "junit"}
        if "--input-format" in options:
            formats = meetings.readers.FORMATS if name == "meeting" else readers.FORMATS
            assert {*options["--input-format"].type.choices} == {*formats}


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "hyp", "-r", "ref", "--format", "csv"],
        ["score", "hyp", "-r", "ref", "--segments", "-"],
        ["conventions", "hyp", "-r", "ref", "--against", "nltk", "--format", "latex"],
        ["explain", "hyp:1", "ref", "--format", "html"],
        ["metrics", "bleu"],
        ["tokenize", "hyp", "--format", "json"],
    ],
)
def test_output_files_have_what_is_printed(tmp_path, monkeypatch, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    for file in ("hyp", "ref"):
        Path(file).write_text("ein Kätzchen saß auf der Matte\nzwei Katzen\n", encoding="utf-8")
    printed = output_of(capsys, *arguments)
    assert output_of(capsys, *arguments, "-o", "out") == ""
    assert Path("out").read_text(encoding="utf-8") == printed
    check_failure(capsys, [*arguments, "-o", "nowhere/out"], "create the folder")
    check_failure(capsys, [*arguments, "--no-such-option", "-o", "new"], "no-such-option")
    assert not Path("new").exists()


def test_every_page_that_the_source_names_exists():
    root = Path(__file__).parents[2]
    for path in (root / "src").rglob("*.py"):
        for page in re.findall(r"docs/[\w/-]+\.md", path.read_text(encoding="utf-8")):
            assert (root / page).is_file(), f"{path} names {page}"
