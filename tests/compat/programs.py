"""Programs that use the libraries: code in a process of its own, and the scripts in examples/."""

import os
import runpy
import subprocess
import sys
import textwrap
from pathlib import Path

from refscore import compat

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(code, *options, **environment):
    """Run code, with options of Python, and return its output; it must succeed."""
    command = [sys.executable, *options, "-c", textwrap.dedent(code)]
    result = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=300, env={**os.environ, **environment}
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def run_script(library, capsys):
    """Run the example for a library. Return what it prints, and whether any of its names are refscore's."""
    names = runpy.run_path(str(EXAMPLES / f"{library}_script.py"))
    values = [member for value in names.values() for member in (value, *getattr(value, "__dict__", {}).values())]
    origins = [str(getattr(value, "__module__", getattr(value, "__name__", ""))) for value in values]
    return capsys.readouterr().out, any(origin.startswith("refscore") for origin in origins)


def check_script(library, capsys):
    """Check that the example for a library prints the same with refscore, and return its output."""
    output, is_ours = run_script(library, capsys)
    assert output and not is_ours
    compat.install(library)
    try:
        assert run_script(library, capsys) == (output, True)
    finally:
        compat.uninstall(library)
    return output
