"""Ways to run the command: in this process, as it is installed, and on a terminal."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from refscore.cli import main


def status_of(arguments):
    """Runs the command in this process; the exit status."""
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as end:
        return end.code or 0
    return 0


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
