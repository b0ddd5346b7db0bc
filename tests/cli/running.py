"""Run the command in this process, as installed, or on a terminal, and check how it fails."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import jsonschema
import pytest

import refscore
from refscore.cli import main
from refscore.cli.main import commands
from refscore.cli.option_group import as_option
from refscore.errors import arguments_shown_as

SCHEMAS = Path(__file__).parents[2] / "docs" / "reference" / "schemas"


def status_of(arguments):
    """Run the command in this process and return the exit status."""
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as end:
        return end.code or 0
    return 0


def output_of(capsys, *arguments, notes=0):
    """Return the output of the command in this process. stderr must have this number of notes, and nothing else."""
    capsys.readouterr()
    assert status_of(arguments) == 0
    output = capsys.readouterr()
    assert output.err.count("\n") == output.err.count("refscore: note: ") == notes
    return output.out


def write_lines(folder, **texts):
    """Write a file of each name with its lines."""
    for name, lines in texts.items():
        (folder / name).write_bytes("".join(f"{line}\n" for line in lines).encode())


def rows_of(text, form="tsv"):
    """Return the rows of a CSV or TSV table as dictionaries, or the objects of JSON lines."""
    if form == "jsonl":
        return [json.loads(line) for line in text.splitlines()]
    return list(csv.DictReader(io.StringIO(text), delimiter="\t" if form == "tsv" else ","))


def output_for(capsys, monkeypatch, data, *arguments):
    """Return the output of the command in this process with `data` as standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    return output_of(capsys, *arguments)


def json_of(capsys, *arguments, notes=0):
    """Return the JSON output of the command, validated against its documented schema."""
    content = json.loads(output_of(capsys, *arguments, "--format", "json", notes=notes))
    assert list(content)[:2] == ["schema", "version"]
    schema = content["schema"].removeprefix("refscore.").replace("/", ".")
    jsonschema.validate(content, json.loads((SCHEMAS / f"{schema}.json").read_text(encoding="utf-8")))
    return content


def error_of(*arguments):
    """Return the error that the command raises in this process, before it is printed."""
    with pytest.raises((refscore.RefscoreError, click.UsageError)) as caught:
        commands.main([*map(str, arguments)], prog_name="refscore", standalone_mode=False)
    error = caught.value
    with arguments_shown_as(as_option):
        return error.at(error.location, fix=error.fix) if isinstance(error, refscore.InputError) else error


def at(file, line=None, field=None):
    """Return the expected location of an error."""
    return (file, line, field)


def check_failure(capsys, arguments, expected):
    """Check that the command exits with 2 and prints one line on stderr, with matching words or a location."""
    capsys.readouterr()
    assert status_of(arguments) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    if isinstance(expected, str):
        assert re.search(expected, output.err), output.err
    else:
        error = error_of(*arguments)
        assert (error.location.file, error.location.line, error.location.field) == expected
        assert str(error.location) in output.err


def installed():
    """Return the path of the installed command."""
    name = "refscore.exe" if sys.platform == "win32" else "refscore"
    script = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert script is not None
    return script


def command(*arguments, environment=None, program=None, **options):
    """Run the installed command, or a different program, in a pipe."""
    plain = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "TTY_COMPATIBLE")}
    return subprocess.run(
        [*(program or [installed()]), *map(str, arguments)],
        capture_output=True,
        check=False,
        timeout=300,
        env={**plain, "PYTHONUTF8": "1", **(environment or {})},
        **options,
    )


def on_terminal(*arguments, encoding="utf-8", width=200, styled=False, program=None):
    """Run the installed command, or a different program, on a pseudo-terminal.

    Return what it shows, without styles by default.
    """
    if sys.platform == "win32":
        pytest.skip("needs a pseudo-terminal")
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(width), "PYTHONUTF8": "0"}
    environment["PYTHONIOENCODING"] = encoding
    environment.pop("NO_COLOR", None)
    if not styled:
        environment["NO_COLOR"] = "1"
    command_line = [*(program or [installed()]), *map(str, arguments)]
    with subprocess.Popen(command_line, stdout=theirs, stderr=subprocess.PIPE, env=environment) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # the other end is closed
            pass
        assert process.wait(300) == 0
    os.close(ours)
    text = shown.decode(encoding)
    return text if styled else re.sub(r"\x1b\[[0-9;]*m", "", text)
