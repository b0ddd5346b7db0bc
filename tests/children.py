"""Child processes that run Python."""

import os
import subprocess
import sys
import tempfile


def run_python(*arguments, timeout=300, environment=None, **options):
    """Run Python with these arguments and return the ended process. None removes a variable of the environment.

    The output goes to files: a pipe would stay open until all programs that the process started have ended, too.
    """
    variables = {**os.environ, **(environment or {})}
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        ended = subprocess.run(
            [sys.executable, *map(str, arguments)],
            stdout=output,
            stderr=errors,
            check=False,
            timeout=timeout,
            env={name: value for name, value in variables.items() if value is not None},
            **options,
        )
        for file in (output, errors):
            file.seek(0)
        return subprocess.CompletedProcess(ended.args, ended.returncode, output.read(), errors.read())


def printed_by(*arguments, **options):
    """Return the output of Python with these arguments. It must succeed."""
    ended = run_python(*arguments, **options)
    assert ended.returncode == 0, ended.stderr[-2000:]
    return ended.stdout
