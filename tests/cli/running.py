"""Ways to run the command: in this process, as it is installed, and on a terminal; and to see how it fails."""

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

SCHEMAS = Path(__file__).parents[2] / "docs" / "reference" / "schemas"


def status_of(arguments):
    """Runs the command in this process; the exit status."""
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as end:
        return end.code or 0
    return 0


def output_of(capsys, *arguments):
    """What the command prints in this process, without a word on stderr."""
    capsys.readouterr()
    assert status_of(arguments) == 0
    output = capsys.readouterr()
    assert output.err == ""
    return output.out


def json_of(capsys, *arguments):
    """What the command prints as JSON, checked against the documented schema that it names."""
    content = json.loads(output_of(capsys, *arguments, "--format", "json"))
    assert list(content)[:2] == ["schema", "version"]
    schema = content["schema"].removeprefix("refscore.").replace("/", ".")
    jsonschema.validate(content, json.loads((SCHEMAS / f"{schema}.json").read_text(encoding="utf-8")))
    return content


def error_of(*arguments):
    """The error that the command raises in this process, before it becomes a line."""
    with pytest.raises((refscore.RefscoreError, click.UsageError)) as caught:
        commands.main([*map(str, arguments)], prog_name="refscore", standalone_mode=False)
    return caught.value


def at(file, line=None, field=None):
    """The place that an error is expected at."""
    return (file, line, field)


def check_failure(capsys, arguments, expected):
    """The command ends with 2 and one line on stderr: with words that match, or with an error at a place."""
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
    """The path of the installed command."""
    name = "refscore.exe" if sys.platform == "win32" else "refscore"
    script = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert script is not None
    return script


def command(*arguments, environment=None, **options):
    """Runs the installed command in a pipe."""
    plain = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "TTY_COMPATIBLE")}
    return subprocess.run(
        [installed(), *map(str, arguments)],
        capture_output=True,
        check=False,
        timeout=60,
        env={**plain, "PYTHONUTF8": "1", **(environment or {})},
        **options,
    )


def on_terminal(*arguments, encoding="utf-8", width=200, styled=False):
    """Runs the installed command on a pseudo-terminal; what it shows there, without its styles unless asked for."""
    ours, theirs = os.openpty()
    environment = {
        **os.environ,
        "TERM": "xterm",
        "COLUMNS": str(width),
        "PYTHONUTF8": "0",
        "PYTHONIOENCODING": encoding,
    }
    environment.pop("NO_COLOR", None)
    if not styled:
        environment["NO_COLOR"] = "1"
    command_line = [installed(), *map(str, arguments)]
    with subprocess.Popen(command_line, stdout=theirs, stderr=subprocess.PIPE, env=environment) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # the other end is closed
            pass
        assert process.wait(60) == 0
    os.close(ours)
    text = shown.decode(encoding)
    return text if styled else re.sub(r"\x1b\[[0-9;]*m", "", text)
