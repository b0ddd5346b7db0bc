"""Child processes that run Python."""

import os
import subprocess
import sys


def run_python(*arguments, timeout=300, environment=None, **options):
    """Run Python with these arguments and return the ended process. None removes a variable of the environment."""
    variables = {**os.environ, **(environment or {})}
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
        env={name: value for name, value in variables.items() if value is not None},
        **options,
    )


def printed_by(*arguments, **options):
    """Return the output of Python with these arguments. It must succeed."""
    ended = run_python(*arguments, **options)
    assert ended.returncode == 0, ended.stderr[-2000:]
    return ended.stdout
