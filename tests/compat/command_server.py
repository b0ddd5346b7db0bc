"""Run a library's command many times, each in a fork of one process that has imported the library.

Starting Python and importing NumPy takes most of the time of a command. Run as a script, this file is that process.
"""

import json
import os
import runpy
import subprocess
import sys
import traceback
from importlib import import_module
from pathlib import Path


class CommandServer:
    """A process that runs `python -m MODULE ARGUMENTS`. Where Python cannot fork, each command gets a new process."""

    def __init__(self, module, folder, **environment):
        self.module, self.folder = module, folder
        known = {name: value for name, value in os.environ.items() if not name.startswith("SACREBLEU")}
        self.environment = {**known, **environment}
        self.process = self._start([__file__, module], text=True) if hasattr(os, "fork") else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.communicate(timeout=120)

    def _start(self, arguments, **options):
        return subprocess.Popen(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**self.environment, **options.pop("environment", {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=options.pop("stderr", None),
            **options,
        )

    def run_alone(self, arguments, text="", **environment):
        """Run the command in a new process; return its status, output and messages."""
        command = ["-m", self.module, *arguments]
        process = self._start(command, environment=environment, stderr=subprocess.PIPE)
        output, messages = process.communicate(text.encode(), timeout=120)
        return process.returncode, output.decode(), messages.decode()

    def run(self, arguments, text="", **environment):
        """Run the command; return its status, output and messages."""
        if self.process is None:
            return self.run_alone(arguments, text, **environment)
        streams = [Path(self.folder, f"{self.module}.{name}") for name in ("stdin", "stdout", "stderr")]
        streams[0].write_bytes(text.encode())
        print(json.dumps([arguments, list(map(str, streams)), environment]), file=self.process.stdin, flush=True)
        status = int(self.process.stdout.readline())
        return status, *(path.read_bytes().decode() for path in streams[1:])


def run_in_fork(module, arguments, streams, environment):
    """Run the command with the files as its standard streams, and end this process."""
    status = 1
    try:
        os.environ.update(environment)
        for number, (path, flags) in enumerate(
            zip(streams, (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT | os.O_TRUNC] * 2), strict=True)
        ):
            opened = os.open(path, flags)
            os.dup2(opened, number)
            os.close(opened)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - the buffer of the old one holds later commands
        sys.argv = [module, *arguments]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def serve(module):
    """Run the commands on standard input, and print their statuses."""
    for name in (module, f"{module}.metrics", f"{module}.significance", "sacrebleu"):
        import_module(name)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            run_in_fork(module, *json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    sys.path.pop(0)  # this folder
    serve(sys.argv[1])
